"""statement: a merchant's postings with running balances, oldest first (contract section 4).

A posting carries the time at which its move began, and is written some time later. So while a
merchant pages, a posting may get a place before the last one listed. A walk therefore remembers
which of the last minute's postings it has listed. It misses none and lists none twice, and the
balance after its last posting is the account's.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from orderdesk.domain.ledger.accounts import Account, AccountKind, Entry
from orderdesk.domain.modes import Mode
from orderdesk.domain.times import US_PER_SECOND

DEFAULT_LIMIT = 20
MAX_LIMIT = 100

# Longer than a function runs: no posting is written so long after its time.
LATE_SECONDS = 60
_DIGEST_BYTES = 6

ACCOUNTS: Mapping[str, AccountKind] = MappingProxyType(
    {"available": AccountKind.MERCHANT, "deposit": AccountKind.DEPOSIT}
)
"""The merchant's accounts by their names in the statement, in the order of one transfer."""


@dataclass(frozen=True, slots=True)
class Span:
    """Postings from `start` to `end` (Unix seconds, both included); None does not bound."""

    start: int | None = None
    end: int | None = None


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
        """Give a span's oldest postings, of those behind a place if it is given. Raises: TryAgain.

        A given place counts instead of the span's start.
        """

    def total_before(self, account: Account, time: int) -> int:
        """Sum the postings before a time (Unix seconds), in micro-USDT. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a walk has come on one account.

    Every posting up to `place` is listed. `balance_micro` sums the whole history and what is
    listed.
    """

    place: str | None = None
    balance_micro: int = 0


@dataclass(frozen=True, slots=True)
class Walk:
    """How far a walk has come, by account; `listed` are digests of listed postings behind it."""

    reached: Mapping[str, Reached]
    listed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """One posting in the statement, and its account's balance after it, in micro-USDT."""

    account: str
    entry: Entry
    balance_micro: int


@dataclass(frozen=True, slots=True)
class StatementPage:
    """One page; `walk` goes on from here, None after the last page."""

    lines: tuple[Line, ...]
    walk: Walk | None = field(repr=False)


def begin_walk(postings: Postings, merchant_id: str, mode: Mode, span: Span) -> Walk:
    """Begin at a span's start, with the balances of that time. Raises: TryAgain."""
    if span.start is None:
        return Walk({name: Reached() for name in ACCOUNTS})
    return Walk(
        {
            name: Reached(None, postings.total_before(Account(kind, merchant_id, mode), span.start))
            for name, kind in ACCOUNTS.items()
        }
    )


def statement(
    postings: Postings,
    merchant_id: str,
    mode: Mode,
    span: Span,
    walk: Walk,
    *,
    limit: int,
    now: int,
) -> StatementPage:
    """Give the next `limit` postings of a walk; `now` in Unix seconds. Raises: TryAgain."""
    most = limit + 1 + len(walk.listed)
    found = {
        name: postings.after(Account(kind, merchant_id, mode), walk.reached[name].place, span, most)
        for name, kind in ACCOUNTS.items()
    }
    new = list(_unlisted(found, walk.listed))
    page = new[:limit]
    lines = tuple(_lines(page, walk))
    if len(new) <= limit:
        return StatementPage(lines, None)
    balances = {line.account: line.balance_micro for line in lines}
    listed = walk.listed | {_digest(name, row) for name, row in page}
    settled_us = (now - LATE_SECONDS) * US_PER_SECOND
    return StatementPage(lines, _walk_on(found, listed, walk, balances, settled_us))


def _unlisted(
    found: Mapping[str, Sequence[Placed]], listed: frozenset[str]
) -> Iterator[tuple[str, Placed]]:
    rows = [(name, row) for name, of_account in found.items() for row in of_account]
    rows.sort(key=lambda each: each[1].place)  # stable: of one transfer, the accounts keep order
    return (each for each in rows if _digest(*each) not in listed)


def _lines(page: Sequence[tuple[str, Placed]], walk: Walk) -> Iterator[Line]:
    balances = {name: reached.balance_micro for name, reached in walk.reached.items()}
    for name, row in page:
        balances[name] += row.entry.amount_micro
        yield Line(name, row.entry, balances[name])


def _walk_on(
    found: Mapping[str, Sequence[Placed]],
    listed: frozenset[str],
    walk: Walk,
    balances: Mapping[str, int],
    settled_us: int,
) -> Walk:
    """Move each account's place behind what is listed and can get no new neighbour before it.

    What is listed and not behind the place stays remembered, also if so many late postings came
    before it that this page did not read as far.
    """
    reached, passed = {}, set[str]()
    for name, rows in found.items():
        place = walk.reached[name].place
        for row in rows:
            digest = _digest(name, row)
            if digest not in listed or row.entry.at_us >= settled_us:
                break
            place = row.place
            passed.add(digest)
        balance = balances.get(name, walk.reached[name].balance_micro)
        reached[name] = Reached(place, balance)
    return Walk(reached, listed - passed)


def _digest(account: str, row: Placed) -> str:
    name = f"{account}#{row.place}".encode()
    return hashlib.blake2s(name, digest_size=_DIGEST_BYTES).hexdigest()
