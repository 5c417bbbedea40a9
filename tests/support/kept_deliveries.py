"""Deliveries on record, as send-callback leaves them."""

import secrets
import time
from dataclasses import replace
from typing import Any

from orderdesk.adapters.dynamodb.callbacks import delivery_item
from orderdesk.domain.callbacks.delivery import Delivery, DeliveryState, KeptAttempt
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackType
from orderdesk.domain.merchants.merchant import Merchant
from tests.support.seed import Seed

REFUSED = KeptAttempt(at_ms=1_763_700_000_500, status=500, latency_ms=34, failure=None, answer="no")
UNREACHED = KeptAttempt(1_763_700_005_000, None, 10_000, "timeout", "")


def keep_delivery(
    seed: Seed,
    merchant: Merchant,
    number: str | None = None,
    *,
    sequence: int = 2,
    timestamp: int | None = None,
    **changes: Any,
) -> Delivery:
    """Put the record of a merchant's callback; it was tried twice and is dead."""
    number = number or f"B20251121{secrets.randbelow(10**16):016d}"
    event = CallbackEvent(
        webhook_id=f"msg_{number}_{sequence}",
        type=CallbackType.ORDER_PAID,
        merchant_id=merchant.merchant_id,
        number=number,
        sequence=sequence,
        timestamp=int(time.time()) if timestamp is None else timestamp,
        callback_url=None,
        body='{"type":"order.paid","timestamp":1,"data":{}}',
    )
    delivery = Delivery(
        event=event,
        state=DeliveryState.DEAD,
        updated_ms=time.time_ns() // 10**6,
        version=2,
        tries=2,
        url="https://shop.example/",
        attempts=(REFUSED, UNREACHED),
    )
    delivery = replace(delivery, **changes)
    seed.put(seed.tables.callbacks, _stored(delivery_item(delivery, 90)))
    return delivery


def _stored(item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if value is not None}
