"""The check of sums: no finding if the books balance, one exact finding for each wrong number."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.check import KindTotal
from orderdesk.domain.ledger.findings import Finding, FindingKind
from orderdesk.domain.ledger.rows import AmountRow, BalanceRow, LedgerRow, account_of
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.unit.ledger.kept_books import (
    MERCHANT,
    OUTSIDE,
    TRADER,
    USDT,
    BooksScan,
    KeptBooks,
    balance_row,
    changed,
    check,
    found,
    kinds,
    trader_row,
    used_books,
)

DEPOSIT = Account(AccountKind.DEPOSIT, "m0", Mode.LIVE)


def test_books_in_order_show_nothing_and_add_up_to_nothing() -> None:
    run = check(BooksScan(used_books().rows()))
    tally, totals = run.tally, run.tally.totals()
    assert (run.found, run.moving, run.number) == ([], [], 1)
    assert (totals.accounts, totals.postings, totals.open_orders) == (5, 8, 3)
    assert sum(t.available_micro + t.held_micro for t in totals.owned.values()) == 0
    assert totals.owned[AccountKind.FUNDING, Mode.LIVE] == KindTotal(1, -2000 * USDT, 0)
    assert list(tally.balances()) == [
        *("deposit:m0:live", "fee:m0:live", "funding::live", "merchant:m0:live", "trader:t0:live")
    ]


@pytest.mark.parametrize("delta", [1, -1, 10**20])
def test_a_false_balance_is_named_with_what_it_should_be(delta: int) -> None:
    rows = used_books().rows()
    row = balance_row(rows, MERCHANT)
    before = row.balance.available_micro
    false = replace(row, balance=replace(row.balance, available_micro=before + delta))
    own = next(f for f in found(changed(rows, row, false)) if f.kind is FindingKind.BALANCE)
    total, key = before + row.balance.held_micro, MERCHANT.key
    assert own == Finding(FindingKind.BALANCE, key, total, total + delta, account=key)


def test_an_open_amount_too_many_or_too_few_is_named() -> None:
    rows = used_books().rows()
    buy = next(
        row
        for row in rows
        if isinstance(row, Order) and row.order_type is OrderType.BUY and row.status.is_open
    )
    reserved = AmountRow(TRADER, frozenset({buy.order_no}))
    unique = changed(rows, buy, replace(buy, unique_amount=True))
    assert found([*unique, reserved]) == []
    wrong = [(unique, 1), ([*rows, reserved], 1), ([*unique, AmountRow(TRADER, frozenset("x"))], 2)]
    for false, count in wrong:
        assert kinds(false) == {(TRADER.key, FindingKind.OPEN_AMOUNTS, count)}


def test_a_wrong_count_of_a_merchants_slots_is_named() -> None:
    rows = used_books().rows()
    row = trader_row(rows)
    counted = changed(rows, row, replace(row, slots=(("m0", 2), ("m7", 0))))
    assert kinds(counted) == {(TRADER.key, FindingKind.OPEN_SLOTS, 1)}
    orders = [order for order in counted if isinstance(order, Order) and order.trader_id]
    for order in [order for order in orders if order.status.is_open][:2]:
        counted = changed(counted, order, replace(order, in_slot=True))
    assert found(counted) == []


def test_wrong_counts_of_open_sells_are_named() -> None:
    rows = used_books().rows()
    row = balance_row(rows, MERCHANT)
    counted = changed(rows, row, replace(row, open_sells=1, open_sell_fen=500_00))
    assert kinds(counted) == {
        (MERCHANT.key, FindingKind.OPEN_SELLS, 1),
        (MERCHANT.key, FindingKind.OPEN_SELL_CNY, 500_00),
    }


def held_too_much(books: KeptBooks) -> list[LedgerRow]:
    rows = books.rows()
    row = balance_row(rows, MERCHANT)
    own = row.balance
    false = replace(row, balance=Balance(own.available_micro - 7, own.held_micro + 7))
    return changed(rows, row, false)


def held_without_an_order(books: KeptBooks) -> list[LedgerRow]:
    books.add(DEPOSIT, -1, 1)
    return books.rows()


def order_given_back(books: KeptBooks) -> list[LedgerRow]:
    order = books.orders["S3"]
    back = replace(order, trader_id=None, status=OrderStatus.MATCHING)
    return changed(books.rows(), order, back)


@pytest.mark.parametrize(
    ("falsify", "named"),
    [
        (held_too_much, {(MERCHANT.key, FindingKind.HELD, 7)}),
        (held_without_an_order, {(DEPOSIT.key, FindingKind.HELD, 1)}),
        (order_given_back, {(TRADER.key, FindingKind.OPEN_ORDERS, 1)}),
    ],
)
def test_what_is_false_is_named(
    falsify: Callable[[KeptBooks], list[LedgerRow]], named: set[tuple[str, FindingKind, int]]
) -> None:
    assert kinds(falsify(used_books())) == named


def test_an_open_order_that_holds_nothing_is_named() -> None:
    books = used_books()
    order = books.orders["S2"]
    micro = order.quote.merchant_actual_micro
    assert kinds(changed(books.rows(), order)) == {(MERCHANT.key, FindingKind.HELD, micro)}


@pytest.mark.parametrize("account", [MERCHANT, TRADER, OUTSIDE], ids=lambda a: a.kind.value)
def test_a_missing_account_is_named(account: Account) -> None:
    rows = used_books().rows()
    row = trader_row(rows) if account is TRADER else balance_row(rows, account)
    named = {d.kind for d in found(changed(rows, row)) if d.key == account.key}
    assert FindingKind.BALANCE in named
    assert (FindingKind.OPEN_ORDERS in named) == (account is TRADER)


@pytest.mark.parametrize("account", [MERCHANT, OUTSIDE], ids=lambda a: a.kind.value)
def test_an_account_that_is_there_twice_is_named(account: Account) -> None:
    rows = used_books().rows()
    again = balance_row(rows, account)
    named = {(d.key, d.kind) for d in found([*rows, again])}
    assert (account.key, FindingKind.BALANCE) in named


@pytest.mark.parametrize("counted", [0, 1, 3])
def test_a_trader_that_counts_other_orders_than_it_has_is_named(counted: int) -> None:
    rows = used_books().rows()
    row = trader_row(rows)
    assert row.open_orders == 2
    assert found(changed(rows, row, replace(row, open_orders=counted))) == [
        Finding(FindingKind.OPEN_ORDERS, TRADER.key, 2, counted, account=TRADER.key)
    ]


def test_a_disputed_sell_counts_with_its_trader() -> None:
    books = used_books()
    order = books.orders["S3"]
    disputed = replace(order, status=OrderStatus.DISPUTED)
    assert found(changed(books.rows(), order, disputed)) == []


def test_nothing_is_negative_but_the_outside() -> None:
    books = KeptBooks()
    books.fund(MERCHANT, 5)
    books.fund(MERCHANT, -8)
    books.add(MERCHANT, 4, -4)
    assert kinds(books.rows()) == {
        (MERCHANT.key, FindingKind.HELD, -4),
        (MERCHANT.key, FindingKind.NEGATIVE_HELD, -4),
    }
    books.add(MERCHANT, -4, 4)
    key = MERCHANT.key
    assert found(books.rows()) == [Finding(FindingKind.NEGATIVE_AVAILABLE, key, 0, -3, account=key)]


@pytest.mark.parametrize("key", ["nobody:m0:live", "merchant:m0", "merchant:m0:both", ""])
def test_what_is_no_account_is_named(key: str) -> None:
    assert account_of(key) is None
    assert (key, FindingKind.UNKNOWN_ACCOUNT) in {
        (d.key, d.kind) for d in found([BalanceRow(key, Balance(3, 0))])
    }
