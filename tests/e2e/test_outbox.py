"""The outbox on the deployed stack: from the commit to the merchant's receiver."""

from tests.infra.roles import without
from tests.support.merchant_client import buy
from tests.support.merchant_receiver import Receiver, add_callback_merchant
from tests.support.payer import Payer
from tests.support.stack_seed import StackSeed
from tests.support.waiting import wait_until


def relay_log(seed: StackSeed) -> list[str]:
    """Return the relay's log lines, oldest first."""
    return seed.stack.function_logs(seed.stack.outputs["RelayEventsFunctionName"])


def refusals(lines: list[str]) -> int:
    """Count the batches that stopped at an event which the queue refused."""
    return sum('"stopped_at":"' in line.replace(" ", "") for line in lines)


def test_an_event_that_the_queue_refuses_is_retried(stack_seed: StackSeed, shop: Receiver) -> None:
    stack_seed.only_trader()
    _, client, _ = add_callback_merchant(stack_seed, shop.url("/late"))
    created = client.create(buy()).data
    with without(stack_seed.stack, "RelayEvents", "SendCallback"):
        before = len(relay_log(stack_seed))
        assert Payer.of_link(stack_seed, created["pay_url"]).post("/paid")["statusCode"] == 303
        wait_until(lambda: refusals(relay_log(stack_seed)[before:]) >= 2)
        assert shop.of("/late") == []
    assert shop.wait_for("/late")[0].webhook_id == f"msg_{created['order_no']}_2"
