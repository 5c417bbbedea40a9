"""Operators' moves of orders, and their postings (contract section 6)."""

from collections.abc import Callable

import pytest

from orderdesk.domain.ledger.accounts import AccountKind
from orderdesk.domain.operators import TraderCannotCover
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.services.operator.moves import Resolution, assign, cancel, dispute, resolve
from tests.support.market import (
    BUY_DEPOSIT,
    BUY_FEE,
    BUY_MERCHANT,
    BUY_USDT,
    FUNDS,
    SELL_FEE,
    SELL_MERCHANT,
    SELL_USDT,
    Market,
)

S = OrderStatus
WHY = "the bank says so"
HELD = (FUNDS - BUY_USDT, BUY_USDT, 1)


def assert_audited(
    market: Market, action: str, order_no: str, way: dict[str, str], reason: str = WHY
) -> None:
    """Check that the newest audit entry is this one, and the only one with this action."""
    row = market.audit()[-1]
    assert (row["action"], row["target"], row["reason"]) == (action, order_no, reason)
    assert row["details"] == way
    assert row["who"] == market.office.operator.who
    assert [row["action"] for row in market.audit()].count(action) == 1


def test_a_waiting_sell_is_cancelled_and_its_usdt_released(market: Market) -> None:
    order_no = market.sell()
    assert market.merchant_money() == (FUNDS - SELL_MERCHANT, SELL_MERCHANT)
    for _ in range(2):  # a repeat succeeds and changes nothing
        assert cancel(order_no, market.ports, reason=WHY).status is S.CANCELLED
        assert market.merchant_money() == (FUNDS, 0)
        assert_audited(market, "order.cancel", order_no, {"from": "matching", "to": "cancelled"})
    assert market.postings(order_no) == []
    market.check_books()


@pytest.mark.parametrize("outcome", [S.COMPLETED, S.CANCELLED])
def test_a_sell_is_assigned_disputed_and_resolved(market: Market, outcome: Resolution) -> None:
    order_no = market.sell()
    assign(order_no, market.trader_id, market.ports, window_seconds=60)
    assert market.trader_money() == (FUNDS, 0, 1)
    for _ in range(2):
        assert dispute(order_no, market.ports, reason=WHY).status is S.DISPUTED
        assert market.merchant_money() == (FUNDS - SELL_MERCHANT, SELL_MERCHANT)
        assert market.trader_money() == (FUNDS, 0, 1)
        assert_audited(market, "order.dispute", order_no, {"from": "assigned", "to": "disputed"})
    for _ in range(2):
        resolved = resolve(order_no, outcome, market.ports, reason=WHY)
        assert [entry.by for entry in resolved.timeline[1:]] == ["operator"] * 3
        way = {"from": "disputed", "to": outcome.value, "outcome": outcome.value}
        assert_audited(market, "order.resolve", order_no, way)
    paid = outcome is S.COMPLETED
    assert market.merchant_money() == (FUNDS - SELL_MERCHANT if paid else FUNDS, 0)
    assert market.trader_money() == (FUNDS + SELL_USDT if paid else FUNDS, 0, 0)
    assert market.owned(AccountKind.FEE) == (SELL_FEE if paid else 0)
    assert market.postings(order_no) == ([-SELL_MERCHANT, SELL_FEE, SELL_USDT] if paid else [])
    market.check_books()


@pytest.mark.parametrize("outcome", [S.COMPLETED, S.CANCELLED])
def test_a_buy_that_its_trader_disputes_is_resolved(market: Market, outcome: Resolution) -> None:
    order_no = market.disputed_buy()
    assert market.trader_money() == HELD
    for _ in range(2):
        assert resolve(order_no, outcome, market.ports, reason=WHY).status is outcome
        way = {"from": "disputed", "to": outcome.value, "outcome": outcome.value}
        assert_audited(market, "order.resolve", order_no, way)
    paid = outcome is S.COMPLETED
    assert market.trader_money() == (FUNDS - BUY_USDT if paid else FUNDS, 0, 0)
    assert market.merchant_money() == (FUNDS + BUY_MERCHANT if paid else FUNDS, 0)
    assert market.owned(AccountKind.DEPOSIT) == (BUY_DEPOSIT if paid else 0)
    assert market.owned(AccountKind.FEE) == (BUY_FEE if paid else 0)
    posted = [-BUY_USDT, BUY_FEE, BUY_DEPOSIT, BUY_MERCHANT]
    assert market.postings(order_no) == (posted if paid else [])
    market.check_books()


def expired_and_swept(market: Market) -> str:
    order_no = expired(market)
    market.move(order_no, Move.EXPIRE, Actor.CLOCK)
    return order_no


def expired(market: Market) -> str:
    return market.overdue_buy()


def cancelled(market: Market) -> str:
    order_no = market.buy()
    market.move(order_no, Move.CANCEL, Actor.MERCHANT)
    return order_no


@pytest.mark.parametrize("gone", [expired, expired_and_swept, cancelled])
@pytest.mark.parametrize("outcome", [S.COMPLETED, S.CANCELLED])
def test_a_late_payment_is_held_again_and_resolved(
    market: Market, gone: Callable[[Market], str], outcome: Resolution
) -> None:
    order_no = gone(market)
    for _ in range(2):
        assert dispute(order_no, market.ports, reason=WHY).status is S.DISPUTED
        assert market.trader_money() == HELD
        way = {"from": "cancelled" if gone is cancelled else "expired", "to": "disputed"}
        assert_audited(market, "order.dispute", order_no, way)
    resolve(order_no, outcome, market.ports, reason=WHY)
    paid = outcome is S.COMPLETED
    assert market.trader_money() == (FUNDS - BUY_USDT if paid else FUNDS, 0, 0)
    assert market.merchant_money() == (FUNDS + BUY_MERCHANT if paid else FUNDS, 0)
    market.check_books()


@pytest.mark.parametrize("gone", [expired_and_swept, cancelled])
def test_a_late_payment_needs_the_traders_usdt(
    market: Market, gone: Callable[[Market], str]
) -> None:
    order_no = gone(market)
    market.buy(cny_amount="7000.00")  # 967.385295 USDT of 1000
    before = market.everything()
    with pytest.raises(TraderCannotCover, match=r"138\.197899 USDT.*fund the trader"):
        dispute(order_no, market.ports, reason=WHY)
    assert market.everything() == before
