"""Concurrent moves on the deployed stack's tables: one succeeds, and the books are correct."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import sample

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from orderdesk.domain.orders.errors import OrderNotFound, StateConflict
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.traders.errors import TraderSuspended
from orderdesk.services.orders.move import move_order
from tests.integration.ledger.money_machine import MoneyMachine
from tests.support.depth import examples
from tests.support.money_world import MoneyWorld, Step
from tests.support.stack_seed import StackSeed

TIMES = examples(budget=30, full=100, search=200)  # enough for each side to win
FEW_TIMES = examples(budget=12, full=100, search=200)  # where nobody has to
FEN = 10_00

type Attempt = Callable[[], Order]


def raced(*attempts: Attempt) -> list[Order | StateConflict]:
    """Make all attempts concurrently, in random order; return orders and conflicts."""

    def outcome(attempt: Attempt) -> Order | StateConflict:
        try:
            return attempt()
        except StateConflict as conflict:
            return conflict

    shuffled = sample(attempts, len(attempts))
    with ThreadPoolExecutor(len(attempts)) as pool:
        return list(pool.map(outcome, shuffled))


def assert_one_won(money: MoneyWorld, number: str, outcomes: list[Order | StateConflict]) -> None:
    """Check that one move succeeded, and that the other's conflict has the new status."""
    [won] = [outcome for outcome in outcomes if isinstance(outcome, Order)]
    [lost] = [outcome for outcome in outcomes if isinstance(outcome, StateConflict)]
    status = money.order(number).status
    assert won.status is status
    assert lost.status == status.value


@pytest.mark.deep
def test_confirm_against_cancel(money: MoneyWorld) -> None:
    won = Counter[OrderStatus]()
    for _ in range(TIMES):
        number = money.create(OrderType.BUY, FEN)
        confirm = Step(number, Actor.TRADER, Move.CONFIRM, money.order(number).trader_id)
        cancel = Step(number, Actor.MERCHANT, Move.CANCEL)
        outcomes = raced(lambda: money.do(confirm), lambda: money.do(cancel))  # noqa: B023
        assert_one_won(money, number, outcomes)
        won[money.order(number).status] += 1
    assert set(won) == {OrderStatus.COMPLETED, OrderStatus.CANCELLED}, "it was a race"


@pytest.mark.deep
def test_a_traders_confirmation_against_an_operators_decision(money: MoneyWorld) -> None:
    """Both complete a disputed order; it is settled once, and the other one learns of it."""
    won = Counter[str]()
    for _ in range(TIMES):
        number = money.create(OrderType.BUY, FEN)
        trader_id = money.order(number).trader_id
        money.do(Step(number, Actor.PAYER, Move.PAY))
        money.do(Step(number, Actor.TRADER, Move.DISPUTE, trader_id))
        confirm = Step(number, Actor.TRADER, Move.CONFIRM, trader_id)
        resolve = Step(number, Actor.OPERATOR, Move.RESOLVE_COMPLETED)
        outcomes = raced(lambda: money.do(confirm), lambda: money.do(resolve))  # noqa: B023
        assert_one_won(money, number, outcomes)
        won[money.order(number).timeline[-1].by] += 1
    assert set(won) == {Actor.TRADER.value, Actor.OPERATOR.value}, "it was a race"
    money.check()


@pytest.mark.deep
def test_expire_against_receipt(money: MoneyWorld) -> None:
    """The sweep's clock is just after the window's end, the payer's just before."""
    money.set_cap(0, None)
    for _ in range(FEW_TIMES):
        number = money.create(OrderType.BUY, FEN)
        end = money.order(number).expire_time
        assert end is not None
        expire = move_at(money, number, Move.EXPIRE, Actor.CLOCK, end)
        pay = move_at(money, number, Move.PAY, Actor.PAYER, end - 1)
        assert_one_won(money, number, raced(expire, pay))


@pytest.mark.deep
def test_assign_against_cancel(money: MoneyWorld) -> None:
    for turn in range(FEW_TIMES):
        number = money.create(OrderType.SELL, FEN)
        trader_id = money.traders[turn % 2].trader_id
        assign = Step(number, Actor.OPERATOR, Move.ASSIGN, trader_id)
        cancel = Step(number, Actor.MERCHANT, Move.CANCEL)
        outcomes = raced(lambda: money.do(assign), lambda: money.do(cancel))  # noqa: B023
        assert_one_won(money, number, outcomes)


def test_two_operators_assign_to_two_traders(money: MoneyWorld) -> None:
    for _ in range(12):
        number = money.create(OrderType.SELL, FEN)
        steps = [Step(number, Actor.OPERATOR, Move.ASSIGN, t.trader_id) for t in money.traders[:2]]
        outcomes = raced(*[lambda step=step: money.do(step) for step in steps])
        assert_one_won(money, number, outcomes)


@pytest.mark.deep
def test_suspension_against_confirmation(money: MoneyWorld) -> None:
    """The trader is paid before the suspension, or not at all."""
    trader_id = money.traders[0].trader_id
    for _ in range(FEW_TIMES):
        money.put_online(0)
        number = money.create(OrderType.SELL, FEN)
        money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, trader_id))
        money.prove(number, trader_id)
        confirm = Step(number, Actor.TRADER, Move.CONFIRM, trader_id)

        def confirmed() -> bool:
            try:
                money.do(confirm)  # noqa: B023
            except (TraderSuspended, OrderNotFound):
                return False
            return True

        with ThreadPoolExecutor(2) as pool:
            suspension, was_confirmed = pool.submit(money.suspend, 0), pool.submit(confirmed)
            given_back = [order.order_no for order in suspension.result().given_back]
        order = money.order(number)
        if was_confirmed.result():
            assert (order.status, given_back) == (OrderStatus.COMPLETED, [])
        else:
            assert (order.status, given_back) == (OrderStatus.MATCHING, [number])
            money.do(Step(number, Actor.MERCHANT, Move.CANCEL))


def test_two_assigners_at_once_assign_each_sell_once(money: MoneyWorld) -> None:
    numbers = [money.create(OrderType.SELL, FEN) for _ in range(30)]
    with ThreadPoolExecutor(2) as pool:
        for run in [pool.submit(money.assign_waiting) for _ in range(2)]:
            run.result()
    money.assign_waiting()
    assert all(money.order(number).sequence == 2 for number in numbers)


@pytest.mark.deep
def test_the_books_under_any_interleaving(stack_seed: StackSeed) -> None:
    class StackMachine(MoneyMachine):
        def __init__(self) -> None:
            super().__init__(lambda: MoneyWorld(stack_seed))

    run_state_machine_as_test(
        StackMachine,
        settings=settings(
            max_examples=examples(budget=1, full=6),
            stateful_step_count=12,
            suppress_health_check=list(HealthCheck),
        ),
    )


def move_at(money: MoneyWorld, number: str, what: Move, actor: Actor, now: int) -> Attempt:
    """Return an attempt to move an order at a time of its actor's clock."""
    return lambda: move_order(number, what, By(actor), money.moves, now)
