"""The assigner of the deployed stack, when a test wants it."""

import time
from typing import Any

from orderdesk.adapters.dynamodb.keys import matching_key
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.orders.reads import WaitingSellIndex
from orderdesk.domain.modes import Mode
from tests.support.stack_seed import StackSeed


def assign(seed: StackSeed, order_no: str) -> None:
    """Let a sell have waited, and run the assigner: it has its trader now."""
    let_wait(seed, order_no)
    seed.assign_sells()
    after: Any = seed.get(seed.tables.orders, {"pk": order_no})
    assert after["status"] == "assigned"


def let_wait(seed: StackSeed, order_no: str) -> None:
    """Let a sell have waited long enough, and no other one of an earlier test."""
    index = WaitingSellIndex(seed.client, seed.tables.orders)
    until = int(time.time()) + 1
    for other in (sell for mode in Mode for sell in index.waiting(mode, until)):
        seed.client.update_item(
            TableName=seed.tables.orders,
            Key=to_item({"pk": other.order_no}),
            UpdateExpression="REMOVE due_key",
        )
    item: Any = seed.get(seed.tables.orders, {"pk": order_no})
    timeline = [*item["timeline"][:-1], {**item["timeline"][-1], "time": 1}]
    waiting: Item = {
        "timeline": timeline,
        "due_time": 1,
        "due_key": matching_key(Mode(item["mode"]), 0),
    }
    item.pop("next_offer_time", None)  # an earlier run may have put it off
    seed.put(seed.tables.orders, {**item, **waiting})
