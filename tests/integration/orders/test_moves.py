"""Every move with its money, its trader and its timeline."""

import pytest

from orderdesk.domain.orders.order_errors import OrderNotFound, StateConflict
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from tests.support.money_world import MoneyWorld, Step

FEN = 1000_00


def test_a_paid_order_nobody_confirms_is_disputed_after_a_day(money: MoneyWorld) -> None:
    number = money.create(OrderType.BUY, FEN)
    money.do(Step(number, Actor.PAYER, Move.PAY))
    money.now += 86_399
    assert money.sweep() == {}
    money.now += 1
    assert money.sweep() == {"orders_disputed": 1}
    assert money.order(number).timeline[-1].by == "clock"
    assert money.sweep() == {}
    money.check()


def test_a_proof_is_kept_for_the_traders_assignment_only(money: MoneyWorld) -> None:
    number = money.create(OrderType.SELL, FEN)
    with pytest.raises(OrderNotFound):
        money.prove(number, money.traders[0].trader_id)
    money.assign_waiting()
    trader_id = money.order(number).trader_id
    assert len(money.prove(number, trader_id).receipts) == 1
    assert money.prove(number, trader_id) == money.order(number)
    with pytest.raises(StateConflict, match="assigned"):
        money.do(Step(number, Actor.TRADER, Move.DECLINE, trader_id))
    other = money.create(OrderType.SELL, FEN)
    money.assign_waiting()
    trader_id = money.order(other).trader_id
    money.do(Step(other, Actor.TRADER, Move.DECLINE, trader_id))
    with pytest.raises(OrderNotFound):
        money.prove(other, trader_id, "late")


def test_an_unanswered_assignment_lapses_and_passes_over(money: MoneyWorld) -> None:
    number = money.create(OrderType.SELL, FEN)
    money.assign_waiting()
    first = money.order(number).trader_id
    money.now += 1799
    assert money.sweep() == {}
    money.now += 1
    assert money.sweep() == {"assignments_lapsed": 1}
    money.check()
    money.assign_waiting()
    assert money.order(number).trader_id not in {first, None}
    money.check()


def test_a_sell_with_a_proof_is_not_paid_by_a_second_trader(money: MoneyWorld) -> None:
    number = money.create(OrderType.SELL, FEN)
    money.assign_waiting()
    first = money.order(number).trader_id
    money.now += 1795
    money.prove(number, first)
    money.now += 5
    assert money.sweep() == {"orders_disputed": 1}
    assert money.assign_waiting() == {}
    order = money.order(number)
    assert (order.status, order.trader_id, len(order.receipts)) == ("disputed", first, 1)
    assert order.timeline[-1].by == "clock"
    money.check()
