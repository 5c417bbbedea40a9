"""A statement that is paged while postings are written: each is listed once, balances add up."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.accounts import Account, AccountKind, Entry, TransferKind
from orderdesk.domain.pricing import Mode
from orderdesk.services.merchants.statement import (
    LATE_SECONDS,
    Placed,
    Position,
    Span,
    StatementLine,
    first_position,
    statement,
)
from orderdesk.web.codes import InvalidParameters
from orderdesk.web.merchant.lists import cursor_of, position_of

NOW = 1_763_700_000
SECRET, OTHER_SECRET = b"k" * 32, b"o" * 32
OWN, DEPOSIT = AccountKind.MERCHANT, AccountKind.DEPOSIT
KINDS = {"available": OWN, "deposit": DEPOSIT}


@dataclass
class Books:
    """A fake of `Postings`."""

    rows: dict[AccountKind, list[Placed]] = field(default_factory=lambda: {OWN: [], DEPOSIT: []})
    written: int = 0

    def write(self, kind: AccountKind, amount: int, at: int, name: str = "") -> None:
        self.written += 1
        at_us = at * 1_000_000
        place = f"posting#{at_us:016d}#{name or self.written}"
        entry = Entry(at_us, TransferKind.SETTLEMENT, amount, name or str(self.written), "")
        self.rows[kind].append(Placed(place, entry))
        self.rows[kind].sort(key=lambda row: row.place)

    def after(
        self, account: Account, place: str | None, span: Span, limit: int
    ) -> Sequence[Placed]:
        start = (span.start or 0) * 1_000_000
        rows = (
            row
            for row in self.rows[account.kind]
            if (row.entry.at_us >= start if place is None else row.place > place)
            and (span.end is None or row.entry.at_us < (span.end + 1) * 1_000_000)
        )
        return list(rows)[:limit]

    def total_before(self, account: Account, time: int) -> int:
        rows = self.rows[account.kind]
        return sum(r.entry.amount_micro for r in rows if r.entry.at_us < time * 1_000_000)


def next_page(
    books: Books, position: Position, limit: int, now: int, span: Span | None = None
) -> tuple[Sequence[StatementLine], Position | None]:
    """Return a page; the cursor is serialised in between."""
    page = statement(books, "m1", Mode.LIVE, span or Span(), position, limit=limit, now=now)
    if page.following is None:
        return page.items, None
    return page.items, position_of(cursor_of(page.following, Mode.LIVE, SECRET), Mode.LIVE, SECRET)


ACTIONS = st.one_of(
    st.tuples(
        st.just("write"),
        st.sampled_from([OWN, DEPOSIT]),
        st.integers(-5, 5).filter(bool),
        st.integers(0, LATE_SECONDS - 1),
        st.integers(0, 10**6),
    ),
    st.tuples(st.just("read"), st.integers(1, 4)),
    st.tuples(st.just("wait"), st.integers(1, 90)),
)


@given(st.lists(ACTIONS, max_size=60))
def test_each_posting_is_listed_once_whenever_it_is_written(actions: list[Any]) -> None:
    books, now, lines = Books(), NOW, list[StatementLine]()
    position: Position | None = first_position(books, "m1", Mode.LIVE, Span())
    for action in actions:
        match action:
            case ("write", kind, amount, late, name):
                books.write(kind, amount, now - late, f"{name:07d}-{books.written}")
            case ("wait", seconds):
                now += seconds
            case ("read", limit) if position is not None:
                # One posting always remains after the page, so that there is a next page.
                books.write(OWN, 1, now, f"~{books.written}")
                if sum(map(len, books.rows.values())) - len(lines) > limit:
                    page, position = next_page(books, position, limit, now)
                    lines += page
    while position is not None:
        page, position = next_page(books, position, 3, now)
        lines += page
    listed = Counter((line.account, line.entry.order_no) for line in lines)
    assert listed == Counter(
        (name, row.entry.order_no) for name, kind in KINDS.items() for row in books.rows[kind]
    )
    for name, kind in KINDS.items():
        balance = 0
        for line in lines:
            if line.account == name:
                balance += line.entry.amount_micro
                assert line.balance_micro == balance
        assert balance == sum(row.entry.amount_micro for row in books.rows[kind])


def test_a_cursor_forgets_what_is_settled() -> None:
    books = Books()
    for number in range(50):
        books.write(OWN, 1, NOW - 100 - number)
    position = first_position(books, "m1", Mode.LIVE, Span())
    _, later = next_page(books, position, 20, NOW)
    assert later is not None
    assert later.listed == frozenset()
    assert len(cursor_of(later, Mode.LIVE, SECRET)) < 255


def test_a_span_begins_with_the_balance_of_its_start() -> None:
    books = Books()
    for at in (10, 20, 30, 40):
        books.write(OWN, at, at)
        books.write(DEPOSIT, 1, at)
    span = Span(20, 30)
    lines, rest = next_page(books, first_position(books, "m1", Mode.LIVE, span), 10, NOW, span)
    assert rest is None
    assert [(line.account, line.entry.at_us // 10**6, line.balance_micro) for line in lines] == [
        ("available", 20, 30),
        ("deposit", 20, 2),
        ("available", 30, 60),
        ("deposit", 30, 3),
    ]


def test_a_cursor_is_the_merchants_own_and_of_one_mode() -> None:
    books = Books()
    for number in range(3):
        books.write(OWN, 1, NOW - number)
    position = first_position(books, "m1", Mode.LIVE, Span())
    _, later = next_page(books, position, 1, NOW)
    assert later is not None
    cursor = cursor_of(later, Mode.LIVE, SECRET)
    assert position_of(cursor, Mode.LIVE, SECRET) == later
    sealed, _, tag = cursor.partition(".")
    wrong = [f"A{sealed}.{tag}", f"{sealed}.{tag[:-1]}", sealed, "", ".", "汉", f"{cursor}."]
    for text in wrong:
        with pytest.raises(InvalidParameters):
            position_of(text, Mode.LIVE, SECRET)
    with pytest.raises(InvalidParameters):
        position_of(cursor, Mode.LIVE, OTHER_SECRET)
    with pytest.raises(InvalidParameters):
        position_of(cursor, Mode.TEST, SECRET)
