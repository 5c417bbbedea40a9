"""Every move with its money, its trader and its timeline."""

import pytest

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.order_errors import OrderNotFound, StateConflict
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.services.orders.assignment_run import Offered
from orderdesk.services.orders.move import move_order
from tests.support.money_world import MoneyWorld, Step

FEN = 1000_00


def test_sells_are_assigned_in_rotation_the_longest_waiting_first(money: MoneyWorld) -> None:
    numbers = []
    for _ in range(4):
        numbers.append(money.create(OrderType.SELL, FEN))
        money.now += 1
    assert money.assign_waiting() == {Offered.ASSIGNED: 4}
    took = [money.order(number).trader_id for number in numbers]
    first, second = (trader.trader_id for trader in money.traders[:2])
    assert took in ([first, second] * 2, [second, first] * 2)
    money.check()


def test_a_sell_is_left_alone_while_it_is_young(money: MoneyWorld) -> None:
    money.create(OrderType.SELL, FEN)
    money.now += 9
    assert money.assign_waiting(after_seconds=10) == {}
    money.now += 1
    assert money.assign_waiting(after_seconds=10) == {Offered.ASSIGNED: 1}


def test_a_test_sell_goes_to_test_traders_only(money: MoneyWorld) -> None:
    number = money.create(OrderType.SELL, FEN, Mode.TEST)
    money.assign_waiting()
    assert money.order(number).trader_id == money.traders[2].trader_id


def test_a_sell_nobody_fits_goes_on_waiting_and_holds_up_no_other(money: MoneyWorld) -> None:
    for trader in money.traders:
        money.seed.client.update_item(
            TableName=money.seed.tables.traders,
            Key={"trader_id": {"S": trader.trader_id}},
            UpdateExpression="SET max_cny_fen = :small",
            ExpressionAttributeValues={":small": {"N": "100000"}},
        )
    big = money.create(OrderType.SELL, FEN * 2)
    money.now += 1
    small = money.create(OrderType.SELL, FEN)
    assert money.assign_waiting() == {Offered.NOBODY_FITS: 1, Offered.ASSIGNED: 1}
    assert money.order(big).status is OrderStatus.MATCHING
    assert money.order(small).status is OrderStatus.ASSIGNED


def test_who_declines_is_passed_over_until_everybody_did(money: MoneyWorld) -> None:
    number = money.create(OrderType.SELL, FEN)
    took = []
    for _ in range(3):
        money.assign_waiting()
        took.append(money.order(number).trader_id)
        money.do(Step(number, Actor.TRADER, Move.DECLINE, took[-1]))
        money.check()
        money.now += 240
    assert took[0] != took[1]
    assert took[2] == took[0], "all have declined: only the last one is passed over"


def test_who_is_alone_is_not_offered_it_again(money: MoneyWorld) -> None:
    number = money.create(OrderType.SELL, FEN, Mode.TEST)
    money.assign_waiting()
    money.do(Step(number, Actor.TRADER, Move.DECLINE, money.traders[2].trader_id))
    assert money.assign_waiting() == {}, "it is offered again after a minute"
    money.now += 60
    assert money.assign_waiting() == {Offered.NOBODY_FITS: 1}


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


def test_who_reads_before_and_writes_after_another_decides_again(money: MoneyWorld) -> None:
    number = money.create(OrderType.BUY, FEN)
    trader_id = money.order(number).trader_id
    money.before_commit.then = lambda: move_order(
        number, Move.CANCEL, By(Actor.MERCHANT), money.moves, money.now
    )
    with pytest.raises(StateConflict, match="cancelled"):
        money.do(Step(number, Actor.TRADER, Move.CONFIRM, trader_id))
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
