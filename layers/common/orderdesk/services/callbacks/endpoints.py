"""A merchant's endpoints: the ports of delivering to them, and what an attempt means for one.

Each port may raise TryAgain if DynamoDB, KMS or SQS does not answer.

Containers may write the same endpoint's state at the same time. Each write is conditional on the
version; the other one reads again. A count that is lost by that delays a pause by one attempt.

The pause and the record of its event are one transaction. If the process dies after it, the sweep
sends the event.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from orderdesk.domain.callbacks.delivery import Attempt, Delivery
from orderdesk.domain.callbacks.endpoints import (
    PAUSED_MOST,
    Endpoint,
    EndpointId,
    answered,
    failed,
    next_version,
    origin_of,
)
from orderdesk.domain.callbacks.events import (
    WEBHOOK_PREFIX,
    CallbackReference,
    CallbackType,
    account_event,
)
from orderdesk.domain.callbacks.schedule import MS
from orderdesk.domain.callbacks.steps import GONE_STATUS, opened, watched
from orderdesk.domain.errors import ChangedMeanwhile, Contended, Throttled
from orderdesk.domain.merchants.merchant import CallbackAddress, Merchant
from orderdesk.domain.pricing import Mode
from orderdesk.services.ports import Chance, FindsMerchants, Sender


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


class CallbackMerchants(FindsMerchants, Protocol):
    """Reads merchants and their callback secrets through a cache."""

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


class Messages(Protocol):
    """Sends messages about a delivery."""

    def delay(self, reference: CallbackReference, seconds: int) -> None:
        """Send a message that SQS delivers after so many seconds, at most 900."""

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


# So many containers may write at the same time before one result is not counted.
WRITES_MAX = 5


@dataclass(frozen=True, slots=True)
class Target:
    """Where an attempt goes; `known` is what was known of the endpoint before it.

    `place` is None for a URL that nothing is sent to.
    """

    merchant: Merchant
    url: str = field(repr=False)
    place: EndpointId | None
    known: Endpoint | None
    is_probe: bool
    address: CallbackAddress | None = None

    @property
    def probed(self) -> str | None:
        """The text of the paused endpoint that the attempt probes, or None."""
        return self.place.text if self.is_probe and self.place else None


def learn(target: Target, delivery: Delivery, attempt: Attempt, ports: DeliveryPorts) -> None:
    """Record what an attempt means for its endpoint.

    410 is an answer. A test that fails does not count. Raises: TryAgain.
    """
    is_answer = attempt.delivered or attempt.status == GONE_STATUS
    is_ignored = not is_answer and delivery.event.type is CallbackType.ENDPOINT_TEST
    place, known = target.place, target.known
    if place is None or is_ignored:
        return
    for _ in range(WRITES_MAX):
        try:
            if is_answer:
                _answer(known, ports)
            else:
                _fail(known or Endpoint(place), delivery.key, target.merchant, ports)
        except (ChangedMeanwhile, Contended, Throttled):
            known = ports.endpoints.endpoint(place)
        else:
            return


def release(endpoint: str, ports: DeliveryPorts) -> None:
    """Send what waits for an endpoint (the text of its id), because its address changed.

    If others of its deliveries still go there and fail, it is paused again. Raises: TryAgain.
    """
    found = ports.endpoints.endpoint(EndpointId.parse(endpoint))
    if found is not None and found.is_paused:
        with suppress(ChangedMeanwhile):
            _answer(found, ports)


def _answer(before: Endpoint | None, ports: DeliveryPorts) -> None:
    if before is None:
        return
    after = answered(before, ports.now_ms())
    if after is None:
        ports.endpoints.remove(before)
    elif after != before:
        ports.endpoints.save(next_version(after))


def _fail(before: Endpoint, webhook_id: str, merchant: Merchant, ports: DeliveryPorts) -> None:
    after = failed(before, webhook_id, ports.now_ms(), ports.speedup)
    if after == before:
        return
    if not after.is_paused:
        ports.endpoints.save(next_version(after))
        return
    others = ports.endpoints.paused(after.id.merchant_id, after.id.mode, PAUSED_MOST)
    if len(others) == PAUSED_MOST:
        return
    event = _disabled(after, merchant, ports)
    ports.endpoints.save(next_version(after), event)
    if event is not None:
        ports.messages.delay(event.reference, 0)


def _disabled(endpoint: Endpoint, merchant: Merchant, ports: DeliveryPorts) -> Delivery | None:
    """Return the first record of `endpoint.disabled`; None if no other address could receive it."""
    default = origin_of(merchant.terms.callback_url)
    if default is None or default == endpoint.id.origin:
        return None
    now_ms, webhook_id = ports.now_ms(), f"{WEBHOOK_PREFIX}{ports.chance.token()}"
    since = (endpoint.since_ms or now_ms) // MS
    about = webhook_id, merchant.merchant_id, endpoint.id.mode, since
    data = {"origin": endpoint.id.origin, "since": since}
    event = account_event(CallbackType.ENDPOINT_DISABLED, *about, data=data)
    return watched(opened(event), now_ms)


def paused_endpoints(endpoints: Endpoints, merchant_id: str, key: Mode) -> list[Endpoint]:
    """Return a merchant's paused endpoints that a key reaches, the longest paused first.

    Raises: TryAgain.
    """
    found = [
        endpoint
        for mode in Mode
        if key.reaches(mode)
        for endpoint in endpoints.paused(merchant_id, mode, PAUSED_MOST)
    ]
    return sorted(found, key=lambda endpoint: endpoint.since_ms or 0)
