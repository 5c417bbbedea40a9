"""Seal the books: read what moved money since the last seal, prove it, and store the next seal.

A run that dies is done again, because nothing that it reads changes: it puts the same checkpoints,
and the seal last. Of two runs at once, the second one's seal is refused (contract section 13).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import batched, chain, product
from typing import Protocol

from orderdesk.domain.accounts import SHARDED, WINDOW_SECONDS, Account, AccountKind
from orderdesk.domain.ledger.proof import Decision
from orderdesk.domain.ledger.rows import (
    AcknowledgedRow,
    AmountRow,
    DecisionRow,
    EntryRow,
    MalformedRow,
    OpenBuysRow,
    RequestPlaceRow,
)
from orderdesk.domain.ledger.sealing import Sealed, seal_span
from orderdesk.domain.ledger.seals import (
    NOTHING_SEALED,
    Seal,
    SealedAccount,
    SealName,
    SealSummary,
    day_end,
    due_end,
    provable,
)
from orderdesk.domain.ledger.span import SealedSpan, StoredPosting, SumsRow
from orderdesk.domain.orders.day_figures import SHOWN_DAYS, Counts, ended_buys, split_figures_name
from orderdesk.domain.orders.open_orders import UnpaidBuys
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Proposal, is_proposal_no
from orderdesk.domain.times import SECONDS_PER_DAY, US_PER_SECOND, date_in_china

READS_AT_ONCE = 8
AHEAD_SECONDS = 5
"""How far the clocks of functions may be ahead of each other."""
BATCH = 100
ACCOUNTS_MAX = 50_000
"""Of more accounts, only those that moved are read in each window."""
JUDGED_BUYS_MIN = 20
"""Ended buys of a day from which a merchant's share of unpaid ones is judged."""
JUDGED_AFTER_SECONDS = 3 * 3600
ENTRIES_BEFORE_SECONDS = 120
"""An audit entry has the time of its decision; the read begins a little earlier."""


@dataclass(slots=True)
class Parties:
    """The ids of all merchants and traders, traders' reserved amounts, and what is unreadable."""

    merchants: list[str] = field(default_factory=list)
    traders: list[tuple[str, Mode]] = field(default_factory=list)
    amounts: list[AmountRow] = field(default_factory=list)
    unreadable: list[MalformedRow] = field(default_factory=list)


type BalanceRead = tuple[str, SumsRow | MalformedRow]


class Books(Protocol):
    """Reads what seals are made of, consistently unless stated. Raises: TryAgain."""

    def created(self, start: int, end: int) -> Sequence[str]:
        """Return the orders created in [start, end), in Unix seconds; they may lag a little."""

    def disputed(self) -> Sequence[str]:
        """Return the disputed orders; they may lag a little."""

    def orders(self, order_nos: Sequence[str]) -> Mapping[str, Order | MalformedRow]:
        """Return at most BATCH orders; a missing one is left out."""

    def proposals(self, start: int, end: int) -> Iterable[Proposal | MalformedRow]:
        """Yield the proposals about money that were made in [start, end)."""

    def decisions(
        self, proposals: Sequence[str], requests: Mapping[str, str]
    ) -> Iterable[Decision | MalformedRow]:
        """Yield these proposals and withdrawal requests."""

    def places(self, start: int) -> Sequence[RequestPlaceRow | MalformedRow]:
        """Return those of open requests, and of ended ones that were made after `start`."""

    def entries(
        self, start: int, end: int, merchants: Sequence[str]
    ) -> Iterable[EntryRow | DecisionRow | AcknowledgedRow | MalformedRow]:
        """Yield the audit entries about money and findings of [start, end), merchants' too."""

    def parties(self) -> Parties:
        """Return all merchants and traders."""

    def counters(self, merchants: Sequence[str]) -> Iterable[OpenBuysRow | MalformedRow]:
        """Yield the counters of merchants' open buys."""

    def balances(self, account_keys: Sequence[str]) -> Iterable[BalanceRead]:
        """Yield the items of balances, each shard's with its account's key."""

    def postings(self, account_key: str, start: int, end: int) -> Sequence[StoredPosting]:
        """Return an account's postings with times in [start, end)."""


class SealStore(Protocol):
    """Stores seals; none is ever changed."""

    def newest(self) -> SealName | None:
        """Return the newest seal's name. Raises: TryAgain."""

    def newest_first(self, before: int | None = None, limit: int = 1) -> Sequence[SealSummary]:
        """Return the newest seals that ended before a time (Unix seconds). Raises: TryAgain."""

    def load(self, name: SealName) -> Seal:
        """Return a seal whose hash and signature are right. Raises: BrokenSeal, TryAgain."""

    def put(self, sealed: Sealed) -> SealName:
        """Store a seal after its checkpoints. Raises: ChangedMeanwhile, TryAgain."""


@dataclass(frozen=True, slots=True)
class SealPorts:
    """What sealing works with; `every` is how many seconds seals are apart."""

    books: Books
    seals: SealStore
    now: Callable[[], int]
    every: int
    threads: int = READS_AT_ONCE


type SaveDays = Callable[[Mapping[str, Counts], Sequence[date], int], None]
"""Replaces merchants' figures, and when orders of dates were read (Unix s). Raises: TryAgain."""


def seal_next(ports: SealPorts, save_days: SaveDays) -> Sealed | None:
    """Make the seal that is due, and store it after merchants' figures; None if none is due.

    Figures are replaced by those at the seal's end, so a repeated run stores nothing twice.

    Raises: BrokenSeal if the last seal is not what its name says, ChangedMeanwhile if another run
    stored the seal, TryAgain.
    """
    name = ports.seals.newest()
    newest_end = 0 if name is None else name.end
    end = due_end(newest_end, ports.now(), ports.every)
    if end is None:
        return None
    previous = NOTHING_SEALED if name is None else ports.seals.load(name)
    sealed = prove(ports, SealedSpan(previous, end), name)
    save_days(sealed.figures, shown_dates(previous, sealed.seal), ports.now())
    ports.seals.put(sealed)
    return sealed


def shown_dates(previous: Seal, seal: Seal) -> list[date]:
    """Return the dates that a seal counts: its own; the first one also counts those before."""
    today = date_in_china(seal.end - 1)
    return [today - timedelta(days=n) for n in range(1 if previous.end else SHOWN_DAYS)]


def most_unpaid(seal: Seal) -> tuple[str, UnpaidBuys] | None:
    """Return the merchant with the largest share of unpaid buys of a seal's day.

    Of merchants with enough ended buys, from the fourth hour of the day.
    """
    if seal.end - day_end(seal.end - 1) + SECONDS_PER_DAY < JUDGED_AFTER_SECONDS:
        return None
    today = date_in_china(seal.end - 1)
    named = [(split_figures_name(name), counts) for name, counts in seal.figures.items()]
    of_day = {who: ended_buys(counts) for (day, _, who), counts in named if who and day == today}
    judged = [(who, buys) for who, buys in of_day.items() if buys.ended >= JUDGED_BUYS_MIN]
    return max(judged, key=lambda each: (each[1].percent or 0, each[0]), default=None)


def prove(ports: SealPorts, span: SealedSpan, name: SealName | None) -> Sealed:
    """Read and prove a span of the books after the seal of this name. Raises: TryAgain.

    An index may lag, and orders move while they and their balances are read. So before anything is
    found, orders are read once more, after the balances.
    """
    with ThreadPoolExecutor(max_workers=ports.threads) as pool:
        reading = _SpanReading(ports, pool, span)
        sealed = seal_span(reading.read(), name)
        if sealed.new or sealed.seal.drifts:
            sealed = seal_span(reading.read_again(), name)
    return sealed


def known_accounts(parties: Parties) -> frozenset[str]:
    """Return the keys of the accounts that merchants and traders can have, and the outside's."""
    known = chain(
        (Account(AccountKind.FUNDING, "", mode) for mode in Mode),
        (Account(*one) for one in product(SHARDED, parties.merchants, Mode)),
        (Account(AccountKind.TRADER, *one) for one in parties.traders),
    )
    return frozenset(account.key for account in known)


@dataclass(slots=True)
class _SpanReading:
    """One reading of a span; `before` are the orders that were read before the balances."""

    ports: SealPorts
    pool: ThreadPoolExecutor
    span: SealedSpan
    asked: set[str] = field(default_factory=set)
    before: dict[str, Order] = field(default_factory=dict)

    def read(self) -> SealedSpan:
        """Read everything, and the orders that only postings name."""
        self._read_decisions()
        self._read_orders(self.span.previous.orders.keys())
        self._read_new_orders()
        self._read_balances()
        self._read_postings()
        self._read_orders(self.span.unknown_orders())
        return self.span

    def read_again(self) -> SealedSpan:
        """Read the orders again that moved while the balances were read, and what is new."""
        span, before = self.span, self.before
        disputed = self._read_new_orders()
        self._read_postings()
        still_open = {number for number, order in before.items() if order.status.is_open}
        for row in self._orders(still_open | (disputed & before.keys())):
            if isinstance(row, Order) and row != before[row.order_no]:
                span.moved[row.order_no] = before[row.order_no], row
        for number, order in span.known_orders().items():
            if number not in before:
                span.moved[number] = None, order
        return span

    def _read_new_orders(self) -> frozenset[str]:
        """Read the orders that the indexes list; return the disputed ones."""
        books, start, end = self.ports.books, self.span.previous.end, self.span.end
        disputed = frozenset(books.disputed())
        self._read_orders([*books.created(start, end), *disputed])
        now = self.ports.now()
        # A seal that catches up compares no counters, and very many orders may have come since.
        if end < now and provable(end, now) is not None:
            created = set(books.created(end, now + AHEAD_SECONDS))
            for row in self._orders(created - self.asked - self.span.later_orders.keys()):
                if isinstance(row, Order):
                    self.span.later_orders[row.order_no] = row
        return disputed

    def _read_orders(self, order_nos: Iterable[str]) -> None:
        numbers = set(order_nos) - self.asked
        self.asked.update(numbers)
        for row in self._orders(numbers):
            self.span.add(row)
        found_now = self.span.orders.keys()
        names = {row.key for row in self.span.malformed}
        self.span.missing.update(numbers - found_now - names)

    def _orders(self, numbers: Iterable[str]) -> Iterator[Order | MalformedRow]:
        """Yield the orders of these numbers; missing ones are left out."""
        parts = map(list, batched(sorted(numbers), BATCH, strict=False))
        for found in self.pool.map(self.ports.books.orders, parts):
            yield from found.values()

    def _read_decisions(self) -> None:
        books, previous, end = self.ports.books, self.span.previous, self.span.end
        requests = dict(previous.requests)
        for place in books.places(previous.end):
            self.span.add(place)
            if isinstance(place, RequestPlaceRow):
                requests[place.request_no] = place.merchant_id
        rows: Iterator[Decision | MalformedRow] = chain(
            books.proposals(previous.end, end), books.decisions(previous.proposals, requests)
        )
        for row in rows:
            self.span.add(row)
        since = max(0, previous.end - ENTRIES_BEFORE_SECONDS)
        for entry in books.entries(since, end, sorted({*requests.values()})):
            at_us = entry.at_us if isinstance(entry, EntryRow | AcknowledgedRow) else None
            if at_us is None or self.span.has(at_us // US_PER_SECOND):
                self.span.add(entry)
        self.span.linked[:] = self._linked()

    def _linked(self) -> Iterator[Decision]:
        """Yield what ended requests name: a proposal, or the entry of who acted alone."""
        books, unlinked = self.ports.books, {row.ref: row for row in self.span.unlinked()}
        proposals = sorted(filter(is_proposal_no, unlinked))
        for row in books.decisions(proposals, {}):
            if isinstance(row, Proposal):
                yield row
        for ref in unlinked.keys() - {*proposals}:
            at = (unlinked[ref].decided_at_us or 0) // US_PER_SECOND
            for entry in books.entries(at, at + 1, []):
                if isinstance(entry, EntryRow) and entry.audit_id == ref:
                    yield entry

    def _account_keys(self) -> list[str]:
        books, span = self.ports.books, self.span
        parties = books.parties()
        span.counters[:] = parties.amounts
        for row in (*parties.unreadable, *books.counters(parties.merchants)):
            if isinstance(row, OpenBuysRow):
                span.counters.append(row)
            else:
                span.add(row)
        keys = known_accounts(parties)
        return sorted(keys | self.span.previous.accounts.keys() | self.span.moved_accounts())

    def _read_balances(self) -> None:
        self.before = self.span.known_orders()
        parts = map(list, batched(self._account_keys(), BATCH, strict=False))
        for rows in self.pool.map(lambda keys: list(self.ports.books.balances(keys)), parts):
            for key, row in rows:
                if isinstance(row, SumsRow):
                    self.span.balances[key][row.shard] = row
                else:
                    self.span.add(row)
                    self.span.unreadable.add(key)
        self.span.read_at = self.ports.now()

    def _read_postings(self) -> None:
        keys = sorted(self._due_accounts() - self.span.postings.keys())
        accounts, end = self.span.previous.accounts, self.span.end

        def read(key: str) -> Sequence[StoredPosting]:
            start = accounts[key].through if key in accounts else 0
            return self.ports.books.postings(key, start, end)

        for key, rows in zip(keys, self.pool.map(read, keys), strict=True):
            self.span.postings[key] = rows

    def _due_accounts(self) -> frozenset[str]:
        """Return the accounts whose postings are read: those that moved; at a window's end all."""
        known = self.span.previous.accounts
        keys = known.keys() | self.span.balances.keys()
        is_whole = self.span.end % WINDOW_SECONDS == 0 and len(keys) <= ACCOUNTS_MAX
        if is_whole or self.span.previous.end == 0:
            return frozenset(keys) | self.span.moved_accounts()
        moved = (
            key
            for key, rows in self.span.balances.items()
            if _has_moved(known.get(key, SealedAccount()), rows.values())
        )
        return self.span.moved_accounts() | frozenset(moved)


def _has_moved(sealed: SealedAccount, rows: Iterable[SumsRow]) -> bool:
    """Return whether an account's stored sums are not those of the last seal."""
    held, stored_held = Counter[str](), Counter[str]()
    for shard, sums in sealed.held.items():
        held[shard] += sum(sums)
    available = 0
    for row in rows:
        available += sum(row.available)
        stored_held[str(row.shard)] += sum(row.held)
    return available != sum(sealed.available) or held != stored_held
