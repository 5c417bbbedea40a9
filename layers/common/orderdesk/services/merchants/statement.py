"""balance and statement: a merchant's USDT, live and test separately (contract section 4).

A statement lists postings with running balances, oldest first. A posting has the time at which its
move began, and is written some time later. While a merchant pages, a new posting may therefore sort
before the last one listed. So a position remembers which of the last minute's postings are listed.
No posting is missed or listed twice, and the balance after the last one is the account's.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Protocol

from orderdesk.domain.accounts import Account, AccountKind, Balance, Entry, TransferKind
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.ports import MAX_LIMIT, Slice

# Longer than any function runs: no posting is written later than this after its time.
LATE_SECONDS = 60
_DIGEST_BYTES = 6

ACCOUNTS: Mapping[str, AccountKind] = MappingProxyType(
    {"available": AccountKind.MERCHANT, "deposit": AccountKind.DEPOSIT}
)
"""The merchant's accounts by their names in the statement, in the order of one transfer."""

KINDS = tuple(kind for kind in TransferKind if kind is not TransferKind.SPREAD)
"""The kinds of postings on these accounts; a spread is on the desk's."""


class Balances(Protocol):
    """Reads the balances of accounts."""

    def balance(self, account: Account) -> Balance:
        """Return an account's balance, zero if it has no posting. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class MerchantBalance:
    """A merchant's balances in one mode, in micro-USDT."""

    available_micro: int
    held_micro: int
    deposit_micro: int


def merchant_balance(balances: Balances, merchant_id: str, mode: Mode) -> MerchantBalance:
    """Return a merchant's balances in a mode. Raises: TryAgain."""
    own = balances.balance(Account(AccountKind.MERCHANT, merchant_id, mode))
    deposit = balances.balance(Account(AccountKind.DEPOSIT, merchant_id, mode))
    return MerchantBalance(own.available_micro, own.held_micro, deposit.available_micro)


@dataclass(frozen=True, slots=True)
class SealMark:
    """When the newest seal of the books ended (Unix seconds), and its hash (section 13)."""

    time: int
    hash: str


@dataclass(frozen=True, slots=True)
class PostingFilter:
    """Which postings of a span a statement lists; the balances are those of all."""

    order_no: str = ""
    kind: TransferKind | None = None

    def has(self, entry: Entry) -> bool:
        """Return whether a posting is listed."""
        of_order = not self.order_no or entry.order_no == self.order_no
        return of_order and self.kind in {None, entry.kind}


@dataclass(frozen=True, slots=True)
class Span:
    """Postings from `start` to `end` (Unix seconds, both included); None means no limit."""

    start: int | None = None
    end: int | None = None

    def of_order(self, order: Order | None, merchant_id: str) -> "Span":
        """Return the part in which an order's postings are; nothing of another merchant's."""
        if order is None or order.merchant_id != merchant_id:
            return Span(1, 0)
        first = max(self.start or 0, order.createtime)
        last = order.updatetime if self.end is None else min(self.end, order.updatetime)
        return Span(first, last)


@dataclass(frozen=True, slots=True)
class Placed:
    """A posting and its place on its account; places sort by time."""

    place: str
    entry: Entry


class Postings(Protocol):
    """Reads the postings of accounts, consistently."""

    def after(
        self, account: Account, place: str | None, span: Span, limit: int
    ) -> Sequence[Placed]:
        """Return a span's oldest postings, after `place` if it is given. Raises: TryAgain.

        A given place replaces the span's start.
        """

    def total_before(self, account: Account, time: int) -> int:
        """Sum the postings before a time (Unix seconds), in micro-USDT. Raises: TryAgain."""


class NewestPostings(Protocol):
    """Reads the newest postings of accounts, consistently."""

    def newest(self, account: Account, limit: int) -> Sequence[Entry]:
        """Return an account's newest postings, newest first. Raises: TryAgain."""


_READS_MAX = 4


def newest_lines(
    postings: NewestPostings, balances: Balances, account: Account, limit: int
) -> Sequence[tuple[Entry, int | None]]:
    """Return an account's newest postings, each with the balance after it in micro-USDT.

    The balances are None if postings were written during each of several reads. Raises: TryAgain.
    """
    entries: Sequence[Entry] = ()
    owned: int | None = balances.balance(account).owned_micro
    for _ in range(_READS_MAX):
        entries, before = postings.newest(account, limit), owned
        owned = balances.balance(account).owned_micro
        if owned == before:
            break
    else:
        owned = None
    lines = []
    for entry in entries:
        lines.append((entry, owned))
        owned = None if owned is None else owned - entry.amount_micro
    return lines


@dataclass(frozen=True, slots=True)
class AccountPosition:
    """How far a statement was read on one account.

    Every posting up to `place` is listed. `balance_micro` is the sum of the account's postings
    before the span and of the listed ones.
    """

    place: str | None = None
    balance_micro: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """How far a statement was read; `listed` are digests of the listed postings after it."""

    reached: Mapping[str, AccountPosition]
    listed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One posting in the statement, and its account's balance after it, in micro-USDT."""

    account: str
    entry: Entry
    balance_micro: int

    @property
    def second(self) -> int:
        """The posting's time in Unix seconds."""
        return self.entry.at_us // US_PER_SECOND


def first_position(postings: Postings, merchant_id: str, mode: Mode, span: Span) -> Position:
    """Return the position at a span's start, with the balances then. Raises: TryAgain."""

    def at_start(kind: AccountKind) -> AccountPosition:
        if span.start is None:
            return AccountPosition()
        account = Account(kind, merchant_id, mode)
        return AccountPosition(None, postings.total_before(account, span.start))

    return Position({name: at_start(kind) for name, kind in ACCOUNTS.items()})


def statement(
    postings: Postings,
    merchant_id: str,
    mode: Mode,
    span: Span,
    position: Position,
    *,
    limit: int,
    now: int,
) -> Slice[StatementLine, Position]:
    """Return the next `limit` postings; `now` in Unix seconds. Raises: TryAgain."""
    most = limit + 1 + len(position.listed)
    found = {
        name: postings.after(
            Account(kind, merchant_id, mode), position.reached[name].place, span, most
        )
        for name, kind in ACCOUNTS.items()
    }
    new = list(_unlisted(found, position.listed))
    page = new[:limit]
    lines = tuple(_lines(page, position))
    if len(new) <= limit:
        return Slice(lines, None)
    balances = {line.account: line.balance_micro for line in lines}
    listed = position.listed | {_digest(name, row) for name, row in page}
    settled_us = (now - LATE_SECONDS) * US_PER_SECOND
    return Slice(lines, _advanced(found, listed, position, balances, settled_us))


FILTERED_READS_MAX = 7
"""Reads of a filtered page; it may be short, or empty, although others follow."""


def filtered_statement(
    postings: Postings,
    merchant_id: str,
    mode: Mode,
    span: Span,
    position: Position,
    *,
    wanted: PostingFilter,
    limit: int,
    now: int,
) -> Slice[StatementLine, Position]:
    """Return the next wanted postings, at most `limit`; `now` in Unix seconds. Raises: TryAgain."""
    lines: list[StatementLine] = []
    place: Position | None = position
    for _ in range(FILTERED_READS_MAX):
        assert place is not None
        read = partial(statement, postings, merchant_id, mode, span, place, now=now)
        page = read(limit=MAX_LIMIT)
        fits = [number for number, line in enumerate(page.items) if wanted.has(line.entry)]
        if len(lines) + len(fits) > limit:
            page = read(limit=fits[limit - len(lines)])
        lines += (line for line in page.items if wanted.has(line.entry))
        place = page.following
        if place is None or len(lines) == limit:
            break
    return Slice(tuple(lines), place)


def span_lines(
    read: Callable[[Position], Slice[StatementLine, Position]],
    first: Position,
    *,
    has: Callable[[StatementLine], bool],
    goes_on: Callable[[Sequence[StatementLine]], bool],
) -> Slice[StatementLine, int]:
    """Return the lines that `has` wants, page by page, while `goes_on` says so of those found.

    It ends between two seconds, so the rest begins at a time (Unix seconds). Raises: TryAgain.
    """
    lines = list[StatementLine]()
    page = read(first)
    begin = page.items[0].second if page.items else 0
    while True:
        lines += filter(has, page.items)
        if page.following is None:
            return Slice(lines, None)
        last = page.items[-1].second
        if not goes_on(lines) and last > begin:
            return Slice([line for line in lines if line.second < last], last)
        page = read(page.following)


def _unlisted(
    found: Mapping[str, Sequence[Placed]], listed: frozenset[str]
) -> Iterator[tuple[str, Placed]]:
    rows = [(name, row) for name, of_account in found.items() for row in of_account]
    rows.sort(key=lambda each: each[1].place)  # stable: keeps the accounts' order in a transfer
    return (each for each in rows if _digest(*each) not in listed)


def _lines(page: Sequence[tuple[str, Placed]], position: Position) -> Iterator[StatementLine]:
    balances = {name: reached.balance_micro for name, reached in position.reached.items()}
    for name, row in page:
        balances[name] += row.entry.amount_micro
        yield StatementLine(name, row.entry, balances[name])


def _advanced(
    found: Mapping[str, Sequence[Placed]],
    listed: frozenset[str],
    position: Position,
    balances: Mapping[str, int],
    settled_us: int,
) -> Position:
    """Advance each account's position past listed postings older than 60 s.

    Nothing can be written before those any more. Listed postings after it stay in `listed`,
    even if so many late postings came before them that this page did not reach them.
    """
    reached, passed = {}, set[str]()
    for name, rows in found.items():
        place = position.reached[name].place
        for row in rows:
            digest = _digest(name, row)
            if digest not in listed or row.entry.at_us >= settled_us:
                break
            place = row.place
            passed.add(digest)
        balance = balances.get(name, position.reached[name].balance_micro)
        reached[name] = AccountPosition(place, balance)
    return Position(reached, listed - passed)


def _digest(account: str, row: Placed) -> str:
    name = f"{account}#{row.place}".encode()
    return hashlib.blake2s(name, digest_size=_DIGEST_BYTES).hexdigest()
