"""Reading all of the books: several tables, each in segments that are read side by side."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.ledger_rows import LedgerRow

type Pages = Iterator[Sequence[LedgerRow]]

SEGMENTS = 4
SEGMENTS_MAX = 64


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a table: number `index` (from 0) of `of` parts."""

    index: int
    of: int


class LedgerScan(Protocol):
    """The tables that the books are in, page after page, a segment at a time. Raise TryAgain."""

    def entries(self, segment: Segment) -> Pages:
        """Give balances and postings; a trader's balance is not among them."""

    def balances(self, segment: Segment) -> Pages:
        """Give balances alone; a trader's balance is not among them."""

    def traders(self, segment: Segment) -> Pages:
        """Give traders' balances and counts."""

    def open_orders(self, segment: Segment) -> Pages:
        """Give the orders that may hold something."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reading is: rows so far, and segments done of all; `number` counts readings."""

    number: int
    rows: int
    done: int
    of: int


def read_in_segments(
    tables: Sequence[Callable[[Segment], Pages]],
    segments: int,
    add: Callable[[LedgerRow], None],
    progress: Callable[[int, int, int], None],
) -> None:
    """Read tables in segments, at most so many at a time, and add every row in this thread.

    `progress` is told rows, segments done, and of how many. No more than a page of each segment is
    kept. Raises: TryAgain, as soon as one page cannot be had.
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


def _next_page(pool: ThreadPoolExecutor, source: Pages) -> Future[Sequence[LedgerRow] | None]:
    return pool.submit(next, source, None)
