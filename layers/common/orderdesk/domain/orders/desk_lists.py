"""The lists of a trader's desk: each holds the orders that wait for the same person, until when."""

from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum

from orderdesk.domain.orders.order import DISPUTE_AFTER_SECONDS, Order, OrderStatus


class DeskList(StrEnum):
    """Who must act on a trader's order, the most urgent first; `DONE` has what is over."""

    TRADER = "trader"
    CUSTOMER = "open"  # before there were three, it was the list of all open orders
    STAFF = "staff"
    DONE = "done"


OPEN_LISTS = (DeskList.TRADER, DeskList.CUSTOMER, DeskList.STAFF)
"""The lists of open orders, the most urgent first."""

CALLING_LISTS = (DeskList.TRADER, DeskList.CUSTOMER)
"""A trader is called to an order that comes to one of these. What waits for staff is only shown."""


def desk_list(status: OrderStatus) -> DeskList:
    """Give the list of a status. A sell that waits for a trader is on no desk."""
    match status:
        case OrderStatus.PAID | OrderStatus.ASSIGNED:
            return DeskList.TRADER
        case OrderStatus.PENDING:
            return DeskList.CUSTOMER
        case OrderStatus.DISPUTED:
            return DeskList.STAFF
        case (
            OrderStatus.MATCHING
            | OrderStatus.COMPLETED
            | OrderStatus.CANCELLED
            | OrderStatus.EXPIRED
        ):
            return DeskList.DONE


def desk_due(order: Order) -> int | None:
    """Give when the customer must have paid, or the trader must have answered (Unix seconds)."""
    match order.status:
        case OrderStatus.PENDING | OrderStatus.ASSIGNED:
            return order.expire_time
        case OrderStatus.PAID:
            return order.since + DISPUTE_AFTER_SECONDS
        case (
            OrderStatus.MATCHING
            | OrderStatus.COMPLETED
            | OrderStatus.CANCELLED
            | OrderStatus.EXPIRED
            | OrderStatus.DISPUTED
        ):
            return None


def lookalikes(orders: Iterable[Order]) -> frozenset[str]:
    """Give the order_no of every order that another one looks like on the account's statement.

    Two orders look alike if they are of one side, one amount and one account: a trader's own for
    buys, a customer's for sells.
    """
    alike = defaultdict[tuple[object, ...], list[str]](list)
    for order in orders:
        method = order.payment_method
        if method is not None:
            seen = (order.order_type, order.quote.cny_fen, method.method_type, method.number)
            alike[seen].append(order.order_no)
    return frozenset(number for numbers in alike.values() if len(numbers) > 1 for number in numbers)
