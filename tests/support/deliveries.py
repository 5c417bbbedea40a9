"""Delivering callbacks without a store, a queue or a network: what each port is asked, kept."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from orderdesk.domain.callbacks.delivery import Attempt, Carrier, Delivery, Failure
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackMessage, CallbackType
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.services.callbacks.deliver import Done, SqsMessage, deliver
from orderdesk.services.callbacks.ports import DeliveryPorts
from tests.support.seed import a_merchant

SECRET = "whsec_" + "AAAA" * 11
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
FIRST = Carrier("message-1")
HANDLE = "handle"

TAKEN = Attempt(200, 12)
REFUSED = Attempt(500, 34, b"no", retry_after=None)
GONE = Attempt(410, 5)
LATE = Attempt(None, 10_000, failure=Failure.TIMEOUT)


def merchant_of(event: CallbackEvent = EVENT, **changes: Any) -> Merchant:
    """Give a merchant with a callback target."""
    return a_merchant(event.merchant_id, **{"callback_url": URL} | changes)


class NoJitter:
    """Chance that adds nothing."""

    def below(self, bound: int) -> int:
        """Give the smallest."""
        assert bound > 0
        return 0

    def token(self) -> str:
        """Give a token."""
        return "0" * 32


@dataclass
class Shelf:
    """Fills `Deliveries`; `meanwhile` happens once, before the next write."""

    kept: dict[str, Delivery] = field(default_factory=dict)
    meanwhile: Callable[[], None] | None = None

    def delivery(self, webhook_id: str) -> Delivery | None:
        """Give a delivery."""
        return self.kept.get(webhook_id)

    def save(self, delivery: Delivery) -> None:
        """Write a delivery over the version before it."""
        happens, self.meanwhile = self.meanwhile, None
        if happens is not None:
            happens()
        before = self.kept.get(delivery.event.webhook_id)
        if delivery.version != (1 if before is None else before.version + 1):
            raise ChangedMeanwhile
        self.kept[delivery.event.webhook_id] = delivery


@dataclass
class Post:
    """Fills `Sender` and `Messages`: answers by a script, the last one repeatedly."""

    script: list[Attempt] = field(default_factory=lambda: [TAKEN])
    sent: list[tuple[str, Mapping[str, str], str]] = field(default_factory=list)
    hidden_seconds: list[int] = field(default_factory=list)
    dead_letters: list[str] = field(default_factory=list)
    on_send: Callable[[], None] | None = None

    def send(self, url: str, headers: Mapping[str, str], body: str) -> Attempt:
        """Post."""
        self.sent.append((url, headers, body))
        if self.on_send is not None:
            self.on_send()
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def hide(self, handle: str, seconds: int) -> None:
        """Hide a message."""
        assert handle == HANDLE
        self.hidden_seconds.append(seconds)

    def dead_letter(self, text: str) -> None:
        """Record a dead letter."""
        self.dead_letters.append(text)


@dataclass
class Counter:
    """A desk on fakes, its clock, and its queue as one message that comes and goes."""

    merchant: Merchant | None = field(default_factory=merchant_of)
    secrets: tuple[str, ...] = (SECRET,)
    post: Post = field(default_factory=Post)
    shelf: Shelf = field(default_factory=Shelf)
    reported: list[Exception] = field(default_factory=list)
    now_ms: int = NOW_MS
    crowded: bool = False
    visits: int = 1
    inside: int = 0

    def enter(self, merchant_id: str) -> bool:
        """Enter the merchant's lane."""
        assert merchant_id == EVENT.merchant_id
        self.inside += not self.crowded
        return not self.crowded

    def leave(self, merchant_id: str) -> None:
        """Leave it."""
        assert merchant_id == EVENT.merchant_id
        self.inside -= 1

    def find(self, merchant_id: str) -> Merchant | None:
        """Give the merchant."""
        assert merchant_id == EVENT.merchant_id
        return self.merchant

    def callback_secrets(self, merchant: Merchant) -> tuple[str, ...]:
        """Give the secrets."""
        assert merchant is self.merchant
        return self.secrets

    @property
    def ports(self) -> DeliveryPorts:
        """The desk."""
        return DeliveryPorts(
            deliveries=self.shelf,
            merchants=self,
            lanes=self,
            sender=self.post,
            messages=self.post,
            chance=NoJitter(),
            now_ms=lambda: self.now_ms,
            report=self.reported.append,
        )

    def visit(
        self, event: CallbackEvent = EVENT, *, message_id: str = "message-1", round_: int = 0
    ) -> Done:
        """Let the message come."""
        text = CallbackMessage(event, round_).to_json()
        return deliver(SqsMessage(message_id, HANDLE, text, self.visits), self.ports)

    def run(self, event: CallbackEvent = EVENT) -> list[Done]:
        """Let the message come again whenever it is due, until it does not stay."""
        visits = []
        while True:
            done = self.visit(event)
            visits.append(done)
            if not done.keeps_message:
                return visits
            self.now_ms += self.post.hidden_seconds[-1] * 1000

    @property
    def record(self) -> Delivery:
        """The only delivery."""
        (delivery,) = self.shelf.kept.values()
        return delivery
