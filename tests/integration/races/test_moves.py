"""Moves of one order that meet, die and lose answers: each is made once or not at all."""

from collections.abc import Callable
from functools import partial
from itertools import combinations_with_replacement

import pytest

from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.services.orders.move import move_order
from tests.support.depth import examples
from tests.support.money_world import MoneyWorld, Step
from tests.support.order_table import CASES, WAYS, WINDOW, Case
from tests.support.schedule import DIED, Cases, Fault, Outcomes, Stage

SELL = OrderType.SELL
S = OrderStatus
STATES = list(dict.fromkeys((case.kind, case.status, case.proven) for case in CASES))
# Of so many pairs and moves, `make test` tries one; the slow tier tries all.
ONE_OF = examples(budget=6, full=1)
# With these a move is made, as if nothing had happened.
HARMLESS = (Fault.LOST, Fault.CONFLICT, Fault.LATE)


def walk_to(money: MoneyWorld, kind: OrderType, status: OrderStatus, *, proven: bool) -> str:
    """Create an order and bring it to a status, an assigned sell also with a proof."""
    number = money.create(kind, 1000_00)
    for actor, what in WAYS[kind, status]:
        if what is Move.EXPIRE:
            money.now += 900
        money.do(step_of(money, number, actor, what))
    if proven:
        money.prove(number, money.order(number).trader_id)
    # Waiting times are over, but a buy is not overdue, and a late receipt is still taken.
    money.now += {S.PENDING: 0, S.EXPIRED: 86_399}.get(status, 86_400)
    return number


def step_of(money: MoneyWorld, number: str, actor: Actor, what: Move) -> Step:
    """Return a step of the order's trader, or of the first one."""
    trader_id = money.order(number).trader_id or money.traders[0].trader_id
    return Step(number, actor, what, trader_id)


def attempt(money: MoneyWorld, number: str, case: Case) -> Callable[[], object]:
    """Return an attempt to move an order; the sweep's clock is at the window's end."""
    order, step = money.order(number), step_of(money, number, case.actor, case.what)
    if case.wait != WINDOW:
        return lambda: money.do(step)
    end = max(money.now, order.expire_time or 0)
    return lambda: move_order(number, step.what, By(step.actor), money.moves, end)


@pytest.mark.deep
@pytest.mark.parametrize("state", STATES, ids=lambda state: "-".join(map(str, state)))
def test_two_moves_end_as_one_after_the_other(
    money: MoneyWorld, stage: Stage, state: tuple[OrderType, OrderStatus, bool]
) -> None:
    kind, status, proven = state
    number = walk_to(money, kind, status, proven=proven)
    cases = [case for case in CASES if (case.kind, case.status, case.proven) == state]
    calls = {f"{case.actor}-{case.what}": attempt(money, number, case) for case in cases}
    if status is S.ASSIGNED:
        calls["trader-prove"] = partial(money.prove, number, money.order(number).trader_id, "new")
    if status is S.MATCHING:
        other = Step(number, Actor.OPERATOR, Move.ASSIGN, money.traders[1].trader_id)
        calls["operator-assign-other"] = partial(money.do, other)
    for one, two in [*combinations_with_replacement(calls, 2)][::ONE_OF]:
        pair: Cases = {f"a-{one}": calls[one], f"b-{two}": calls[two]}
        assert stage.serial(partial(dict, pair)) > 1


@pytest.mark.deep
@pytest.mark.parametrize("case", CASES[::ONE_OF], ids=lambda case: "-".join(map(str, case[:5])))
def test_a_move_survives_each_fault(money: MoneyWorld, stage: Stage, case: Case) -> None:
    target = case.target
    number = walk_to(money, case.kind, case.status, proven=case.proven)
    before, move = money.order(number), attempt(money, number, case)

    def check(outcomes: Outcomes) -> None:
        after = money.order(number)
        assert after == before or after.status is target
        if after == before:
            assert outcomes["move"] is DIED or isinstance(outcomes["move"], Exception)
        move()
        assert [entry.status for entry in money.order(number).timeline].count(target) == (
            2 if target is S.MATCHING else 1
        )
        assert money.order(number).status is target
        money.check()

    def succeeds(outcomes: Outcomes) -> None:
        assert not isinstance(outcomes["move"], Exception)
        assert money.order(number).status is target

    begin = partial(dict[str, Callable[[], object]], {"move": move})
    assert stage.every_fault(begin, check) >= 2, "a read and the write"
    stage.every_fault(begin, succeeds, HARMLESS)
