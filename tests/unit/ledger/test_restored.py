"""Tables of different times: what the comparison and the check of the ledger find."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace

import pytest

from orderdesk.domain.ledger.accounts import Balance
from orderdesk.domain.ledger.findings import FindingKind
from orderdesk.domain.ledger.restored import (
    LedgerAtATime,
    RestoredKind,
    differences,
    newer,
)
from orderdesk.domain.ledger.rows import (
    LedgerRow,
    OpenBuysRow,
    PostingRow,
)
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from tests.unit.ledger.kept_books import (
    MERCHANT,
    KeptBooks,
    an_order,
    balance_row,
    changed,
    kinds,
    used_books,
)


def at_a_time(rows: list[LedgerRow], owners: tuple[str, ...] | None = None) -> LedgerAtATime:
    ledger = LedgerAtATime(owners)
    for row in rows:
        ledger.add(row)
    return ledger


def found(then: list[LedgerRow], now: list[LedgerRow]) -> set[tuple[str, RestoredKind, int]]:
    return {
        (each.account_key, each.kind, each.delta)
        for each in differences(at_a_time(then), at_a_time(now))
    }


def merchants_posting(rows: list[LedgerRow]) -> PostingRow:
    return next(
        row for row in rows if isinstance(row, PostingRow) and row.account_key == MERCHANT.key
    )


def test_what_happened_since_is_no_difference() -> None:
    books = used_books()
    then = deepcopy(books).rows()
    books.complete(books.orders["B1"])
    now = books.rows()
    assert found(then, now) == set()
    assert newer(at_a_time(then), at_a_time(now)) == ["B1"]


def test_a_posting_that_is_lost_or_changed_is_named_with_its_balance() -> None:
    then = used_books().rows()
    posting = merchants_posting(then)
    key, amount = posting.account_key, posting.amount_micro
    lost = changed(then, posting)
    assert found(then, lost) == {
        (key, RestoredKind.LOST, -amount),
        (key, RestoredKind.BALANCE_NOW, amount),
    }
    more = changed(then, posting, replace(posting, amount_micro=amount + 5))
    assert found(then, more) == {
        (key, RestoredKind.CHANGED, 5),
        (key, RestoredKind.BALANCE_NOW, -5),
    }
    assert found(lost, then) == {(key, RestoredKind.BALANCE_THEN, amount)}


def test_another_merchants_accounts_are_not_asked_about() -> None:
    then = used_books().rows()
    lost = changed(then, merchants_posting(then))
    of_others = at_a_time(then, ("m1",)), at_a_time(lost, ("m1",))
    assert list(differences(*of_others)) == []
    of_it = at_a_time(then, ("m0",)), at_a_time(lost, ("m0",))
    assert len(list(differences(*of_it))) == 2


# A restored Orders table beside newer Ledger and Traders tables.


def is_of_orders(row: LedgerRow) -> bool:
    return isinstance(row, Order | OpenBuysRow)


def restored_orders(moved: Callable[[KeptBooks], None]) -> list[LedgerRow]:
    """Return the books after a move, with Orders from before it."""
    books = used_books()
    before = deepcopy(books).rows()
    moved(books)
    newer_rows = [row for row in books.rows() if not is_of_orders(row)]
    return [*newer_rows, *(row for row in before if is_of_orders(row))]


def place(side: OrderType) -> Callable[[KeptBooks], None]:
    return lambda books: books.place(an_order(7, side, Mode.LIVE, "m0", "t0"))


@pytest.mark.parametrize(
    ("moved", "account"),
    [
        (lambda books: books.cancel(books.orders["B1"]), "trader:t0:live"),
        (lambda books: books.complete(books.orders["B1"]), "trader:t0:live"),
        (lambda books: books.cancel(books.orders["S2"]), MERCHANT.key),
        (lambda books: books.complete(books.orders["S3"]), MERCHANT.key),
        (place(OrderType.BUY), "trader:t0:live"),
        (place(OrderType.SELL), MERCHANT.key),
    ],
    ids=["cancelled buy", "paid buy", "cancelled sell", "paid sell", "new buy", "new sell"],
)
def test_restored_orders_beside_a_newer_ledger_are_found_by_the_check(
    moved: Callable[[KeptBooks], None], account: str
) -> None:
    subjects = {(subject, kind) for subject, kind, _ in kinds(restored_orders(moved))}
    assert (account, FindingKind.HELD) in subjects


def test_what_began_and_ended_since_is_found_by_both() -> None:
    """It holds nothing, but its postings have no order."""

    def moved(books: KeptBooks) -> None:
        place(OrderType.BUY)(books)
        books.complete(books.orders["B7"])

    found_kinds = {kind for _, kind, _ in kinds(restored_orders(moved))}
    assert found_kinds == {FindingKind.POSTING_WITHOUT_ORDER}
    books = used_books()
    then = deepcopy(books).rows()
    moved(books)
    assert newer(at_a_time(then), at_a_time(books.rows())) == ["B7"]


def test_a_balance_of_several_items_is_their_sum() -> None:
    rows = used_books().rows()
    whole = balance_row(rows, MERCHANT)
    own = whole.balance
    halves = Balance(own.available_micro - 5, own.held_micro), Balance(5, 0)
    parts = [replace(whole, balance=half) for half in halves]
    assert found(rows, changed(rows, whole, *parts)) == set()
