"""The record of a callback's delivery: where it stands, and every attempt (contract section 7)."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from orderdesk.domain.callbacks.events import CallbackEvent


class DeliveryState(StrEnum):
    """Where a delivery stands."""

    PENDING = "pending"
    DELIVERED = "delivered"
    UNDELIVERABLE = "undeliverable"
    GONE = "gone"
    DEAD = "dead"
    SKIPPED = "skipped"


class Trouble(StrEnum):
    """What operators look for: attempts that failed so far, and what nobody tries any more."""

    FAILING = "failing"
    UNDELIVERABLE = "undeliverable"
    GONE = "gone"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class KeptAttempt:
    """An attempt on record: when it began (Unix ms), what came back, or why nothing did."""

    at_ms: int
    status: int | None
    latency_ms: int
    failure: str | None
    answer: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Carrier:
    """A message of the queue: its id there, and the round of the delivery that it carries."""

    message_id: str
    round: int = 0


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of a callback so far; times in Unix ms.

    A new `round` begins with each redelivery, `tries` counts the attempts of the present one, and
    `message_id` is the message that carries it: its first. `next_ms` is when the next attempt is
    due, None for at once or never. `url` was used last. `version` grows with each write, and is 0
    before the first.
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
        """Tell whether a message carries it: the first message of its present round."""
        return carrier.round == self.round and self.message_id in {"", carrier.message_id}

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with it, or None."""
        match self.state:
            case DeliveryState.PENDING:
                return Trouble.FAILING if self.tries else None
            case DeliveryState.UNDELIVERABLE | DeliveryState.GONE | DeliveryState.DEAD:
                return Trouble(self.state.value)
            case DeliveryState.DELIVERED | DeliveryState.SKIPPED:
                return None


ANSWER_KEPT_BYTES: Final = 1024
"""How much of an answer is read and kept."""

_SUCCESS: Final = range(200, 300)


class Failure(StrEnum):
    """Why an attempt brought no whole answer."""

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
    """What came of one POST.

    `status` is None where no status line was read; `failure` is None where an answer was, or as
    much of it as is kept. Both are set where an answer broke off. `latency_ms` counts from the
    lookup of the name; `retry_after` is the header as it came.
    """

    status: int | None
    latency_ms: int
    answer: bytes = field(default=b"", repr=False)
    failure: Failure | None = None
    retry_after: str | None = None

    @property
    def delivered(self) -> bool:
        """Whether the receiver took it: any 2xx, within the time an attempt has."""
        return self.failure is None and self.status in _SUCCESS
