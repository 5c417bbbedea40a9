"""The record of a callback's delivery: its state and its attempts (contract section 7)."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from orderdesk.domain.callbacks.events import CallbackEvent


class DeliveryState(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    UNDELIVERABLE = "undeliverable"
    GONE = "gone"
    DEAD = "dead"
    SKIPPED = "skipped"


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
class Carrier:
    """A message of the queue: its SQS id, and the delivery round that it belongs to."""

    message_id: str
    round: int = 0


@dataclass(frozen=True, slots=True)
class Delivery:
    """The record of one callback's delivery; times in Unix ms.

    - `round` grows with each redelivery; `tries` counts the attempts of the present round.
    - `message_id` is the first message of the present round; only that message carries the
    delivery.
    - `next_ms` is when the next attempt is due; None means now or never.
    - `url` is the last URL used.
    - `version` grows with each write and is 0 before the first.
    """

    event: CallbackEvent
    state: DeliveryState
    updated_ms: int
    version: int = 0
    round: int = 0
    message_id: str = ""
    tries: int = 0
    next_ms: int | None = None
    url: str = field(default="", repr=False)
    attempts: tuple[KeptAttempt, ...] = ()

    def is_carried_by(self, carrier: Carrier) -> bool:
        """Return whether the message carries the delivery: it is the first of the present round."""
        return carrier.round == self.round and self.message_id in {"", carrier.message_id}

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the delivery, or None."""
        match self.state:
            case DeliveryState.PENDING:
                return Trouble.FAILING if self.tries else None
            case DeliveryState.UNDELIVERABLE | DeliveryState.GONE | DeliveryState.DEAD:
                return Trouble(self.state.value)
            case DeliveryState.DELIVERED | DeliveryState.SKIPPED:
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

    `status` is None if no status line was read. `failure` is None if the response was read
    completely, or up to the limit of stored bytes. Both are set if the response broke off.
    `latency_ms` counts from the start of the DNS lookup. `retry_after` is the header as received.
    """

    status: int | None
    latency_ms: int
    answer: bytes = field(default=b"", repr=False)
    failure: Failure | None = None
    retry_after: str | None = None

    @property
    def delivered(self) -> bool:
        """Whether the receiver accepted it: any 2xx within the time limit of an attempt."""
        return self.failure is None and self.status in _SUCCESS
