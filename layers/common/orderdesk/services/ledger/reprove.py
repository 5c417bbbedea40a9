"""Prove a sealed day again, and read what no seal reads (contract section 13).

A day's postings must still have the hashes that the seals of its start and its end have chained.
Parts of the tables are scanned for malformed items, and for balances of accounts that nobody knows.
Both are bounded by the time of a run: they begin anywhere, so that every part has its turn.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import batched, chain, islice, pairwise, zip_longest
from typing import Protocol

from orderdesk.domain.ledger.rows import BalanceRow, LedgerRow, MalformedRow, Source
from orderdesk.domain.ledger.sealing import malformed
from orderdesk.domain.ledger.seals import (
    NOTHING_SEALED,
    Finding,
    FindingKind,
    Seal,
    SealedAccount,
    SealName,
    chained,
    day_end,
)
from orderdesk.domain.ledger.span import StoredPosting
from orderdesk.domain.times import SECONDS_PER_DAY, date_in_china
from orderdesk.services.ledger.seal import READS_AT_ONCE, Books, SealStore, known_accounts
from orderdesk.services.ports import Chance

PAGES_MAX = 8192
"""So many pages of at most 1 MB of each table are read in a run."""
SEGMENTS = 512
"""In so many parts a table is scanned; one of a table of 4 TB has PAGES_MAX pages."""
AT_ONCE = 10_000
"""About so many postings of an account are in memory at once."""
SCANNED = (Source.ORDERS, Source.LEDGER)
"""The other tables are read whole, or in their windows, for each seal."""


type HasTime = Callable[[], bool]
type Pages = Iterator[Sequence[LedgerRow]]


class SealHistory(SealStore, Protocol):
    """Stores seals, and finds the first one."""

    def oldest(self) -> SealName | None:
        """Return the first seal's name. Raises: TryAgain."""


class Scan(Protocol):
    """Scans tables."""

    def rows(self, source: Source, index: int, of: int) -> Pages:
        """Yield the rows of part `index` of `of` parts of a table, by page. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class ReprovePorts:
    """What proving again works with."""

    books: Books
    seals: SealHistory
    scan: Scan
    chance: Chance
    threads: int = READS_AT_ONCE


@dataclass(frozen=True, slots=True)
class Reproved:
    """The day that was proved again (its end in Unix seconds), or None without a whole day.

    `accounts` is how many of its accounts had their turn.
    """

    end: int | None
    accounts: int
    findings: Sequence[Finding]


def prove_a_day(ports: ReprovePorts, has_time: HasTime) -> Reproved:
    """Prove a random sealed day again, beginning at any of its accounts, while there is time.

    Raises: BrokenSeal, TryAgain.
    """
    seals = ports.seals
    oldest, newest = seals.oldest(), seals.newest()
    if oldest is None or newest is None:
        return Reproved(None, 0, ())
    first, last = day_end(oldest.end - 1), day_end(newest.end) - SECONDS_PER_DAY
    if last < first:
        return Reproved(None, 0, ())
    end = first + ports.chance.below((last - first) // SECONDS_PER_DAY + 1) * SECONDS_PER_DAY
    name = seals.newest_first(end + 1)[0].name
    before = seals.newest_first(end - SECONDS_PER_DAY + 1)
    sealed, since = seals.load(name), seals.load(before[0].name if before else oldest)
    keys = sorted(key for key, one in sealed.accounts.items() if one.count)
    start = ports.chance.below(max(1, len(keys)))
    findings, proved = list[Finding](), 0
    with ThreadPoolExecutor(max_workers=ports.threads) as pool:
        for some in batched(keys[start:] + keys[:start], ports.threads, strict=False):
            if not has_time():
                break
            found = pool.map(lambda key: _changed(ports.books, key, since, sealed), some)
            findings += chain.from_iterable(found)
            proved += len(some)
    return Reproved(end, proved, findings)


def _changed(books: Books, key: str, since: Seal, sealed: Seal) -> list[Finding]:
    """Return a finding if an account's postings of a day are not those that were sealed."""
    before, after = since.accounts.get(key, SealedAccount()), sealed.accounts[key]
    chain_now, micro = before.chain, 0
    for each in _postings(books, key, before, after):
        chain_now = chained(chain_now, each.digest)
        micro += 0 if isinstance(each.row, MalformedRow) else each.row.amount_micro
    if chain_now == after.chain:
        return []
    name = f"{key} {date_in_china(sealed.end - 1).isoformat()}"
    due = after.closing - before.closing
    return [Finding(FindingKind.CHANGED_DAY, name, due, micro, account=key)]


def _postings(
    books: Books, key: str, before: SealedAccount, after: SealedAccount
) -> Iterator[StoredPosting]:
    """Yield the postings between two seals, in parts that fit into memory."""
    parts = (after.count - before.count) // AT_ONCE + 1
    length = after.through - before.through
    times = [before.through + length * number // parts for number in range(parts + 1)]
    for start, end in pairwise(times):
        yield from sorted(books.postings(key, start, end), key=lambda each: each.place)


def scan_tables(ports: ReprovePorts, has_time: HasTime) -> list[Finding]:
    """Return what is malformed or unknown in the parts of the tables that are read in time.

    The tables are read in turn, so a large one does not use the time of the others. What the newest
    seal has is not returned, nor what was acknowledged. Raises: BrokenSeal, TryAgain.
    """
    findings, strangers = list[Finding](), list[BalanceRow]()
    tables = (islice(_pages(ports, source), PAGES_MAX) for source in SCANNED)
    for rows in chain.from_iterable(zip_longest(*tables, fillvalue=())):
        if not has_time():
            break
        findings += (malformed(row) for row in rows if isinstance(row, MalformedRow))
        strangers += (
            row for row in rows if isinstance(row, BalanceRow) and row.balance.owned_micro
        )
        strangers = strangers if len(strangers) < AT_ONCE else _unknown(ports, strangers)
    findings += (_stranger(row) for row in _unknown(ports, strangers))
    sealed = _sealed_names(ports.seals)
    return [each for each in findings if (each.kind, each.key) not in sealed]


def _sealed_names(seals: SealStore) -> set[tuple[FindingKind, str]]:
    newest = seals.newest()
    seal = NOTHING_SEALED if newest is None else seals.load(newest)
    accepted = (each.finding for each in seal.acknowledged)
    found = chain((each.finding for each in seal.findings), accepted)
    return {(each.kind, each.key) for each in found}


def _pages(ports: ReprovePorts, source: Source) -> Pages:
    start = ports.chance.below(SEGMENTS)
    for number in range(SEGMENTS):
        yield from ports.scan.rows(source, (start + number) % SEGMENTS, SEGMENTS)


def _unknown(ports: ReprovePorts, rows: Iterable[BalanceRow]) -> list[BalanceRow]:
    """Return the balances of accounts that no merchant or trader has; new ones are known."""
    known = known_accounts(ports.books.parties())
    return [row for row in rows if row.account_key not in known]


def _stranger(row: BalanceRow) -> Finding:
    kind, key = FindingKind.UNKNOWN_ACCOUNT, row.account_key
    return Finding(kind, key, 0, row.balance.owned_micro, account=key)
