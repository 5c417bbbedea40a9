"""A process killed at any request of a move has made the move or not, never half of it."""

import pytest

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from tests.support.faults import Killed, answered_with, cancelled, killed_at
from tests.support.money_world import MoneyWorld, Step
from tests.support.order_table import TABLE, WAYS
from tests.support.world import World

BUY, SELL = OrderType.BUY, OrderType.SELL
S = OrderStatus
CASES = [(kind, status, *pair) for (kind, status), row in TABLE.items() for pair in row]
# The most requests of a move: read the order, the trader or the rotation, the order; write.
REQUESTS_MOST = 5


def walk_to(money: MoneyWorld, kind: OrderType, status: OrderStatus) -> str:
    """Create an order and bring it to a status; a sell has a proof."""
    number = money.create(kind, 1000_00)
    for actor, what in WAYS[kind, status]:
        if what is Move.EXPIRE:
            money.now += 900
        money.do(step_of(money, number, actor, what))
    if status is S.ASSIGNED:
        money.prove(number, money.order(number).trader_id)
    # Waiting times are over, but the order is not overdue.
    money.now += 0 if status is S.PENDING else 86_400
    return number


def step_of(money: MoneyWorld, number: str, actor: Actor, what: Move) -> Step:
    """Return a step of the order's trader, or of the first one."""
    trader_id = money.order(number).trader_id or money.traders[0].trader_id
    return Step(number, actor, what, trader_id)


@pytest.mark.parametrize("when", ["before-call", "after-call"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
def test_killed_at_each_request(
    world: World, case: tuple[OrderType, OrderStatus, Actor, Move], when: str
) -> None:
    kind, status, actor, what = case
    money = MoneyWorld(world)
    target = TABLE[kind, status][actor, what][0]
    number = walk_to(money, kind, status)
    if what is Move.EXPIRE:
        money.now += 900
    if what is Move.PAY_LATE:
        money.now -= 1  # the last second in which a receipt is taken
    step = step_of(money, number, actor, what)
    for request in range(REQUESTS_MOST + 1):
        before = money.order(number)
        try:
            with killed_at(world, request, when):
                money.do(step)
        except Killed:
            after = money.order(number)
            assert after == before or after.status is target
            money.check()
        else:
            break
    assert request >= 2, "at least a read and the write were killed"
    assert money.do(step).status is target
    assert [entry.status for entry in money.order(number).timeline].count(target) == (
        2 if target is S.MATCHING else 1
    )
    money.check()


def test_a_settlement_that_conflicts_is_tried_again(world: World) -> None:
    money = MoneyWorld(world)
    money.suspend(1)  # so that the trader has no unique amounts
    number = walk_to(money, BUY, S.PAID)
    # The order, its counter, four balances, four postings: reasons are read by position.
    conflict = cancelled(*["None"] * 2, "TransactionConflict", *["None"] * 7)
    with answered_with(world, "TransactWriteItems", conflict, times=3) as calls:
        done = money.do(step_of(money, number, Actor.TRADER, Move.CONFIRM))
    assert (done.status, len(calls)) == (S.COMPLETED, 4)
    money.check()
