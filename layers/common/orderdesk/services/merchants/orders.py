"""A merchant's orders at the portal: found by filters, by a number or by its ending."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import override

from orderdesk.domain.ids import id_range, is_order_no
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import OrderNotFound
from orderdesk.services.orders.listing import ListedOrders, MerchantOrders, OrderFilter
from orderdesk.services.orders.move import OrderChange
from orderdesk.services.ports import Orders

FILE_ROWS_MAX = 5_000
"""The most orders in a file."""


@dataclass(frozen=True, slots=True)
class OrderSearch(OrderFilter):
    """A filter with amounts in fen, both inclusive, and a number or its ending."""

    min_fen: int | None = None
    max_fen: int | None = None
    ending: str = ""

    @override
    def passes(self, order: Order, now: int) -> bool:
        fen = order.quote.cny_fen
        numbers = (order.order_no, order.merchant_order_no or "", order.pending_no or "")
        return (
            OrderFilter.passes(self, order, now)
            and (self.min_fen is None or fen >= self.min_fen)
            and (self.max_fen is None or fen <= self.max_fen)
            and (
                not self.ending
                or any(each.casefold().endswith(self.ending.casefold()) for each in numbers)
            )
        )


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


def orders_for_file(
    index: MerchantOrders,
    merchant_id: str,
    wanted: OrderSearch,
    before_id: int | None,
    *,
    now: int,
    has_time: Callable[[], bool],
) -> ListedOrders:
    """Return the newest orders with ids below `before_id`; it is set again if there may be more.

    They are at most FILE_ROWS_MAX, read while `has_time`, but one order in any case.
    Raises: TryAgain.
    """
    first_id, last_id = id_range(wanted.start_time, wanted.end_time)
    if before_id is not None:
        last_id = min(last_id, before_id - 1)
    found: list[Order] = []
    for order in index.between(merchant_id, first_id, last_id):
        if wanted.passes(order, now):
            found.append(order)
        if len(found) >= FILE_ROWS_MAX or not has_time():
            return ListedOrders(tuple(found), order.order_id)
    return ListedOrders(tuple(found), None)
