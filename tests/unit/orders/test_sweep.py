"""The sweep's turns: a long backlog in one shard delays no other shard's entries."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import cast

import pytest

from orderdesk.adapters.system import SystemChance
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.orders.drafts import Draft
from orderdesk.services.orders.move import MovePorts, OrderMoves
from orderdesk.services.orders.sweep import RUN_SECONDS, Due, DueKind, Settled, SweepPorts, sweep
from tests.support.orders import held_draft

NOW = 1_763_700_000
PAGE = 10


class Backlog:
    """Due drafts in shards: the index and the store of the sweep. Some drafts are broken."""

    shards = 8

    def __init__(
        self,
        sizes: dict[int, int],
        broken: range = range(0),
        throttled: Collection[tuple[int, int]] = (),
    ) -> None:
        """`throttled` are pages that fail: a shard, and which of its reads (from 0)."""
        self._left = {shard: [f"{shard}-{n}" for n in range(size)] for shard, size in sizes.items()}
        self._broken = broken
        self._throttled = throttled
        self._reads = Counter[int]()
        self.settled: list[str] = []
        self.broken_numbers: set[str] = set()
        self.reported: list[Exception] = []
        moves = MovePorts(cast("OrderMoves", None), SystemChance(), lambda _: None)
        self.ports = SweepPorts(
            self, self, moves, lambda settle, page: list(map(settle, page)), self.reported.append
        )

    def run(self, pages: int, now: int = NOW) -> Counter[Settled]:
        """Sweep once, with time for so many pages."""
        time_left = iter([True] * pages)
        return sweep(self.ports, now, lambda: next(time_left, False))

    def due(self, shard: int, _: int, after: Due | None = None) -> Sequence[Due]:
        read = shard, self._reads[shard]
        self._reads[shard] += 1
        if read in self._throttled:
            raise TryAgain
        place = -1 if after is None else int(after.number.split("-")[1])
        numbers = [each for each in self._left.get(shard, []) if int(each.split("-")[1]) > place]
        numbers = numbers[:PAGE]
        return [Due(DueKind.DRAFT, number, 1) for number in numbers]

    def draft(self, pending_no: str) -> Draft:
        if int(pending_no[0]) in self._broken or pending_no in self.broken_numbers:
            raise RuntimeError("broken")
        return held_draft(1, pending_no=pending_no)

    def end(self, before: Draft, *_: object, **__: object) -> None:
        self._left[int(before.pending_no[0])].remove(before.pending_no)
        self.settled.append(before.pending_no)

    def change(self, *_: object) -> None:
        raise AssertionError("what is over ends")

    def complete(self, *_: object) -> None:
        raise AssertionError("the sweep creates no order")


@pytest.mark.parametrize("long", range(Backlog.shards))
def test_a_long_backlog_in_one_shard_delays_no_other(long: int) -> None:
    sizes = {**dict.fromkeys(range(Backlog.shards), 1), long: 10_000}
    backlog = Backlog(sizes)
    backlog.run(pages=2 * Backlog.shards)
    others = {f"{shard}-0" for shard in sizes if shard != long}
    assert others < set(backlog.settled)
    assert len(backlog.settled) > len(others) + PAGE, "the long shard goes on meanwhile"


def test_each_run_begins_at_another_shard() -> None:
    """A run may have time for one page only: then the shards take turns from run to run."""
    backlog = Backlog(dict.fromkeys(range(Backlog.shards), 10_000))
    for run in range(Backlog.shards):
        backlog.run(pages=1, now=NOW + run * RUN_SECONDS)
    assert {number[0] for number in backlog.settled} == set("01234567")


def test_a_shard_of_broken_entries_is_read_once_and_stops_no_other() -> None:
    backlog = Backlog({0: 30, 1: 25}, broken=range(1))
    tally = backlog.run(pages=100)
    assert tally == {Settled.FAILED: 30, Settled.DRAFT_EXPIRED: 25}
    assert len(backlog.reported) == 30


def test_entries_that_always_fail_hide_none_behind_them() -> None:
    backlog = Backlog({0: 5 * PAGE})
    backlog.broken_numbers = {f"0-{n}" for n in range(3 * PAGE)}
    for _ in range(2):
        backlog.run(pages=100)
        assert len(backlog.settled) == 2 * PAGE
    assert len(backlog.reported) == 2 * 3 * PAGE


def test_what_a_run_has_no_time_for_is_told_by_shard() -> None:
    """The next run continues; an alarm reports five such runs in a row."""
    backlog = Backlog({0: 3 * PAGE, 1: 1})
    tally = backlog.run(pages=Backlog.shards)
    assert tally == {Settled.DRAFT_EXPIRED: PAGE + 1, Settled.SHARD_UNREACHED: 2}
    assert backlog.run(pages=100) == {Settled.DRAFT_EXPIRED: 2 * PAGE}
    assert backlog.run(pages=0) == {Settled.SHARD_UNREACHED: Backlog.shards}


@pytest.mark.parametrize("read", [0, 1], ids=["first page", "second page"])
def test_a_page_that_is_not_answered_stops_no_other_shard(read: int) -> None:
    sizes = dict.fromkeys(range(Backlog.shards), 3 * PAGE)
    backlog = Backlog(sizes, throttled=[(0, read), (5, read)])
    tally = backlog.run(pages=100)
    settled = 6 * 3 * PAGE + 2 * read * PAGE
    assert tally == {Settled.DRAFT_EXPIRED: settled, Settled.PAGE_UNREAD: 2}
    assert not backlog.reported, "the store may be busy: that is no unexpected error"
    assert backlog.run(pages=100) == {Settled.DRAFT_EXPIRED: sum(sizes.values()) - settled}


def test_a_run_that_reads_nothing_fails() -> None:
    backlog = Backlog({0: 1}, throttled=[(shard, 0) for shard in range(Backlog.shards)])
    with pytest.raises(TryAgain):
        backlog.run(pages=100)
    assert backlog.run(pages=100) == {Settled.DRAFT_EXPIRED: 1}
