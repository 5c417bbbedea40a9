"""A trader's device: subscribed at the desk, woken by send-push, on moto or on the stack."""

import json
from typing import Any

from orderdesk.adapters.dynamodb.keys import push_key
from orderdesk.domain.pushes.devices import device_key
from tests.support.trader import TraderVisit
from tests.support.transports import Answer


def push_on(visit: TraderVisit, endpoint: str) -> Answer:
    """Switch a device on, as the desk's script does."""
    return visit.post("/trader/push", form={"endpoint": endpoint})


def push_off(visit: TraderVisit, endpoint: str) -> Answer:
    """Switch it off."""
    return visit.post("/trader/push/off", form={"endpoint": endpoint})


def push_key_shown(visit: TraderVisit) -> str:
    """Give the key that a browser subscribes with."""
    return str(json.loads(visit.get("/trader/push")["body"])["key"])


def endpoints_of(visit: TraderVisit) -> list[str]:
    """Give the endpoints that are stored of a trader."""
    found = visit.seed.get(visit.seed.tables.guards, {"pk": push_key(visit.trader.trader_id)})
    item: dict[str, Any] = found or {"devices": []}
    return [device["endpoint"] for device in item["devices"]]


def push_event(visit: TraderVisit, endpoint: str, until: int, count: int = 1) -> dict[str, Any]:
    """Give the event of a message that wakes a device."""
    push = {"trader_id": visit.trader.trader_id, "device": device_key(endpoint), "until": until}
    record = {
        "messageId": "1",
        "receiptHandle": "handle",
        "body": json.dumps(push),
        "attributes": {"ApproximateReceiveCount": str(count)},
    }
    return {"Records": [record]}
