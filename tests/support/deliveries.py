"""Fakes of the ports that deliver callbacks, and stored deliveries."""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from orderdesk.adapters.dynamodb.callbacks import delivery_item
from orderdesk.domain.callbacks.delivery import Attempt, Delivery, DeliveryState, KeptAttempt
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackReference, CallbackType
from orderdesk.domain.callbacks.steps import DELAY_SECONDS_MAX, attempted, opened
from orderdesk.domain.merchants.merchant import Merchant
from tests.support.seed import Seed, a_merchant

NOW_MS = 1_790_000_000_000
URL = "https://shop.example.com/callbacks"

EVENT = CallbackEvent(
    webhook_id="msg_B1_2",
    type=CallbackType.ORDER_PAID,
    merchant_id="m1",
    number="B1",
    sequence=2,
    timestamp=NOW_MS // 1000 - 3,
    callback_url=None,
    body='{"type":"order.paid","timestamp":1,"data":{}}',
)

TAKEN = Attempt(200, 12)
REFUSED = Attempt(500, 34, b"no", retry_after=None)
GONE = Attempt(410, 5)
KEPT_REFUSED = KeptAttempt(1_763_700_000_500, 500, 34, None, "no")
KEPT_UNREACHED = KeptAttempt(1_763_700_005_000, None, 10_000, "timeout", "")


def merchant_of(event: CallbackEvent = EVENT, **changes: Any) -> Merchant:
    return a_merchant(event.merchant_id, **{"callback_url": URL} | changes)


@dataclass
class Post:
    """Fills `Sender` and `Messages`: answers by a script, whose last answer repeats."""

    script: list[Attempt] = field(default_factory=lambda: [TAKEN])
    sent: list[tuple[str, Mapping[str, str], str]] = field(default_factory=list)
    delayed: list[tuple[CallbackReference, int]] = field(default_factory=list)
    dead_letters: list[str] = field(default_factory=list)
    on_send: Callable[[], None] | None = None

    def send(self, url: str, headers: Mapping[str, str], body: str) -> Attempt:
        self.sent.append((url, headers, body))
        if self.on_send is not None:
            self.on_send()
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def delay(self, reference: CallbackReference, seconds: int) -> None:
        assert 0 <= seconds <= DELAY_SECONDS_MAX
        self.delayed.append((reference, seconds))

    def dead_letter(self, text: str) -> None:
        self.dead_letters.append(text)


def _put(seed: Seed, delivery: Delivery) -> Delivery:
    item = delivery_item(delivery, 90)
    seed.put(seed.tables.callbacks, {k: v for k, v in item.items() if v is not None})
    return delivery


def recorded(seed: Seed, event: CallbackEvent) -> str:
    """Store an event's first record; return its message."""
    return _put(seed, opened(event)).reference.to_json()


def tried(event: CallbackEvent, *attempts: Attempt, now_ms: int = NOW_MS) -> Delivery:
    """Return an event's delivery after attempts that ended one after the other."""
    delivery = opened(event)
    for attempt in attempts:
        delivery = attempted(
            delivery,
            attempt,
            URL,
            reference=delivery.reference,
            at_ms=now_ms,
            now_ms=now_ms + attempt.latency_ms,
            below=lambda _: 0,
        )
    return delivery


def keep_delivery(
    seed: Seed,
    merchant: Merchant,
    number: str | None = None,
    *,
    sequence: int = 2,
    timestamp: int | None = None,
    is_test: int = 0,
    kind: CallbackType = EVENT.type,
    **changes: Any,
) -> Delivery:
    """Store a callback's delivery; by default two attempts failed and it is dead."""
    number = number or f"B20251121{secrets.randbelow(10**16):016d}"
    event = replace(
        EVENT,
        webhook_id=f"msg_{number}_{sequence}",
        type=kind,
        merchant_id=merchant.merchant_id,
        number=number,
        sequence=sequence,
        timestamp=int(time.time()) if timestamp is None else timestamp,
        body=f'{{"type":"order.paid","timestamp":1,"data":{{"is_test":{is_test}}}}}',
    )
    delivery = Delivery(
        event=event,
        state=DeliveryState.DEAD,
        updated_ms=time.time_ns() // 10**6,
        version=2,
        tries=2,
        turn=2,
        url="https://shop.example/",
        attempts=(KEPT_REFUSED, KEPT_UNREACHED),
    )
    return _put(seed, replace(delivery, **changes))
