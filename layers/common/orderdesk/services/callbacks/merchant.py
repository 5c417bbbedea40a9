"""A merchant's own deliveries: list, redeliver, test (contract sections 4 and 7)."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.callbacks.delivery import Delivery, DeliveryState
from orderdesk.domain.callbacks.events import (
    WEBHOOK_PREFIX,
    CallbackReference,
    CallbackType,
    account_event,
)
from orderdesk.domain.callbacks.steps import opened, redelivered, watched
from orderdesk.domain.merchants.merchant import Merchant, counter_of
from orderdesk.domain.orders.order_errors import OrderNotFound
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_MS, US_PER_SECOND
from orderdesk.services.attempt_limits import Attempts, Limit, require_within
from orderdesk.services.callbacks.endpoints import Deliveries
from orderdesk.services.ports import MAX_LIMIT, Chance, Slice
from orderdesk.services.retrying import PauseMs, until_committed

# A page ends with the delivery that reaches this number of attempts. An attempt has a few KB at
# most, and Lambda limits a response to 6 MB.
ATTEMPTS_A_PAGE = 300

REDELIVERIES_OF_ONE = Limit("redelivery", 10)
"""Redeliveries of one callback, by its webhook_id."""

REDELIVERIES = Limit("redeliveries", 1_000)
"""Redeliveries with a merchant's key, by the owner of the key's counts."""

TESTS = Limit("test_callback", 10, window_seconds=60)
"""Events of testCallback with a merchant's key, by the owner of the key's counts."""

# One call reads about this many deliveries at most to find those that its key reaches.
MAX_READ = 1_000

_LAST_SECOND = 9_999_999_999


@dataclass(frozen=True, slots=True)
class DeliveryFilter:
    """Which deliveries match; None does not filter. Times in Unix seconds, both inclusive.

    `only_first`: one delivery of each event.
    """

    states: Collection[DeliveryState] | None = None
    types: Collection[CallbackType] | None = None
    start_time: int | None = None
    end_time: int | None = None
    only_first: bool = False

    def passes(self, delivery: Delivery) -> bool:
        """Return whether a delivery's state, and its event's type and time, match."""
        event = delivery.event
        return (
            (self.states is None or delivery.state in self.states)
            and (self.types is None or event.type in self.types)
            and (self.start_time is None or self.start_time <= event.timestamp)
            and (self.end_time is None or event.timestamp <= self.end_time)
            and not (self.only_first and delivery.endpoint_id)
        )

    def is_over(self, delivery: Delivery) -> bool:
        """Return whether a merchant's deliveries, newest first, have passed the first time."""
        return self.start_time is not None and delivery.event.timestamp < self.start_time

    def first_place(self, place: str | None) -> str | None:
        """Return the place before which a merchant's matching deliveries are."""
        if self.end_time is None:
            return place
        # A place begins with a time of ten digits; one of more digits would sort before it.
        end = f"{min(self.end_time + 1, _LAST_SECOND):010d}"
        return end if place is None else min(place, end)


class DeliveryIndex(Protocol):
    """Reads deliveries by indexes, which may lag; malformed ones are left out.

    A place is an event's. Raises: TryAgain.
    """

    def of_merchant(self, merchant_id: str, place: str | None, limit: int) -> Slice[Delivery, str]:
        """Return a merchant's newest deliveries before a place."""

    def of_number(self, number: str, place: str | None, limit: int) -> Slice[Delivery, str]:
        """Return an order's or draft's newest deliveries before a place."""


@dataclass(frozen=True, slots=True)
class RedeliverPorts:
    """The ports of sending a callback; `send` puts its message on the queue, or raises TryAgain."""

    deliveries: Deliveries
    send: Callable[[CallbackReference], None]
    attempts: Attempts
    chance: Chance
    pause_ms: PauseMs


def list_deliveries(
    index: DeliveryIndex,
    merchant_id: str,
    key: Mode,
    number: str | None,
    place: str | None,
    *,
    limit: int,
    wanted: DeliveryFilter | None = None,
) -> Slice[Delivery, str]:
    """Return a page of a merchant's deliveries, or of one of its orders or drafts.

    The caller has checked who owns the number, and that the key reaches it. A page is short if its
    deliveries have many attempts, or if few of those read are `wanted` and have a mode that the key
    reaches; its cursor then continues after the last delivery that was read.
    Raises: TryAgain.
    """
    page, attempts, after = list[Delivery](), 0, None
    wanted = wanted or DeliveryFilter()
    if number is None:
        place = wanted.first_place(place)
    for delivery, more in _newest(index, merchant_id, number, place, limit):
        after = delivery.place if more else None
        if number is None and wanted.is_over(delivery):
            return Slice(page, None)
        if key.reaches(delivery.event.mode) and wanted.passes(delivery):
            page.append(delivery)
            attempts += len(delivery.attempts)
        if len(page) == limit or attempts >= ATTEMPTS_A_PAGE:
            break
    return Slice(page, after)


def _newest(
    index: DeliveryIndex, merchant_id: str, number: str | None, place: str | None, limit: int
) -> Iterator[tuple[Delivery, bool]]:
    """Yield at most about MAX_READ deliveries, each with whether there are older ones."""
    read = 0
    while read < MAX_READ:
        if number is None:
            found = index.of_merchant(merchant_id, place, limit)
        else:
            found = index.of_number(number, place, limit)
        for position, delivery in enumerate(found.items, 1):
            yield delivery, found.following is not None or position < len(found.items)
        if found.following is None:
            return
        read, place, limit = read + limit, found.following, MAX_LIMIT


def redeliver(
    webhook_id: str, merchant_id: str, key: Mode, ports: RedeliverPorts, now_us: int
) -> Delivery:
    """Start a merchant's callback again, with the same webhook-id and its whole schedule.

    The record is written first, so that the receiver of the message finds it. If the process dies
    in between, the sweep sends the message. `now_us` in Unix us.
    Raises: OrderNotFound, also for another merchant's; TooManyRequests, TryAgain.
    """
    now = now_us // US_PER_SECOND
    own_delivery(webhook_id, merchant_id, key, ports.deliveries)
    require_within(ports.attempts, REDELIVERIES, counter_of(merchant_id, key), now)
    require_within(ports.attempts, REDELIVERIES_OF_ONE, webhook_id, now)

    def attempt() -> Delivery:
        before = own_delivery(webhook_id, merchant_id, key, ports.deliveries)
        after = redelivered(before, now_us // US_PER_MS)
        ports.deliveries.save(after)
        return after

    delivery = until_committed(attempt, ports)
    ports.send(delivery.reference)
    return delivery


def send_test(
    merchant: Merchant, key: Mode, url: str | None, ports: RedeliverPorts, now_us: int
) -> Delivery:
    """Queue an event that tests `url`, or the merchant's default address; return its delivery.

    It is recorded and sent as any other callback, so the caller does not wait for the endpoint. If
    the process dies after the write, the sweep sends the message. `now_us` in Unix us.
    Raises: TooManyRequests, TryAgain.
    """
    now, merchant_id = now_us // US_PER_SECOND, merchant.merchant_id
    require_within(ports.attempts, TESTS, counter_of(merchant_id, key), now)
    webhook_id = f"{WEBHOOK_PREFIX}{ports.chance.token()}"
    about = webhook_id, merchant_id, key, now
    event = account_event(CallbackType.ENDPOINT_TEST, *about, callback_url=url)
    delivery = watched(opened(event), now_us // US_PER_MS)
    until_committed(lambda: ports.deliveries.save(delivery), ports)
    ports.send(delivery.reference)
    return delivery


def own_delivery(webhook_id: str, merchant_id: str, key: Mode, deliveries: Deliveries) -> Delivery:
    """Find a merchant's delivery.

    Raises: OrderNotFound, also for another merchant's, and for one that the key does not reach;
    TryAgain.
    """
    known = webhook_id.startswith(WEBHOOK_PREFIX)
    delivery = deliveries.delivery(webhook_id) if known else None
    if delivery is None or delivery.event.merchant_id != merchant_id:
        raise OrderNotFound
    if not key.reaches(delivery.event.mode):
        raise OrderNotFound
    return delivery
