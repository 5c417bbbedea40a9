"""Read all balances, and compare with a restored table (contract section 11)."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.ledger.accounts import Balance
from orderdesk.domain.ledger.findings import Finding
from orderdesk.domain.ledger.proof import restored_findings
from orderdesk.domain.ledger.rows import BalanceRow, LedgerRow, TraderRow

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

    def balances(self, segment: Segment) -> Pages:
        """Yield balances only, without the traders'."""

    def traders(self, segment: Segment) -> Pages:
        """Yield the traders' balances and open-order counts."""


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


FINDINGS_MAX = 1000

type HasTime = Callable[[], bool]


def read_balances(scan: LedgerScan, *, segments: int) -> dict[str, Balance]:
    """Read every account's balance, by its key, sorted; an account can have several shards.

    Raises: TryAgain.
    """
    owned: dict[str, Balance] = {}

    def add(row: LedgerRow) -> None:
        match row:
            case BalanceRow():
                key, more = row.account_key, row.balance
            case TraderRow():
                key, more = row.account.key, row.balance
            case _:
                return
        one = owned.get(key, Balance())
        available = one.available_micro + more.available_micro
        owned[key] = Balance(available, one.held_micro + more.held_micro)

    read_in_segments([scan.balances, scan.traders], segments, add, lambda *_: None)
    return dict(sorted(owned.items()))


type RestoredPlace = tuple[str, str]
"""The key of an item of the restored table."""


@dataclass(frozen=True, slots=True)
class RestoredPage:
    """Postings of a restored table, each with the present item of its key, None if it is gone."""

    pairs: Sequence[tuple[LedgerRow | None, LedgerRow | None]]
    following: RestoredPlace | None


class RestoredPostings(Protocol):
    """Reads a restored table and the present one. Raises: UnknownId, TryAgain."""

    def page(self, start: RestoredPlace | None) -> RestoredPage:
        """Read a page of at most 1 MB after a place, None for the first."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A part of a comparison: how many postings were compared, what differs, where to read on."""

    postings: int
    found: Sequence[Finding]
    following: RestoredPlace | None


def compare_part(
    restored: RestoredPostings, start: RestoredPlace | None, has_time: HasTime
) -> Compared:
    """Compare the postings of a restored table with the present ones, while there is time.

    A posting is never changed or deleted, so each restored one must be there unchanged. The
    restored table does not change, and a posting is either there or not: writers may go on.
    Raises: UnknownId, TryAgain.
    """
    postings, found = 0, list[Finding]()
    while True:
        page = restored.page(start)
        postings += len(page.pairs)
        for then, now in page.pairs:
            found += restored_findings(then, now)
        start = page.following
        if start is None or len(found) >= FINDINGS_MAX or not has_time():
            return Compared(postings, found, start)
