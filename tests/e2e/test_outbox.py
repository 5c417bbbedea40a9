"""From the commit to the queue, on the deployed stack: the relay's log names what it has sent."""

from tests.infra.roles import without
from tests.support.identity_client import submit_identity
from tests.support.merchant_client import buy
from tests.support.payer import Payer
from tests.support.stack_seed import StackSeed
from tests.support.waiting import wait_until

FAILS = "13800000000"


def relayed(seed: StackSeed, webhook_id: str) -> bool:
    """Tell whether the relay has sent an event."""
    return any(f'"{webhook_id}"' in line for line in relay_log(seed))


def relay_log(seed: StackSeed) -> list[str]:
    """Give what the relay has logged, oldest first."""
    return seed.stack.function_logs(seed.stack.outputs["RelayEventsFunctionName"])


def refusals(lines: list[str]) -> int:
    """Count the batches that stopped at an event which the queue did not take."""
    return sum('"stopped_at":"' in line.replace(" ", "") for line in lines)


def test_what_happens_to_orders_and_drafts_is_relayed(stack_seed: StackSeed) -> None:
    stack_seed.only_trader()
    _, client = stack_seed.add_merchant()
    paid, cancelled = (client.create(buy()) for _ in range(2))
    assert Payer.of_link(stack_seed, paid.data["pay_url"]).post("/paid")["statusCode"] == 303
    client.cancel(cancelled)
    _, verified = stack_seed.add_merchant(identity_required=True)
    held, locked = (verified.create(buy()).data for _ in range(2))
    submit_identity(held["identity_url"])
    submit_identity(locked["identity_url"], FAILS)
    created = verified.query(pending_no=held["pending_no"]).data["order_no"]
    events = (
        f"msg_{paid.data['order_no']}_2",
        f"msg_{cancelled.data['order_no']}_2",
        f"msg_{created}_1",
        f"msg_{locked['pending_no']}_2",
    )
    wait_until(lambda: all(relayed(stack_seed, event) for event in events))
    assert not relayed(stack_seed, f"msg_{paid.data['order_no']}_1")
    assert not relayed(stack_seed, f"msg_{held['pending_no']}_2")


def test_what_the_queue_refuses_is_relayed_once_it_takes_it(stack_seed: StackSeed) -> None:
    stack_seed.only_trader()
    _, client = stack_seed.add_merchant()
    created = client.create(buy()).data
    webhook_id = f"msg_{created['order_no']}_2"
    with without(stack_seed.stack, "RelayEvents", "SendCallback"):
        before = len(relay_log(stack_seed))
        assert Payer.of_link(stack_seed, created["pay_url"]).post("/paid")["statusCode"] == 303
        wait_until(lambda: refusals(relay_log(stack_seed)[before:]) >= 2)
        assert not relayed(stack_seed, webhook_id)
    wait_until(lambda: relayed(stack_seed, webhook_id))
