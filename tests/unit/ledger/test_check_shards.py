"""The check of split accounts: sums over shards, holds shard by shard."""

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.ledger.accounts import Balance
from orderdesk.domain.ledger.check import Tally
from orderdesk.domain.ledger.day_report import DayReport, day_of
from orderdesk.domain.ledger.findings import FindingKind
from orderdesk.domain.ledger.rows import BalanceRow, LedgerRow
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from tests.unit.ledger.kept_books import MERCHANT, balance_row, changed, kinds, used_books

SHARDS = 4
LISTED = frozenset(range(1, SHARDS))
THIRD = "merchant:m0#3:live"
DAY = date(2026, 11, 22)


def split(moved: list[int]) -> list[LedgerRow]:
    """Return used books whose merchant's account is split; its sells are on shards 2 and 3.

    `moved` was gathered from shard 0 to the others.
    """
    books = used_books()
    for shard, number in ((2, "S2"), (3, "S3")):
        books.orders[number] = replace(books.orders[number], balance_shard=shard)
    rows = books.rows()
    row = balance_row(rows, MERCHANT)
    held = [0, 0, *(books.orders[n].quote.merchant_actual_micro for n in ("S2", "S3"))]
    assert sum(held) == row.balance.held_micro
    available = [row.balance.available_micro - sum(moved), *moved]
    shards = [
        BalanceRow(MERCHANT.key, Balance(available[n], held[n]), n, frozenset() if n else LISTED)
        for n in range(SHARDS)
    ]
    return changed(rows, row, *shards)


def shard_row(rows: list[LedgerRow], shard: int) -> BalanceRow:
    """Find a shard of the merchant's account."""
    [row] = [
        r
        for r in rows
        if isinstance(r, BalanceRow) and (r.account_key, r.shard) == (MERCHANT.key, shard)
    ]
    return row


@given(
    moved=st.lists(st.integers(0, 10**8), min_size=SHARDS - 1, max_size=SHARDS - 1), data=st.data()
)
def test_gathers_change_nothing_that_is_checked(moved: list[int], data: st.DataObject) -> None:
    rows = data.draw(st.permutations(split(moved)))
    assert kinds(rows) == set()


def test_all_shards_are_one_account_in_the_check_and_in_the_days_report() -> None:
    tally, whole = Tally(), Tally()
    report, whole_report = (DayReport(day_of(DAY)) for _ in range(2))
    for rows, checked, reported in (
        (split([1, 2, 3]), tally, report),
        (used_books().rows(), whole, whole_report),
    ):
        for row in rows:
            checked.add(row)
            if isinstance(row, BalanceRow):
                reported.add(row)
    assert tally.balances() == whole.balances()
    assert tally.totals() == whole.totals()
    assert report.account(MERCHANT) == whole_report.account(MERCHANT)


def test_a_falsified_shard_is_found() -> None:
    rows = split([5, 6, 7])
    row = shard_row(rows, 3)
    more = replace(row, balance=Balance(row.balance.available_micro + 9, row.balance.held_micro))
    assert kinds(changed(rows, row, more)) == {
        (MERCHANT.key, FindingKind.BALANCE, 9),
    }
    assert (MERCHANT.key, FindingKind.BALANCE, -7 - row.balance.held_micro) in kinds(
        changed(rows, row)
    )


def test_a_hold_on_another_shard_than_the_orders_is_found() -> None:
    """The account's sums are right, but the end of the order would fail."""
    rows = split([5, 6, 7])
    two, three = shard_row(rows, 2), shard_row(rows, 3)
    rows = changed(rows, two, replace(two, balance=three.balance))
    rows = changed(rows, three, replace(three, balance=two.balance))
    delta = three.balance.held_micro - two.balance.held_micro
    assert {found for found in kinds(rows) if found[1] is FindingKind.HELD} == {
        ("merchant:m0#2:live", FindingKind.HELD, delta),
        (THIRD, FindingKind.HELD, -delta),
    }


def test_a_shard_below_zero_is_found_although_the_sum_is_not() -> None:
    assert kinds(split([0, 0, -1])) == {(THIRD, FindingKind.NEGATIVE_AVAILABLE, -1)}


def test_a_shard_that_its_account_does_not_list_is_found() -> None:
    """Readers of the balance would miss this shard's amount."""
    rows = split([5, 6, 7])
    first, owned = shard_row(rows, 0), shard_row(rows, 3).balance
    found = kinds(changed(rows, first, replace(first, listed=frozenset({1, 2}))))
    owned_micro = owned.available_micro + owned.held_micro
    assert found == {(THIRD, FindingKind.UNKNOWN_ACCOUNT, owned_micro)}


def test_a_buys_shard_is_where_it_is_credited_not_where_it_holds() -> None:
    rows = split([0, 0, 0])
    [buy] = [
        r
        for r in rows
        if isinstance(r, Order) and r.order_type is OrderType.BUY and r.status.is_open
    ]
    assert kinds(changed(rows, buy, replace(buy, balance_shard=3))) == set()
