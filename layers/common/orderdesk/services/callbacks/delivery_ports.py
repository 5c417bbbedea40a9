"""The ports of delivering a callback.

Each may raise TryAgain if DynamoDB, KMS or SQS does not answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.callbacks.delivery import Attempt, Delivery
from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId
from orderdesk.domain.callbacks.events import CallbackReference
from orderdesk.domain.merchants.merchant import CallbackAddress, Merchant
from orderdesk.domain.modes import Mode
from orderdesk.services.ports import Chance


class Deliveries(Protocol):
    """Reads and writes the records of deliveries."""

    def delivery(self, webhook_id: str) -> Delivery | None:
        """Return a delivery's present state, or None."""

    def save(self, delivery: Delivery) -> None:
        """Write a delivery's next state. Raises: ChangedMeanwhile, Contended, Throttled."""


class Endpoints(Protocol):
    """Reads and writes the states of endpoints that failed."""

    def endpoint(self, endpoint_id: EndpointId) -> Endpoint | None:
        """Return an endpoint's present state; None if it answers."""

    def save(self, endpoint: Endpoint, event: Delivery | None = None) -> None:
        """Write an endpoint's next state, and with it the first record of an event about it.

        Raises: ChangedMeanwhile, Contended, Throttled.
        """

    def remove(self, endpoint: Endpoint) -> None:
        """Remove the state of an endpoint that answers. Raises: ChangedMeanwhile."""

    def paused(self, merchant_id: str, mode: Mode, limit: int) -> Sequence[Endpoint]:
        """Return a merchant's paused endpoints, by an index that may lag."""


class CallbackMerchants(Protocol):
    """Reads merchants and their callback secrets through a cache."""

    def find(self, merchant_id: str) -> Merchant | None:
        """Return a merchant, or None."""

    def callback_secrets(
        self, merchant: Merchant, address: CallbackAddress | None = None
    ) -> tuple[str, ...]:
        """Decrypt the secrets of a merchant's address, by default of the first, newest first."""


class Lanes(Protocol):
    """Limits how many containers may send to a merchant at the same time."""

    def enter(self, merchant_id: str, max_rps: int) -> bool:
        """Return whether one more thread of this container may send; it must then call `leave`.

        `max_rps` is the merchant's rate of callbacks a second.
        """

    def leave(self, merchant_id: str, attempt: Attempt | None = None) -> None:
        """Report that a thread has finished sending, and its attempt if that counts."""


class Sender(Protocol):
    """Posts to the merchant over HTTP."""

    def send(self, url: str, headers: Mapping[str, str], body: str) -> Attempt:
        """Post once; the attempt has the response or the failure."""


class LaterMessages(Protocol):
    """Sends a delivery's next message."""

    def delay(self, reference: CallbackReference, seconds: int) -> None:
        """Send a message that SQS delivers after so many seconds, at most 900."""


class Messages(LaterMessages, Protocol):
    """Sends messages about a delivery."""

    def dead_letter(self, text: str) -> None:
        """Send a message's text to the dead-letter queue."""


@dataclass(frozen=True, slots=True)
class DeliveryPorts:
    """The ports of a delivery; `report` receives unexpected exceptions.

    `speedup` divides the schedule's gaps, and what a pause and its probes wait for, for tests.
    """

    deliveries: Deliveries
    endpoints: Endpoints
    merchants: CallbackMerchants
    lanes: Lanes
    sender: Sender
    messages: Messages
    chance: Chance
    now_ms: Callable[[], int]
    report: Callable[[Exception], None]
    speedup: int = 1
