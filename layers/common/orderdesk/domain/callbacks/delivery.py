"""The record of a callback's delivery: its state and its attempts (contract section 7)."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from orderdesk.domain.callbacks.events import ENDPOINT_SIGN, CallbackEvent, CallbackReference


class DeliveryState(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    UNDELIVERABLE = "undeliverable"
    GONE = "gone"
    DEAD = "dead"
    SKIPPED = "skipped"
    FAILED = "failed"


class Trouble(StrEnum):
    """Deliveries that need an operator: failing so far, or ended without success."""

    FAILING = "failing"
    UNDELIVERABLE = "undeliverable"
    GONE = "gone"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class KeptAttempt:
    """A recorded attempt: when it began (Unix ms), and the response or the failure."""

    at_ms: int
    status: int | None
    latency_ms: int
    failure: str | None
    answer: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Waits:
    """A delivery that waits for a paused endpoint (the text of its id) since a time in Unix ms."""

    endpoint: str
    since_ms: int


def delivery_key(webhook_id: str, endpoint_id: str = "") -> str:
    """Return the key of an event's delivery to an address; "" is the first one."""
    return f"{webhook_id}{ENDPOINT_SIGN}{endpoint_id}" if endpoint_id else webhook_id


@dataclass(frozen=True, slots=True)
class Delivery:
    """The record of one callback's delivery; times in Unix ms.

    - `round` grows with each redelivery; `tries` counts the attempts of the present round.
    - `next_ms` is when the next attempt is due; None means now or never.
    - `due_ms` is when the sweep puts the delivery on the queue; None means never.
    - `turn` grows with each attempt, redelivery and message of the sweep. Only a message of the
    present turn carries the delivery.
    - `waits` is for which paused endpoint it waits; then `due_ms` is its place among the others.
    - `url` is the last URL used.
    - `endpoint_id` is the merchant's further address that it goes to; "" for the order's own or the
    default one.
    - `version` grows with each write and is 0 before the first.
    """

    event: CallbackEvent
    state: DeliveryState
    updated_ms: int
    version: int = 0
    round: int = 0
    tries: int = 0
    next_ms: int | None = None
    due_ms: int | None = None
    turn: int = 0
    waits: Waits | None = None
    url: str = field(default="", repr=False)
    attempts: tuple[KeptAttempt, ...] = ()
    endpoint_id: str = ""

    @property
    def key(self) -> str:
        """What identifies the delivery: the webhook-id, and the address if it is not the first."""
        return delivery_key(self.event.webhook_id, self.endpoint_id)

    @property
    def place(self) -> str:
        """A sort key that orders a merchant's deliveries by time and identifies this one."""
        event = self.event
        return f"{event.timestamp:010d}#{self.key}"

    def is_carried_by(self, reference: CallbackReference) -> bool:
        """Return whether the message is of the delivery's present turn."""
        return reference.round == self.round and reference.turn == self.turn

    @property
    def reference(self) -> CallbackReference:
        """The message of the delivery's next attempt."""
        event = self.event
        return CallbackReference(self.key, event.merchant_id, self.round, self.turn)

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the delivery, or None."""
        match self.state:
            case DeliveryState.PENDING:
                return Trouble.FAILING if self.tries else None
            case DeliveryState.UNDELIVERABLE | DeliveryState.GONE | DeliveryState.DEAD:
                return Trouble(self.state.value)
            case DeliveryState.DELIVERED | DeliveryState.SKIPPED | DeliveryState.FAILED:
                return None


ANSWER_KEPT_BYTES: Final = 1024
"""How many bytes of a response body are read and stored."""

_SUCCESS: Final = range(200, 300)


class Failure(StrEnum):
    """Why an attempt got no complete response."""

    REFUSED_TARGET = "refused_target"
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    RESET = "reset"
    PROTOCOL = "protocol"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of one POST.

    `status` is None if no whole head of a response was read. `failure` is None if the response was
    read completely, or up to the limit of stored bytes. Both are set if its body broke off.
    `latency_ms` counts from the start of the DNS lookup. `retry_after` is the header as received.
    """

    status: int | None
    latency_ms: int
    answer: bytes = field(default=b"", repr=False)
    failure: Failure | None = None
    retry_after: str | None = None

    @property
    def delivered(self) -> bool:
        """Whether the receiver accepted it: the whole head of any 2xx within the time limit.

        What follows the head says nothing of it, such as a body that is shorter than its length.
        """
        return self.status in _SUCCESS
