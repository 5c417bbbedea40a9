"""The state of a merchant's endpoint: an origin in one mode, and when it is paused.

An endpoint that answers has no state. Failures in a row begin one. Enough of them pause the
endpoint: its deliveries wait, and one at a time probes it. When it answers, what waited is sent at
a bounded rate; then the state is removed. Times are in Unix ms.

- An attempt fails if its answer is neither a 2xx nor 410, which ends its delivery only.
- A single delivery's schedule never pauses an endpoint, because it takes several deliveries.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from orderdesk.domain.callbacks.delivery import Delivery
from orderdesk.domain.callbacks.events import CallbackType
from orderdesk.domain.callbacks.schedule import MS
from orderdesk.domain.callbacks.target import BadCallbackUrlError, callback_target
from orderdesk.domain.pricing import Mode

FAILURES_TO_PAUSE: Final = 10
"""How many attempts in a row fail before an endpoint is paused."""

DELIVERIES_TO_PAUSE: Final = 5
"""Of how many different deliveries they are."""

SPAN_MS_TO_PAUSE: Final = 120 * MS
"""Over which time. A retry after 2 min is therefore made by the schedule."""

PROBE_GAPS_SECONDS: Final = (60, 120, 240, 480, 600)
"""The wait before each probe; the last one repeats. It is longer than any attempt."""

PAUSED_MS_MAX: Final = 72 * 3600 * MS
"""After this time paused, what waits is a dead letter."""

PAUSED_MOST: Final = 20
"""How many endpoints of a merchant in one mode are paused at a time."""

SETTLING_MS: Final = 300 * MS
"""How long an endpoint that answers again keeps its state, for those who read it before."""

DRAINED_SHARE: Final = 2
"""What waited is sent at the merchant's `max_callback_rps` divided by this."""


@dataclass(frozen=True, slots=True)
class EndpointId:
    """A merchant's origin in one mode."""

    merchant_id: str
    mode: Mode
    origin: str

    @property
    def text(self) -> str:
        """The id as a part of keys; only the origin may have a `#`, and none has."""
        return f"{self.merchant_id}#{self.mode.value}#{self.origin}"

    @staticmethod
    def parse(text: str) -> "EndpointId":
        """Return the id of its text."""
        merchant_id, mode, origin = text.split("#", 2)
        return EndpointId(merchant_id, Mode(mode), origin)


class EndpointState(StrEnum):
    FAILING = "failing"
    PAUSED = "paused"
    DRAINING = "draining"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The state of an endpoint that failed; `version` grows with each write, 0 before the first.

    - `failures` counts attempts that failed in a row, up to FAILURES_TO_PAUSE; `webhook_ids` are
    their deliveries, up to DELIVERIES_TO_PAUSE; `first_ms` is when the first one failed.
    - `since_ms` is since when it is paused, else None. `probes` were begun; another one may begin
    at `probe_ms`.
    - `resumed_ms` is since when it answers again, until what waited is sent; else None.
    """

    id: EndpointId
    version: int = 0
    failures: int = 0
    webhook_ids: tuple[str, ...] = field(default=(), repr=False)
    first_ms: int = 0
    since_ms: int | None = None
    probes: int = 0
    probe_ms: int = 0
    resumed_ms: int | None = None

    @property
    def state(self) -> EndpointState:
        if self.since_ms is not None:
            return EndpointState.PAUSED
        return EndpointState.FAILING if self.resumed_ms is None else EndpointState.DRAINING

    @property
    def is_paused(self) -> bool:
        return self.since_ms is not None

    @property
    def due_ms(self) -> int | None:
        """When the sweep looks at the endpoint; None means never."""
        return self.probe_ms if self.is_paused else self.resumed_ms

    def given_up_until_ms(self, now_ms: int) -> int | None:
        """Return until when a delivery must have begun to wait to be a dead letter now, or None.

        What waits when the 72 h are over is dead. Then they begin again, so that a new delivery
        has its own time.
        """
        if self.since_ms is None or now_ms - self.since_ms < PAUSED_MS_MAX:
            return None
        return now_ms - (now_ms - self.since_ms) % PAUSED_MS_MAX


def next_version(endpoint: Endpoint) -> Endpoint:
    """Return a changed state as it is written."""
    return replace(endpoint, version=endpoint.version + 1)


class Admission(StrEnum):
    """What a delivery that is due may do at its endpoint."""

    SEND = "send"
    PROBE = "probe"
    WAIT = "wait"
    GIVE_UP = "give_up"


def endpoint_id(merchant_id: str, mode: Mode, url: str) -> EndpointId | None:
    """Return the endpoint of a URL, or None for a URL that nothing is sent to."""
    origin = origin_of(url)
    return None if origin is None else EndpointId(merchant_id, mode, origin)


def origin_of(url: str) -> str | None:
    """Return a callback URL's origin: scheme, host, and the port unless it is the usual one."""
    try:
        return callback_target(url, allow_loopback=True).origin
    except BadCallbackUrlError:
        return None


def admitted(endpoint: Endpoint | None, delivery: Delivery, now_ms: int) -> Admission:
    """Decide what a due delivery may do; a test and a redelivery's first attempt are sent."""
    if endpoint is None or not endpoint.is_paused or _is_asked_for(delivery):
        return Admission.SEND
    until_ms = endpoint.given_up_until_ms(now_ms)
    if until_ms is not None and delivery.waits is not None and delivery.waits.since_ms < until_ms:
        return Admission.GIVE_UP
    return Admission.PROBE if endpoint.probe_ms <= now_ms else Admission.WAIT


def _is_asked_for(delivery: Delivery) -> bool:
    if delivery.event.type is CallbackType.ENDPOINT_TEST:
        return True
    return delivery.round > 0 and delivery.tries == 0 and delivery.waits is None


def failed(endpoint: Endpoint, webhook_id: str, now_ms: int, speedup: int = 1) -> Endpoint:
    """Count a failed attempt; the last one needed pauses the endpoint.

    What is counted stays small: once enough is known, an unchanged state is returned. An endpoint
    that has just answered again is paused without waiting for the time to pass. `speedup` divides
    that time and the first probe's wait, for tests.
    """
    if endpoint.is_paused:
        return endpoint
    ids = tuple(dict.fromkeys((*endpoint.webhook_ids, webhook_id)))[:DELIVERIES_TO_PAUSE]
    failures = min(endpoint.failures + 1, FAILURES_TO_PAUSE)
    first_ms = endpoint.first_ms if endpoint.failures else now_ms
    is_long = endpoint.resumed_ms is not None or now_ms - first_ms >= SPAN_MS_TO_PAUSE // speedup
    if failures == FAILURES_TO_PAUSE and len(ids) == DELIVERIES_TO_PAUSE and is_long:
        return Endpoint(
            endpoint.id,
            version=endpoint.version,
            since_ms=now_ms,
            probe_ms=now_ms + PROBE_GAPS_SECONDS[0] * MS // speedup,
        )
    return replace(endpoint, failures=failures, webhook_ids=ids, first_ms=first_ms)


def answered(endpoint: Endpoint, now_ms: int) -> Endpoint | None:
    """Record that the endpoint answered; None if nothing is left to remember."""
    match endpoint.state:
        case EndpointState.FAILING:
            return None
        case EndpointState.PAUSED:
            return Endpoint(endpoint.id, version=endpoint.version, resumed_ms=now_ms)
        case EndpointState.DRAINING:
            return replace(endpoint, failures=0, webhook_ids=(), first_ms=0)


def probing(endpoint: Endpoint, now_ms: int, speedup: int = 1) -> Endpoint:
    """Begin a probe; nobody else begins one before the next is due.

    A probe whose result is lost is therefore followed by another one. `speedup` divides the wait,
    for tests.
    """
    gap = PROBE_GAPS_SECONDS[min(endpoint.probes + 1, len(PROBE_GAPS_SECONDS) - 1)]
    return replace(endpoint, probes=endpoint.probes + 1, probe_ms=now_ms + gap * MS // speedup)


def probed_soon(endpoint: Endpoint, now_ms: int) -> Endpoint:
    """Return a paused endpoint that is probed at once, and more often again."""
    return replace(endpoint, probes=0, probe_ms=now_ms)
