"""An operator suspends a trader: its sells return to matching, its buys stay for operators."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import Order, OrderStatus, Receipt
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.traders.trader import TraderSuspended
from orderdesk.services.operator.duty import suspend
from orderdesk.services.orders.assign_sells import Offered
from orderdesk.services.orders.move import add_receipt
from tests.support.money_world import MoneyWorld, Step

FEN = 1000_00


def assigned_to(money: MoneyWorld, which: int, count: int = 1) -> list[str]:
    numbers = [money.create(OrderType.SELL, FEN) for _ in range(count)]
    for number in numbers:
        money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, money.traders[which].trader_id))
    return numbers


def audit_of(money: MoneyWorld, number: str) -> list[Any]:
    world: Any = money.seed
    rows = [row for row in world.items("Audit") if row["target"] == number]
    return sorted(rows, key=lambda row: str(row["sk"]))


def test_every_assigned_sell_goes_back_and_to_the_next_trader(money: MoneyWorld) -> None:
    numbers = assigned_to(money, 0, 3)
    money.now += 1
    suspension = money.suspend(0)
    assert {order.order_no for order in suspension.given_back} == set(numbers)
    assert (suspension.left, suspension.unseen) == ((), 0)
    assert money.trader(0).counts.open_orders == 0
    for number in numbers:
        order = money.order(number)
        assert (order.status, order.trader_id) == (OrderStatus.MATCHING, None)
        assert order.offers.passed_over == (money.traders[0].trader_id,)
        assert order.timeline[-1].by == "operator"
        row = audit_of(money, number)[-1]
        told = (row["action"], row["reason"], row["details"]["trader_id"])
        assert told == ("order.unassign", "its trader was suspended", money.traders[0].trader_id)
    money.check()
    assert money.assign_waiting() == {Offered.ASSIGNED: 3}
    assert {money.order(number).trader_id for number in numbers} == {money.traders[1].trader_id}
    money.check()


def write_suspension(money: MoneyWorld) -> None:
    """Write the suspension of the first trader and die."""
    trader = money.trader(0)
    changed = replace(trader, suspended=True, online=False, version=trader.version + 1)
    money.seed.put_trader(changed)


def test_an_index_that_lags_is_looked_at_again(money: MoneyWorld) -> None:
    [number] = assigned_to(money, 0)
    looks: list[int] = []

    def open_orders(_: str) -> list[Order]:
        looks.append(1)
        return [money.order(number)] if len(looks) > 2 else []

    trader_id = money.traders[0].trader_id
    found = operator_suspend(money, trader_id, SimpleNamespace(open_orders=open_orders))
    assert len(looks) == 3
    assert [order.order_no for order in found.given_back] == [number]
    assert found.unseen == 0


def operator_suspend(money: MoneyWorld, trader_id: str, index: Any) -> Any:
    return suspend(replace(money.command_ports, open_orders=index), trader_id)


def test_what_the_index_never_shows_is_told(money: MoneyWorld) -> None:
    assigned_to(money, 0)
    index: Any = SimpleNamespace(open_orders=lambda _: [])
    found = operator_suspend(money, money.traders[0].trader_id, index)
    assert (found.given_back, found.unseen) == ((), 1)


def test_a_sell_that_has_gone_to_somebody_else_is_left_alone(money: MoneyWorld) -> None:
    [number] = assigned_to(money, 0)
    seen = money.order(number)
    money.do(Step(number, Actor.TRADER, Move.DECLINE, seen.trader_id))
    money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, money.traders[1].trader_id))
    index: Any = SimpleNamespace(open_orders=lambda _: [seen])
    found = operator_suspend(money, money.traders[0].trader_id, index)
    assert found.given_back == ()
    assert money.order(number).trader_id == money.traders[1].trader_id


def test_operators_settle_what_a_suspended_trader_has(money: MoneyWorld) -> None:
    for outcome in (Move.RESOLVE_COMPLETED, Move.RESOLVE_CANCELLED):
        bought = money.create(OrderType.BUY, FEN)
        trader_id = money.order(bought).trader_id
        [which] = [n for n, t in enumerate(money.traders) if t.trader_id == trader_id]
        money.do(Step(bought, Actor.PAYER, Move.PAY))
        [sold] = assigned_to(money, which)
        money.do(Step(sold, Actor.OPERATOR, Move.DISPUTE))
        suspension = money.suspend(which)
        assert {order.order_no for order in suspension.left} == {bought, sold}
        money.do(Step(bought, Actor.OPERATOR, Move.DISPUTE))
        for number in (bought, sold):
            money.do(Step(number, Actor.OPERATOR, outcome))
            money.check()
        assert money.trader(which).counts.open_orders == 0
        money.put_online(which)


def test_its_proof_is_refused(money: MoneyWorld) -> None:
    [number] = assigned_to(money, 0)
    before = money.order(number)
    trader_id = money.traders[0].trader_id

    money.before_commit.then = lambda: write_suspension(money)
    receipt = Receipt("receipts/x", "image/png", 1, money.now)
    with pytest.raises(TraderSuspended):
        add_receipt(before, receipt, By(Actor.TRADER, trader_id), money.moves, money.now)
    assert money.order(number) == before
