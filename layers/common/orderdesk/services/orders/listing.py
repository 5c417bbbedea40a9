"""A merchant's orders, newest first, in pages: for listOrders (contract section 4) and the portal.

The portal also finds them by a number or its ending, and writes them into files.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from orderdesk.domain.ids import id_range, is_order_no
from orderdesk.domain.orders.moves import OrderChange
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.order_errors import OrderNotFound
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.ports import Orders, Slice

# One call reads at most this many orders to find matching ones. The cursor continues from there.
MAX_READ = 1_000


class MerchantOrders(Protocol):
    """Reads a merchant's orders by id; ids grow with time."""

    def between(self, merchant_id: str, first_id: int, last_id: int) -> Iterator[Order]:
        """Yield the orders with ids in [first_id, last_id], newest first. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """Which orders match; None does not filter. Times in Unix seconds, both inclusive.

    `min_fen` and `max_fen` limit the amount to pay, both inclusive. `metadata` is one of its names
    with the value, `ending` the end of one of its numbers.

    `passes` does not compare the times: ids grow with time, so `list_orders` reads by id.
    """

    statuses: frozenset[OrderStatus] | None = None
    order_type: OrderType | None = None
    mode: Mode | None = None
    start_time: int | None = None
    end_time: int | None = None
    min_fen: int | None = None
    max_fen: int | None = None
    metadata: tuple[str, str] | None = None
    ending: str = ""

    def reached_by(self, key: Mode) -> "OrderFilter":
        """Return the filter of the matching orders that a key of this mode reaches."""
        return self if key is Mode.LIVE else replace(self, mode=Mode.TEST)

    def passes(self, order: Order, now: int) -> bool:
        """Return whether an order matches as of `now` (Unix seconds)."""
        fen, ending = order.quote.cny_fen, self.ending.casefold()
        numbers = (order.order_no, order.merchant_order_no or "", order.pending_no or "")
        return (
            (self.statuses is None or order.status_at(now) in self.statuses)
            and (self.order_type is None or order.order_type is self.order_type)
            and (self.mode is None or order.mode is self.mode)
            and (self.min_fen is None or fen >= self.min_fen)
            and (self.max_fen is None or fen <= self.max_fen)
            and (self.metadata is None or self.metadata in (order.given.metadata or {}).items())
            and (not ending or any(each.casefold().endswith(ending) for each in numbers))
        )


@dataclass(frozen=True, slots=True)
class OrderWithNumber:
    """The order of a merchant_order_no, as a list; empty for that of a draft."""

    orders: Orders
    merchant_order_no: str

    def between(self, merchant_id: str, first_id: int, last_id: int) -> Iterator[Order]:
        """Yield the order, read consistently, if its id is in the range. Raises: TryAgain."""
        owner = self.orders.reservation(merchant_id, self.merchant_order_no)
        order = None if owner is None or not owner.order_no else self.orders.order(owner.order_no)
        if order is not None and first_id <= order.order_id <= last_id:
            yield order


def is_within_page(read: int) -> bool:
    """Return whether a page reads on after so many orders."""
    return read < MAX_READ


def list_orders(
    orders: MerchantOrders,
    merchant_id: str,
    wanted: OrderFilter,
    *,
    limit: int,
    before_id: int | None,
    now: int,
    goes_on: Callable[[int], bool] = is_within_page,
) -> Slice[Order, int]:
    """Return the newest orders with ids below `before_id`; `now` in Unix seconds.

    Pages are cut by id, so new orders do not shift them. A page may be short: it ends after an
    order of which `goes_on` says so, given how many were read, and one order is read in any case.
    Raises: TryAgain.
    """
    first_id, last_id = id_range(wanted.start_time, wanted.end_time)
    if before_id is not None:
        last_id = min(last_id, before_id - 1)
    found: list[Order] = []
    for read, order in enumerate(orders.between(merchant_id, first_id, last_id), 1):
        if wanted.passes(order, now):
            found.append(order)
        if len(found) == limit or not goes_on(read):
            return Slice(tuple(found), order.order_id)
    return Slice(tuple(found), None)


def action_of(change: OrderChange) -> str:
    """Return the name of a member's change in the team's audit trail."""
    if change.row is not None:
        return f"order.{change.row.move.value}"
    assert change.note is not None, "a member moves an order or adds a note"
    return "order.say" if change.note.picture is None else "order.picture"


def own_order(orders: Orders, merchant_id: str, order_no: str) -> Order:
    """Return a merchant's order. Raises: OrderNotFound, also for another merchant's; TryAgain."""
    order = orders.order(order_no) if is_order_no(order_no) else None
    if order is None or order.merchant_id != merchant_id:
        raise OrderNotFound
    return order


def numbered_order(orders: Orders, merchant_id: str, number: str) -> Order | None:
    """Return a merchant's order by its whole order_no or merchant_order_no. Raises: TryAgain."""
    if not number:
        return None
    owner = None if is_order_no(number) else orders.reservation(merchant_id, number)
    order_no = number if owner is None else owner.order_no or ""
    try:
        return own_order(orders, merchant_id, order_no)
    except OrderNotFound:
        return None
