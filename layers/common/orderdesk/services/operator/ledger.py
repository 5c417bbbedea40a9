"""Read all balances, and compare with a restored table (contract section 11)."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.accounts import Balance
from orderdesk.domain.ledger.proof import restored_findings
from orderdesk.domain.ledger.rows import BalanceRow, LedgerRow, TraderRow
from orderdesk.domain.ledger.seals import Finding
from orderdesk.services.ports import Slice

type Pages = Iterator[Sequence[LedgerRow]]
type HasTime = Callable[[], bool]

SEGMENTS = 4
"""In so many parts a table is read at the same time."""
CONNECTIONS_MAX = 64
FINDINGS_MAX = 1000


class LedgerScan(Protocol):
    """Reads part `index` (from 0) of `of` parts of a table by page. Raises: TryAgain."""

    def balances(self, index: int, of: int) -> Pages:
        """Yield balances only, without the traders'."""

    def traders(self, index: int, of: int) -> Pages:
        """Yield the traders' balances and open-order counts."""


def read_balances(scan: LedgerScan) -> dict[str, Balance]:
    """Read every account's balance, by its key, sorted; an account can have several shards.

    At most one page of each part is in memory. Raises: TryAgain.
    """
    tables = (scan.balances, scan.traders)
    parts = [table(index, SEGMENTS) for index in range(SEGMENTS) for table in tables]
    owned: dict[str, Balance] = {}
    with ThreadPoolExecutor(max_workers=SEGMENTS) as pool:
        for sums in pool.map(_owned, parts):
            for key, more in sums.items():
                owned[key] = owned.get(key, Balance()) + more
    return dict(sorted(owned.items()))


def _owned(pages: Pages) -> dict[str, Balance]:
    """Return what the accounts of a part own, by their keys."""
    owned: dict[str, Balance] = {}
    for page in pages:
        for row in page:
            match row:
                case BalanceRow():
                    key = row.account_key
                case TraderRow():
                    key = row.account.key
                case _:
                    continue
            owned[key] = owned.get(key, Balance()) + row.balance
    return owned


type RestoredPlace = tuple[str, str]
"""The key of an item of the restored table."""


type RestoredPage = Slice[tuple[LedgerRow | None, LedgerRow | None], RestoredPlace]
"""Postings of a restored table, each with the present item of its key, None if it is gone."""


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
        postings += len(page.items)
        for then, now in page.items:
            found += restored_findings(then, now)
        start = page.following
        if start is None or len(found) >= FINDINGS_MAX or not has_time():
            return Compared(postings, found, start)
