"""From the commit to the queue, on the deployed stack: the relay's log names what it has sent."""

import time

import httpx

from tests.infra.roles import without
from tests.support.merchant_client import buy
from tests.support.page_client import post_form, submit_identity
from tests.support.stack_seed import StackSeed

FAILS = "13800000000"
WAIT_SECONDS = 30


def relayed(seed: StackSeed, webhook_id: str, wait_seconds: int = WAIT_SECONDS) -> bool:
    """Wait until the relay has sent an event."""
    function = seed.stack.outputs["RelayEventsFunctionName"]
    deadline = time.monotonic() + wait_seconds
    while not (
        found := any(f'"{webhook_id}"' in line for line in seed.stack.function_logs(function))
    ):
        if time.monotonic() > deadline:
            break
        time.sleep(0.1)
    return found


def test_what_happens_to_orders_and_drafts_is_relayed(stack_seed: StackSeed) -> None:
    stack_seed.only_trader()
    _, client = stack_seed.add_merchant()
    paid, cancelled = (client.create(buy()) for _ in range(2))
    assert post_form(f"{paid.data['pay_url']}/paid").status_code == httpx.codes.SEE_OTHER
    client.cancel(cancelled)
    _, verified = stack_seed.add_merchant(identity_required=True)
    held, locked = (verified.create(buy()).data for _ in range(2))
    submit_identity(held["identity_url"])
    submit_identity(locked["identity_url"], FAILS)
    created = verified.query(pending_no=held["pending_no"]).data["order_no"]
    for number, sequence in (
        (paid.data["order_no"], 2),
        (cancelled.data["order_no"], 2),
        (created, 1),
        (locked["pending_no"], 2),
    ):
        assert relayed(stack_seed, f"msg_{number}_{sequence}")
    assert not relayed(stack_seed, f"msg_{paid.data['order_no']}_1", 0)
    assert not relayed(stack_seed, f"msg_{held['pending_no']}_2", 0)


def test_what_the_queue_refuses_is_relayed_once_it_takes_it(stack_seed: StackSeed) -> None:
    stack_seed.only_trader()
    _, client = stack_seed.add_merchant()
    created = client.create(buy()).data
    webhook_id = f"msg_{created['order_no']}_2"
    with without(stack_seed.stack, "RelayEvents", "SendCallback"):
        assert post_form(f"{created['pay_url']}/paid").status_code == httpx.codes.SEE_OTHER
        assert not relayed(stack_seed, webhook_id, 3)
    assert relayed(stack_seed, webhook_id)
