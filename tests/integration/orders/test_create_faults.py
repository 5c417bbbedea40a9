"""createOrder when processes die, and when the store conflicts, throttles or does not answer."""

from typing import Any

import pytest

from tests.support.faults import (
    Killed,
    answer_lost,
    answered_with,
    cancelled,
    killed_at,
    refused_with,
)
from tests.support.identities import identity
from tests.support.merchant_client import buy, sell
from tests.support.world import World

WRITE = "TransactWriteItems"
NONE = "None"


def assert_whole(world: World, merchant: Any) -> None:
    """Check that claims, holds, reservations and orders agree."""
    orders: list[Any] = world.items(world.tables.orders, "order")
    buys = [order for order in orders if order["order_type"] == 1]
    sells = [order for order in orders if order["order_type"] == 2]
    traders: list[Any] = world.items(world.tables.traders)
    assert sum(trader["open_orders"] for trader in traders) == len(buys)
    assert sum(trader["held_micro"] for trader in traders) == sum(o["usdt_micro"] for o in buys)
    _, held = world.balance(merchant)
    assert held == sum(order["merchant_actual_micro"] for order in sells)
    reserved = {row.get("order_no") for row in world.items(world.tables.orders, "reservation")}
    numbered = {order["order_no"] for order in orders if "merchant_order_no" in order}
    assert reserved - {None} == numbered


@pytest.mark.parametrize("when", ["before-call", "after-call"])
@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("agreed", [False, True])
@pytest.mark.parametrize("params", [buy(merchant_order_no="K"), sell(merchant_order_no="K")])
def test_a_process_killed_at_any_request_leaves_nothing_half(
    world: World, params: dict[str, Any], number: int, when: str, *, agreed: bool
) -> None:
    merchant, client = world.add_merchant(identity_required=agreed)
    world.fund(merchant, 10**12)
    world.add_trader()
    module = world.cold_start("create_order")
    whole = {**params, **(identity() if agreed else {})}
    died = False
    with killed_at(module, number, when):
        try:
            client.create(whole)
        except Killed:
            died = True
    assert_whole(world, merchant)
    again = client.create(whole)
    assert again.code == 1 or (again.code == 2001 and again.data["order_no"])
    assert len(world.items(world.tables.orders, "order")) == 1
    assert_whole(world, merchant)
    # The requests of a cold call: merchant, rates, (nonce, number, candidates,) query, write.
    assert died or number >= 3


@pytest.mark.parametrize(
    ("params", "conflict"),
    [
        (buy(), cancelled(NONE, NONE, "TransactionConflict", NONE, NONE)),
        (buy(), cancelled(NONE, NONE, NONE, "TransactionConflict", NONE)),
        (sell(), cancelled(NONE, NONE, "TransactionConflict", NONE)),
    ],
)
def test_conflicts_are_tried_again(
    world: World, params: dict[str, Any], conflict: dict[str, Any]
) -> None:
    merchant, client = world.add_merchant()
    world.fund(merchant, 10**12)
    world.add_trader()
    module = world.cold_start("create_order")
    with answered_with(module, WRITE, conflict, times=3) as calls:
        assert client.create(params).code == 1
    assert len(calls) == 4
    assert_whole(world, merchant)


@pytest.mark.parametrize(
    "error",
    [
        cancelled(NONE, NONE, NONE, "TransactionConflict", NONE),
        cancelled(NONE, NONE, "ThrottlingError", NONE, NONE),
        cancelled("ProvisionedThroughputExceeded", NONE, NONE, NONE, NONE),
        refused_with("ThrottlingException"),
        refused_with("ProvisionedThroughputExceededException"),
        refused_with("TransactionInProgressException"),
        refused_with("InternalServerError", 500),
    ],
)
def test_attempts_are_bounded(world: World, error: dict[str, Any]) -> None:
    _, client = world.add_merchant()
    world.add_trader()
    module = world.cold_start("create_order")
    with answered_with(module, WRITE, error, times=1_000) as calls:
        reply = client.create(buy())
    assert (reply.status, reply.code, reply.data) == (503, 5001, {"reason": "try_again"})
    assert reply.headers["retry-after"] == "1"
    assert len(calls) <= 12
    assert world.items(world.tables.orders) == []


@pytest.mark.parametrize("operation", ["GetItem", "Query"])
def test_a_read_that_is_throttled_is_5001(world: World, operation: str) -> None:
    _, client = world.add_merchant()
    world.add_trader()
    module = world.cold_start("create_order")
    with answered_with(module, operation, refused_with("ThrottlingException"), times=9):
        assert client.create(buy()).code == 5001


def test_a_lost_claim_goes_on_with_the_next_trader(world: World) -> None:
    _, client = world.add_merchant()
    traders = [world.add_trader(last_accepted_us=number) for number in (1, 2)]
    module = world.cold_start("create_order")
    lost = cancelled(NONE, NONE, NONE, "ConditionalCheckFailed", NONE)
    with answered_with(module, WRITE, lost, times=1):
        assert client.create(buy()).code == 1
    assert [world.trader(t.trader_id).open_orders for t in traders] == [0, 1]


def test_of_a_full_counter_and_a_lost_claim_the_limit_is_told(world: World) -> None:
    _, client = world.add_merchant()
    world.add_trader()
    module = world.cold_start("create_order")
    both = cancelled(NONE, NONE, "ConditionalCheckFailed", "ConditionalCheckFailed", NONE)
    with answered_with(module, WRITE, both, times=1):
        assert client.create(buy()).code == 2104


def test_when_every_claim_is_lost_nobody_is_available(world: World) -> None:
    _, client = world.add_merchant()
    for _ in range(3):
        world.add_trader()
    module = world.cold_start("create_order")
    lost = cancelled(NONE, NONE, NONE, "ConditionalCheckFailed", NONE)
    with answered_with(module, WRITE, lost, times=100) as calls:
        assert client.create(buy()).code == 2101
    assert len(calls) == 3


def test_a_lost_answer_does_not_meet_its_own_nonce(world: World) -> None:
    """moto ignores ClientRequestToken, so the second write finds the first one's number."""
    merchant, client = world.add_merchant()
    world.add_trader()
    module = world.cold_start("create_order")
    with answer_lost(module, WRITE, times=1):
        reply = client.create(buy(merchant_order_no="L"))
    [order] = world.items(world.tables.orders, "order")
    assert (reply.code, reply.data["order_no"]) == (2001, order["order_no"])
    assert_whole(world, merchant)


def test_a_bug_is_a_5000_that_says_nothing(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    _, client = world.add_merchant()
    module = world.cold_start("create_order")
    with answered_with(module, "Query", refused_with("ValidationException secret"), times=1):
        reply = client.create(buy())
    assert (reply.status, reply.code, reply.data) == (500, 5000, {"reason": "internal_error"})
    log = capsys.readouterr().out
    assert '"level":"ERROR"' in log
    assert '"code":5000' in log
    assert "secret" not in log
