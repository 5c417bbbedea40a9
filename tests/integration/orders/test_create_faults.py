"""createOrder when the store keeps refusing; deaths and lost answers are in integration/races."""

from typing import Any

import pytest

from tests.support.faults import answered_with, cancelled, refused_with
from tests.support.merchant_client import buy
from tests.support.world import World

WRITE = "TransactWriteItems"
NONE = "None"


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
    assert [world.trader(t.trader_id).counts.open_orders for t in traders] == [0, 1]


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
