"""Check the ledger, read all balances, and compare with a restored table (contract section 9)."""

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.ledger.check import Tally, Totals
from orderdesk.domain.ledger.restored import (
    LedgerAtATime,
    RestoredDifference,
    differences,
    newer,
)
from orderdesk.domain.ledger.rows import Difference, DifferenceKind, LedgerRow
from orderdesk.services.retrying import PauseMs

type Pages = Iterator[Sequence[LedgerRow]]

SEGMENTS = 4
SEGMENTS_MAX = 64


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a table: number `index` (from 0) of `of` parts."""

    index: int
    of: int


class LedgerScan(Protocol):
    """Reads the tables of the ledger page by page, one segment at a time. Raises: TryAgain."""

    def entries(self, segment: Segment) -> Pages:
        """Yield balances, postings and open withdrawals, without the traders' balances."""

    def balances(self, segment: Segment) -> Pages:
        """Yield balances only, without the traders'."""

    def traders(self, segment: Segment) -> Pages:
        """Yield the traders' balances and open-order counts."""

    def open_orders(self, segment: Segment) -> Pages:
        """Yield the orders that may hold USDT, and the counters of open buys."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a pass is: its `number`, rows so far, segments done and segments in all."""

    number: int
    rows: int
    done: int
    of: int


def read_in_segments[R](
    tables: Sequence[Callable[[Segment], Iterator[Sequence[R]]]],
    segments: int,
    add: Callable[[R], None],
    progress: Callable[[int, int, int], None],
) -> None:
    """Read tables in segments, at most `segments` at a time, and add every row in this thread.

    `progress` receives the rows, the segments done and the segments in all. At most one page of
    each segment is in memory.
    Raises: TryAgain as soon as one page cannot be read.
    """
    sources = [table(Segment(index, segments)) for index in range(segments) for table in tables]
    pool = ThreadPoolExecutor(max_workers=segments)
    rows = 0
    try:
        under_way = {_next_page(pool, source): source for source in sources}
        progress(rows, 0, len(sources))
        while under_way:
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                source, page = under_way.pop(future), future.result()
                if page is None:
                    progress(rows, len(sources) - len(under_way), len(sources))
                    continue
                under_way[_next_page(pool, source)] = source
                for row in page:
                    add(row)
                rows += len(page)
                progress(rows, len(sources) - len(under_way), len(sources))
    finally:
        pool.shutdown(cancel_futures=True)


def _next_page[R](
    pool: ThreadPoolExecutor, source: Iterator[Sequence[R]]
) -> Future[Sequence[R] | None]:
    return pool.submit(next, source, None)


PASSES_MAX = 3
# Longer than any transaction that was running when a pass ended.
PAUSE_BETWEEN_PASSES_MS = 1000

type Watch = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check: `differences` are real; `moving` may come from orders that move now.

    Both, and the totals, are those of the last of the `passes`.
    """

    differences: tuple[Difference, ...]
    moving: tuple[Difference, ...]
    totals: Totals
    passes: int


def check_ledger(scan: LedgerScan, *, segments: int, pause_ms: PauseMs, watch: Watch) -> Verdict:
    """Read all accounts, orders and open withdrawals, and list what does not balance.

    There is no snapshot over three tables. If an order moves after its hold and before its trader
    is read, a false difference appears; the same happens if a posting is written after its balance
    was read. A false difference is gone or changed in the next pass; a real one stays. So the
    tables are read up to three times while anything differs. A difference counts only if every pass
    saw the same amount. An account that differed in every pass by changing amounts is in use: the
    difference proves nothing and is returned as `moving`.
    Raises: TryAgain.
    """
    seen: list[tuple[Difference, ...]] = []
    for number in range(1, PASSES_MAX + 1):
        if seen:
            pause_ms(PAUSE_BETWEEN_PASSES_MS)
        tally = _read(scan, number, segments, watch)
        seen.append(tally.differences())
        suspects = _in_every_pass(seen)
        if not suspects:
            break
    amounts = set.intersection(*({_signature(d) for d in found} for found in seen))
    standing = tuple(d for d in suspects if _signature(d) in amounts)
    moving = tuple(d for d in suspects if _signature(d) not in amounts)
    return Verdict(standing, moving, tally.totals(), len(seen))


def read_balances(scan: LedgerScan, *, segments: int) -> Tally:
    """Sum up every account's balance, without its postings. Raises: TryAgain."""
    tally = Tally()
    tables = [scan.balances, scan.traders]
    read_in_segments(tables, segments, tally.add, lambda *_: None)
    return tally


def _read(scan: LedgerScan, number: int, segments: int, watch: Watch) -> Tally:
    tally = Tally()
    tables = [scan.entries, scan.traders, scan.open_orders]
    read_in_segments(tables, segments, tally.add, lambda *far: watch(Progress(number, *far)))
    return tally


def _in_every_pass(seen: Sequence[Sequence[Difference]]) -> list[Difference]:
    """Return the last pass's differences that every pass saw, by whatever amount."""
    each = [{(d.subject, d.kind) for d in found} for found in seen]
    always = set.intersection(*each)
    return [d for d in seen[-1] if (d.subject, d.kind) in always]


def _signature(difference: Difference) -> tuple[str, DifferenceKind, int]:
    return difference.subject, difference.kind, difference.delta


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences that no transfer explains, newer transfers, and how much was compared."""

    differences: tuple[RestoredDifference, ...]
    newer: tuple[str, ...]
    accounts: int
    postings: int


def compare_with_restored(
    restored: LedgerScan, present: LedgerScan, owners: Collection[str] | None, *, segments: int
) -> Comparison:
    """Read both tables in parallel segments, the restored one first, and compare them.

    Money may move meanwhile: the balance of an account in use may briefly differ from its postings.
    The restored table does not change. Raises: TryAgain.
    """
    then, now = LedgerAtATime(owners), LedgerAtATime(owners)
    for scan, ledger in ((restored, then), (present, now)):
        read_in_segments([scan.entries], segments, ledger.add, lambda *_: None)
    return Comparison(
        tuple(differences(then, now)),
        tuple(newer(then, now)),
        len(now.owned),
        len(now.posted),
    )
