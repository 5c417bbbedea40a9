"""The sweep of callbacks: send the messages of deliveries that waited outside the queue.

It also sends a message again that was lost with its process. Two sweeps may run at the same time:
the record's version lets one of them send. If a process dies after the write, the next sweep sends
the message when the record is due again.

What waits for a paused endpoint is in a list of its own, so however long it is, no other delivery
is found later. Of a paused endpoint one delivery is queued for each probe, and what is to be
given up; of one that answers again, so many a second. What a message then does, its visit decides.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import batched
from typing import NamedTuple, Protocol

from orderdesk.domain.callbacks.endpoints import (
    DRAINED_SHARE,
    PAUSED_MS_MAX,
    SETTLING_MS,
    Endpoint,
    EndpointId,
    answered,
    next_version,
    probed_soon,
)
from orderdesk.domain.callbacks.events import CallbackReference
from orderdesk.domain.callbacks.schedule import MS
from orderdesk.domain.callbacks.steps import SWEEP_MS, queued
from orderdesk.domain.errors import ChangedMeanwhile, TryAgain
from orderdesk.domain.merchants.merchant import DEFAULT_MAX_CALLBACK_RPS
from orderdesk.domain.orders.order_errors import OrderNotFound
from orderdesk.services.callbacks.endpoints import Deliveries, Endpoints, Messages
from orderdesk.services.ports import Chance, FindsMerchants
from orderdesk.services.retrying import PauseMs, each_apart, until_committed

PAGE = 100


class Swept(StrEnum):
    """The result for a due delivery; LEFT: another process has it, FAILED: it stays due."""

    QUEUED = "queued"
    LEFT = "left"
    FAILED = "failed"


class DueDelivery(NamedTuple):
    """A delivery to queue, and by how many seconds its message is delayed."""

    webhook_id: str
    seconds: int = 0


class DueDeliveries(Deliveries, Protocol):
    """Reads and writes the records of deliveries, and finds those that are due."""

    @property
    def shards(self) -> int:
        """The number of the index's shards."""

    def due(self, shard: int, until_ms: int, limit: int) -> Sequence[str]:
        """Return webhook_ids of due deliveries, the longest due first. Raises: TryAgain."""


class DueEndpoints(Endpoints, Protocol):
    """Reads and writes endpoints, and finds those that are due, and what waits for one."""

    def due(self, until_ms: int) -> Iterator[Endpoint]:
        """Yield the endpoints to look at, the longest due first. Raises: TryAgain."""

    def waiting(self, endpoint_id: EndpointId, until_ms: int | None, limit: int) -> Sequence[str]:
        """Return webhook_ids of what waits for an endpoint, the first in each shard first.

        `until_ms` bounds their place; None returns any. Raises: TryAgain.
        """


@dataclass(frozen=True, slots=True)
class CallbackSweepPorts:
    """The ports of the sweep; `run_all` maps over a page, concurrently or not."""

    deliveries: DueDeliveries
    endpoints: DueEndpoints
    merchants: FindsMerchants
    messages: Messages
    run_all: Callable[[Callable[[DueDelivery], Swept], Sequence[DueDelivery]], Iterable[Swept]]
    report: Callable[[Exception], None]


type Delay = Callable[[CallbackReference, int], None]
"""`Messages.delay`."""
type _Pages = Iterator[Sequence[DueDelivery]]


def sweep_callbacks(
    ports: CallbackSweepPorts, now_ms: int, has_time: Callable[[], bool]
) -> Counter[Swept]:
    """Queue what is due at a time (Unix ms), page by page, while there is time left.

    Shards and endpoints take turns, a page each. One delivery's failure stops no other; it stays
    due. A page without progress ends its list for this run: each delivery failed, or the index
    lags.
    """

    @each_apart(Swept.FAILED, ports.report)
    def sweep_one(due: DueDelivery) -> Swept:
        return _queue(ports.deliveries, ports.messages.delay, due, now_ms)

    tally: Counter[Swept] = Counter()
    turns: deque[_Pages] = deque(
        _due_pages(ports, now_ms, shard) for shard in range(ports.deliveries.shards)
    )
    turns.append(_reported(ports, _endpoint_turns(ports, now_ms, turns)))
    while turns and has_time():
        pages = turns.popleft()
        try:
            page = next(pages, None)
        except TryAgain:
            tally[Swept.FAILED] += 1
            continue
        if page is None:
            continue
        results = Counter(ports.run_all(sweep_one, page))
        tally += results
        if results[Swept.QUEUED] or not page:
            turns.append(pages)
    return tally


def _due_pages(ports: CallbackSweepPorts, now_ms: int, shard: int) -> _Pages:
    while page := ports.deliveries.due(shard, now_ms, PAGE):
        yield [DueDelivery(webhook_id) for webhook_id in page]


def _endpoint_turns(ports: CallbackSweepPorts, now_ms: int, turns: deque[_Pages]) -> _Pages:
    """Add the turns of due endpoints, so many at a time; the pages of this turn are empty."""
    for endpoints in batched(ports.endpoints.due(now_ms), PAGE, strict=False):
        for each in endpoints:
            pages = _paused if each.is_paused else _draining
            turns.append(_reported(ports, pages(ports, now_ms, each)))
        yield []


def _reported(ports: CallbackSweepPorts, pages: _Pages) -> _Pages:
    """Yield pages until an unexpected error: one broken endpoint must not stop the sweep."""
    try:
        yield from pages
    except TryAgain:
        raise
    except Exception as error:  # noqa: BLE001 - reported; the other lists go on
        ports.report(error)


def _paused(ports: CallbackSweepPorts, now_ms: int, endpoint: Endpoint) -> _Pages:
    """Queue one delivery as a probe, and what has waited for 72 h."""
    page = ports.endpoints.waiting(endpoint.id, now_ms, 1)
    if page:
        yield [DueDelivery(webhook_id) for webhook_id in page]
    elif now_ms - (endpoint.since_ms or now_ms) > PAUSED_MS_MAX:
        _close_unless_waiting(ports, endpoint, now_ms)
    until_ms = endpoint.given_up_until_ms(now_ms)
    while until_ms and (page := ports.endpoints.waiting(endpoint.id, until_ms, PAGE)):
        yield [DueDelivery(webhook_id) for webhook_id in page]


def _draining(ports: CallbackSweepPorts, now_ms: int, endpoint: Endpoint) -> _Pages:
    """Queue what waited, evenly over the time until the next sweep."""
    merchant = ports.merchants.find(endpoint.id.merchant_id)
    terms_rps = DEFAULT_MAX_CALLBACK_RPS if merchant is None else merchant.terms.max_callback_rps
    rps, sent = max(terms_rps // DRAINED_SHARE, 1), 0
    most = rps * SWEEP_MS // MS
    while sent < most:
        page = ports.endpoints.waiting(endpoint.id, now_ms, min(PAGE, most - sent))
        if not page:
            break
        yield [DueDelivery(webhook_id, place // rps) for place, webhook_id in enumerate(page, sent)]
        sent += len(page)
    if sent == 0 and now_ms - (endpoint.resumed_ms or now_ms) > SETTLING_MS:
        _close_unless_waiting(ports, endpoint, now_ms)


def _close_unless_waiting(ports: CallbackSweepPorts, endpoint: Endpoint, now_ms: int) -> None:
    """Forget an endpoint that nothing waits for; a paused one drains first.

    A container that read it as paused may still let a delivery wait. Of a draining endpoint that
    is found.
    """
    if ports.endpoints.waiting(endpoint.id, None, 1):
        return
    with suppress(ChangedMeanwhile):
        after = answered(endpoint, now_ms) if endpoint.is_paused else None
        if after is None:
            ports.endpoints.remove(endpoint)
        else:
            ports.endpoints.save(next_version(after))


def _queue(deliveries: Deliveries, delay: Delay, due: DueDelivery, now_ms: int) -> Swept:
    """Write that a delivery is queued, then send its message. Raises: TryAgain."""
    delivery = deliveries.delivery(due.webhook_id)
    if delivery is None or delivery.due_ms is None or delivery.due_ms > now_ms:
        return Swept.LEFT  # the index lags
    after = queued(delivery, now_ms, due.seconds)
    try:
        deliveries.save(after)
    except ChangedMeanwhile:
        return Swept.LEFT
    wait_ms = max((after.next_ms or 0) - now_ms, due.seconds * MS)
    delay(after.reference, -(-wait_ms // MS))
    return Swept.QUEUED


@dataclass(frozen=True, slots=True)
class ResumePorts:
    deliveries: Deliveries
    endpoints: DueEndpoints
    delay: Delay
    chance: Chance
    pause_ms: PauseMs


def resume_endpoint(endpoint_id: EndpointId, ports: ResumePorts, now_ms: int) -> Endpoint:
    """Probe a merchant's paused endpoint at once; if it answers, what waits is sent.

    The state is written first. If the process dies after it, the next sweep sends the probe.
    `now_ms` in Unix ms. Raises: OrderNotFound if the endpoint is not paused; TryAgain.
    """

    def attempt() -> Endpoint:
        before = ports.endpoints.endpoint(endpoint_id)
        if before is None or not before.is_paused:
            raise OrderNotFound
        after = next_version(probed_soon(before, now_ms))
        ports.endpoints.save(after)
        return after

    after = until_committed(attempt, ports)
    for webhook_id in ports.endpoints.waiting(endpoint_id, now_ms, 1):
        _queue(ports.deliveries, ports.delay, DueDelivery(webhook_id), now_ms)
    return after
