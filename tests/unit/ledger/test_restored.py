"""Tables of different times: what the comparison and the check of the ledger find."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from orderdesk.domain.ledger.proof import restored_findings
from orderdesk.domain.ledger.rows import LedgerRow, MalformedRow, OpenBuysRow, PostingRow
from orderdesk.domain.ledger.seals import FindingKind
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import Mode, OrderType
from tests.unit.ledger.kept_books import MERCHANT, KeptBooks, an_order, kinds, used_books


def compared(then: LedgerRow, now: LedgerRow | None) -> list[tuple[FindingKind, int]]:
    found = list(restored_findings(then, now))
    assert all(each.account in {MERCHANT.key, ""} for each in found)
    return [(each.kind, each.delta) for each in found]


def test_a_posting_that_is_lost_or_changed_is_named_with_its_account() -> None:
    rows = used_books().rows()
    then = next(r for r in rows if isinstance(r, PostingRow) and r.account_key == MERCHANT.key)
    amount = then.amount_micro
    assert compared(then, then) == []
    assert compared(then, None) == [(FindingKind.LOST_POSTING, -amount)]
    more = replace(then, amount_micro=amount + 5)
    assert compared(then, more) == [(FindingKind.CHANGED_AMOUNT, 5)]
    assert compared(then, replace(then, order_no="B9")) == [(FindingKind.CHANGED_POSTING, 0)]
    malformed = MalformedRow("ledger", "x y", "no kind")
    assert compared(then, malformed) == [(FindingKind.MALFORMED, 1)]
    assert compared(malformed, then) == [(FindingKind.MALFORMED, 1)]


# A restored Orders table beside newer Ledger and Traders tables.


def is_of_orders(row: LedgerRow) -> bool:
    return isinstance(row, Order | OpenBuysRow)


def restored_orders(moved: Callable[[KeptBooks], None]) -> list[LedgerRow]:
    """Return the books after a move, with Orders from before it."""
    books = used_books()
    before = books.rows()
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


def test_what_began_and_ended_since_is_found_by_its_postings() -> None:
    """It holds nothing, but its postings have no order."""

    def moved(books: KeptBooks) -> None:
        place(OrderType.BUY)(books)
        books.complete(books.orders["B7"])

    found_kinds = {kind for _, kind, _ in kinds(restored_orders(moved))}
    assert FindingKind.POSTING_WITHOUT_ORDER in found_kinds
