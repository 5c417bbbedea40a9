"""Operators look up orders: one by any of its numbers, or the newest of many."""

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from orderdesk.domain.ids import EPOCH_MS, RANDOM_BITS, is_order_no, is_pending_no, numbered
from orderdesk.domain.operators import UnknownId
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import BUY_LETTER, SELL_LETTER, Order, OrderStatus
from orderdesk.services.operator.ports import OrderListing
from orderdesk.services.ports import Orders

# One listing reads at most this many orders, which bounds its cost and its time.
READS_MAX = 100_000
_ID_DIGITS_MAX = 16  # 2^53


@dataclass(frozen=True, slots=True)
class Listing:
    """The newest orders that match; not `complete` if there were too many orders to read."""

    orders: tuple[Order, ...]
    complete: bool


def find_order(orders: Orders, number: str) -> Order | Draft:
    """Find an order by order_no or order_id, or a draft by pending_no.

    Raises: UnknownId, TryAgain.
    """
    found: Order | Draft | None = None
    if is_pending_no(number):
        found = orders.draft(number)
    elif is_order_no(number):
        found = orders.order(number)
    elif len(number) <= _ID_DIGITS_MAX and number.isascii() and number.isdigit():
        found = _by_id(orders, int(number))
    if found is None:
        raise UnknownId("order", number)
    return found


def newest_orders(
    listing: OrderListing, *, merchant_id: str | None, status: OrderStatus | None, limit: int
) -> Listing:
    """List the newest orders, of one merchant or of all, in one status or in any. Raises: TryAgain.

    No index covers the orders of all merchants: the table is scanned, READS_MAX orders at most.
    """
    if merchant_id is not None:
        reads = _Reads(listing.of_merchant(merchant_id))
        return Listing(tuple(islice(_wanted(reads, status), limit)), reads.complete)
    reads = _Reads(listing.every())
    newest = heapq.nlargest(limit, _wanted(reads, status), key=lambda order: order.order_id)
    return Listing(tuple(newest), reads.complete)


class _Reads:
    """At most READS_MAX orders, read one by one; `complete` tells whether these were all."""

    def __init__(self, orders: Iterator[Order]) -> None:
        self._orders = orders
        self.complete = True

    def __iter__(self) -> Iterator[Order]:
        yield from islice(self._orders, READS_MAX)
        self.complete = next(self._orders, None) is None


def _wanted(orders: Iterable[Order], status: OrderStatus | None) -> Iterator[Order]:
    return (order for order in orders if status is None or order.status is status)


def _by_id(orders: Orders, order_id: int) -> Order | None:
    """Try both numbers that an id can have; the id contains its own date."""
    created_at = ((order_id >> RANDOM_BITS) + EPOCH_MS) // 1000
    for letter in (BUY_LETTER, SELL_LETTER):
        order = orders.order(numbered(letter, order_id, created_at))
        if order is not None:
            return order
    return None
