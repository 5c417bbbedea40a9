"""The relay's bookkeeping: where a batch stops, and that the next run loses nothing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.callbacks.events import CallbackEvent, CallbackReference
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.callbacks.relay import (
    BATCH_MOST,
    Change,
    Relayed,
    RelayPorts,
    StreamRecord,
    Unreadable,
    relay,
)
from tests.support.orders import order_in

PAID = order_in(OrderType.BUY, OrderStatus.PAID, since=1)
SILENT, TOLD, BROKEN = "silent", "told", "broken"


class Gone(Exception):
    """An error whose text must not appear anywhere."""


@dataclass
class Queue:
    """A queue that accepts what the test allows, and records it."""

    refusing: set[str] = field(default_factory=set)
    failing_after: int | None = None
    error: type[Exception] = TryAgain
    taken: list[str] = field(default_factory=list)
    aside: list[Unreadable] = field(default_factory=list)
    recorded: set[str] = field(default_factory=set)
    calls: int = 0

    def record(self, events: Sequence[CallbackEvent]) -> None:
        self.recorded.update(event.webhook_id for event in events)

    def send(self, references: Sequence[CallbackReference]) -> Collection[str]:
        assert 0 < len(references) <= BATCH_MOST
        ids = [reference.webhook_id for reference in references]
        assert self.recorded.issuperset(ids), "the record is written first"
        self._call()
        self.taken += [one for one in ids if one not in self.refusing]
        return self.refusing & set(ids)

    def set_aside(self, record: Unreadable) -> None:
        self._call()
        self.aside.append(record)

    def _call(self) -> None:
        if self.failing_after is not None and self.calls >= self.failing_after:
            raise self.error("private")
        self.calls += 1


def record_of(place: int, kind: str) -> StreamRecord:
    number = f"B{place}"
    before = replace(PAID, order_no=number)

    def read() -> Change:
        if kind == BROKEN:
            raise Gone("private")
        return Change(before, replace(before, sequence=1 if kind == SILENT else 2))

    return StreamRecord(str(place), number, read)


def run(kinds: Sequence[str], queue: Queue) -> tuple[Relayed, list[Exception]]:
    reported: list[Exception] = []
    records = [record_of(place, kind) for place, kind in enumerate(kinds)]
    ports = RelayPorts(
        queue.record, queue, lambda subject: {"number": subject.merchant_id}, reported.append
    )
    return relay(records, ports), reported


def test_everything_is_sent_in_order_ten_at_a_time() -> None:
    queue = Queue()
    relayed, reported = run([TOLD] * 25 + [SILENT] * 5, queue)
    assert relayed.webhook_ids == queue.taken == [f"msg_B{n}_2" for n in range(25)]
    assert (relayed.stopped_at, queue.calls, reported) == (None, 3, [])


def test_a_batch_stops_at_the_first_that_is_not_taken() -> None:
    queue = Queue(refusing={"msg_B12_2", "msg_B14_2"})
    relayed, _ = run([TOLD] * 30, queue)
    assert (relayed.stopped_at, queue.calls) == ("12", 2)
    assert relayed.webhook_ids == [f"msg_B{n}_2" for n in range(12)]


@pytest.mark.parametrize(("error", "told"), [(TryAgain, []), (Gone, [Gone])])
def test_a_queue_that_fails_stops_the_batch(
    error: type[Exception], told: list[type[Exception]]
) -> None:
    relayed, reported = run([TOLD] * 15, Queue(failing_after=1, error=error))
    assert (relayed.stopped_at, len(relayed.webhook_ids)) == ("10", 10)
    assert [type(each) for each in reported] == told


def test_a_broken_record_is_set_aside_and_holds_up_nobody() -> None:
    queue = Queue()
    relayed, reported = run([TOLD, BROKEN, TOLD], queue)
    assert queue.taken == ["msg_B0_2", "msg_B2_2"]
    assert queue.aside == [Unreadable("1", "B1", "Gone")]
    assert (relayed.set_aside, relayed.stopped_at) == (1, None)
    assert [type(error) for error in reported] == [Gone]


@given(
    kinds=st.lists(st.sampled_from([SILENT, TOLD, BROKEN]), max_size=45),
    refused=st.sets(st.integers(0, 44)),
    failing_after=st.none() | st.integers(0, 8),
)
def test_whatever_fails_nothing_is_lost(
    kinds: list[str], refused: set[int], failing_after: int | None
) -> None:
    """Events before the stop are sent; the whole batch again sends the rest."""
    queue = Queue(refusing={f"msg_B{n}_2" for n in refused}, failing_after=failing_after)
    relayed, _ = run(kinds, queue)
    stop = len(kinds) if relayed.stopped_at is None else int(relayed.stopped_at)
    for place, kind in enumerate(kinds[:stop]):
        assert kind != TOLD or f"msg_B{place}_2" in queue.taken
        assert kind != BROKEN or str(place) in {record.position for record in queue.aside}
    again = Queue()
    whole, _ = run(kinds, again)
    assert whole.stopped_at is None
    told = [f"msg_B{place}_2" for place, kind in enumerate(kinds) if kind == TOLD]
    assert again.taken == told
    assert set(queue.taken) <= set(told)
