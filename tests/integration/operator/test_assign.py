"""An operator assigns a sell: the traders that may receive it, and concurrent writers."""

from typing import Any

import pytest

from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import TraderDoesNotFit, UnknownId
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.order_errors import StateConflict
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.matching import Misfit
from orderdesk.services.operator.duty import Duty, set_duty
from orderdesk.services.operator.moves import assign
from tests.support.market import FUNDS, SELL_MERCHANT, Market
from tests.support.money_world import Interruption

WINDOW = 1200


def test_a_sell_goes_to_a_trader_for_so_long(market: Market) -> None:
    order_no = market.sell()
    order = assign(
        order_no, market.trader_id, market.ports, window_seconds=WINDOW, reason="by phone"
    )
    assert (order.status, order.trader_id) == (OrderStatus.ASSIGNED, market.trader_id)
    assert order.expire_time == order.since + WINDOW
    assert market.order(order_no) == order
    trader = market.world.trader(market.trader_id)
    assert (trader.counts.open_orders, trader.used_on(trading_day(order.since))) == (1, 1000_00)
    assert market.trader_money() == (FUNDS, 0, 1)
    assert market.merchant_money() == (FUNDS - SELL_MERCHANT, SELL_MERCHANT)
    [row] = market.audit()
    assert (row["action"], row["target"], row["reason"]) == ("order.assign", order_no, "by phone")
    way = {"from": "matching", "to": "assigned", "trader_id": market.trader_id}
    assert row["details"] == way


def test_assigning_again_is_a_success_to_the_same_trader_only(market: Market) -> None:
    order_no = market.sell()
    first = assign(order_no, market.trader_id, market.ports, window_seconds=WINDOW)
    before = market.everything()
    assert assign(order_no, market.trader_id, market.ports, window_seconds=WINDOW) == first
    other = market.world.add_trader(online=False)
    with pytest.raises(StateConflict, match="assigned"):
        assign(order_no, other.trader_id, market.ports, window_seconds=WINDOW)
    market.world.client.delete_item(TableName="Traders", Key={"trader_id": {"S": other.trader_id}})
    assert market.everything() == before


def test_a_sell_given_back_goes_to_whom_the_operator_says(market: Market) -> None:
    order_no = market.sell()
    for _ in range(2):
        assign(order_no, market.trader_id, market.ports, window_seconds=WINDOW)
        market.move(order_no, Move.DECLINE, Actor.TRADER)
        assert market.trader_money() == (FUNDS, 0, 0)
    assert len(market.audit()) == 2
    assert market.order(order_no).offers.passed_over == (market.trader_id,)


def test_an_offline_trader_is_assigned_too(market: Market) -> None:
    set_duty(market.office.traders, market.office.operator, market.trader_id, Duty.OFFLINE)
    order = assign(market.sell(), market.trader_id, market.ports, window_seconds=WINDOW)
    assert order.trader_id == market.trader_id


MISFITS: list[tuple[dict[str, Any], list[Misfit]]] = [
    ({"suspended": True, "online": False}, [Misfit.SUSPENDED]),
    ({"min_cny_fen": 1000_01}, [Misfit.RANGE]),
    ({"max_open": 2, "open_orders": 2}, [Misfit.OPEN_ORDERS]),
    ({"daily_cap_fen": 1999_99, "daily_used_fen": 1000_00}, [Misfit.DAILY_CAP]),
    ({"mode": Mode.TEST, "methods": ()}, [Misfit.MODE, Misfit.METHOD]),
]


def test_a_trader_it_does_not_fit_is_refused_with_every_reason(market: Market) -> None:
    order_no = market.sell()
    today = trading_day(market.office.operator.now())
    traders = [market.world.add_trader(daily_day=today, **changes) for changes, _ in MISFITS]
    before = market.everything()
    for trader, (_, misfits) in zip(traders, MISFITS, strict=True):
        with pytest.raises(TraderDoesNotFit) as refused:
            assign(order_no, trader.trader_id, market.ports, window_seconds=WINDOW)
        assert refused.value.misfits == tuple(misfit.value for misfit in misfits)
    assert market.everything() == before


def test_an_unknown_trader(market: Market) -> None:
    order_no = market.sell()
    with pytest.raises(UnknownId, match="no such trader: tnobody"):
        assign(order_no, "tnobody", market.ports, window_seconds=WINDOW)
    assert market.audit() == []


def test_a_buy_that_takes_the_trader_meanwhile_loses_nothing(market: Market) -> None:
    order_no = market.sell()
    raced = Interruption(market.office.traders, "trader", after=True)
    raced.then = market.buy
    assign(order_no, market.trader_id, market.ports, window_seconds=WINDOW)
    assert raced.calls == 2
    assert market.world.trader(market.trader_id).counts.open_orders == 2
    assert len(market.audit()) == 1


def test_what_changes_meanwhile_is_looked_at_again(market: Market) -> None:
    order_no = market.sell()
    office, raced = market.office, Interruption(market.office.traders, "trader", after=True)
    raced.then = lambda: set_duty(office.traders, office.operator, market.trader_id, Duty.SUSPENDED)
    with pytest.raises(TraderDoesNotFit, match="suspended"):
        assign(order_no, market.trader_id, market.ports, window_seconds=WINDOW)
    other = market.world.add_trader().trader_id
    raced.then = lambda: market.move(order_no, Move.CANCEL, Actor.MERCHANT)
    with pytest.raises(StateConflict, match="cancelled"):
        assign(order_no, other, market.ports, window_seconds=WINDOW)
    assert market.world.trader(other).counts.open_orders == 0
    assert market.audit() == []
