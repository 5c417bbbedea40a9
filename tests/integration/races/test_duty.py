"""A trader's duty, suspension and limits against its orders: the second one sees the first."""

from collections.abc import Callable
from functools import partial

import pytest

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.traders.terms import TraderTermsChange
from orderdesk.services.operator.duty import Suspension
from orderdesk.services.operator.traders import set_trader_terms
from tests.integration.races.calls import creation, off_duty
from tests.support.depth import examples
from tests.support.money_world import MoneyWorld, Step
from tests.support.schedule import Cases, Outcomes, Stage, kinds_of

BUY, SELL = OrderType.BUY, OrderType.SELL
FEN = 1000_00
RANGE: TraderTermsChange = {"max_cny_fen": FEN - 1}
DAILY: TraderTermsChange = {"daily_cap_fen": FEN - 1}


def set_terms(money: MoneyWorld, change: TraderTermsChange) -> object:
    trader_id = money.traders[0].trader_id
    return set_trader_terms(money.command_ports, trader_id, change)


CHANGES: dict[str, Callable[[MoneyWorld], object]] = {
    "offline": lambda money: off_duty(money, 0),
    "suspended": lambda money: money.suspend(0),
    "a cap of open orders": lambda money: money.set_cap(0, 1),
    "a range of amounts": lambda money: set_terms(money, RANGE),
    "a daily cap": lambda money: set_terms(money, DAILY),
    "unique amounts": lambda money: money.set_unique_amounts(0, unique=True),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_buy_against_a_change_of_its_trader(money: MoneyWorld, stage: Stage, change: str) -> None:
    """The trader has an open order of the same amount; no other one can take the buy."""
    off_duty(money, 1)
    money.create(BUY, FEN, merchant=1)

    def end_of(outcomes: Outcomes) -> str:
        trader = money.trader(0)
        counts = trader.counts
        return f"{kinds_of(outcomes)} {counts.open_orders} {counts.held_micro} {trader.version}"

    cases: Cases = {"buy": creation(money, BUY), "change": partial(CHANGES[change], money)}
    assert stage.serial(lambda: cases, lambda _: money.check(), end_of) > 1


@pytest.mark.parametrize("change", ["offline", "suspended", "a cap of open orders"])
def test_an_assignment_against_a_change_of_its_trader(
    money: MoneyWorld, stage: Stage, change: str
) -> None:
    number, other = money.create(SELL, FEN), money.create(BUY, FEN)
    trader_id = money.traders[0].trader_id
    assert money.order(other).trader_id is not None
    assign = Step(number, Actor.OPERATOR, Move.ASSIGN, trader_id)

    def check(outcomes: Outcomes) -> None:
        money.check()
        order = money.order(number)
        if change == "suspended":
            assert order.status is OrderStatus.MATCHING, "assigned, it was given back"

    cases: Cases = {"assign": partial(money.do, assign), "change": partial(CHANGES[change], money)}
    assert stage.every_order(lambda: cases, check) > 1


def test_a_confirmation_against_a_suspension(money: MoneyWorld, stage: Stage) -> None:
    """The trader is paid before the suspension, or an operator decides on its proof."""
    number, trader_id = money.create(SELL, FEN), money.traders[0].trader_id
    money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, trader_id))
    money.prove(number, trader_id)
    confirm = Step(number, Actor.TRADER, Move.CONFIRM, trader_id)
    seen = set[OrderStatus]()

    def check(outcomes: Outcomes) -> None:
        money.check()
        status, suspension = money.order(number).status, outcomes["suspend"]
        assert isinstance(suspension, Suspension)
        seen.add(status)
        given_back = [order.order_no for order in suspension.given_back]
        is_paid = not isinstance(outcomes["confirm"], Exception)
        assert status is (OrderStatus.COMPLETED if is_paid else OrderStatus.DISPUTED)
        assert given_back == []

    cases: Cases = {"confirm": partial(money.do, confirm), "suspend": partial(money.suspend, 0)}
    stage.every_order(lambda: cases, check)
    assert seen == {OrderStatus.COMPLETED, OrderStatus.DISPUTED}


@pytest.mark.deep
def test_two_assigners_assign_each_sell_once(money: MoneyWorld, stage: Stage) -> None:
    numbers = [money.create(SELL, FEN + place) for place in range(3)]

    def check(_: Outcomes) -> None:
        money.assign_waiting()
        assert all(money.order(number).sequence == 2 for number in numbers)
        money.check()

    cases: Cases = dict.fromkeys(("a", "b"), money.assign_waiting)
    stage.drawn(lambda: cases, check, examples(full=60), faulty=False)
