"""The lists of a trader's desk: who must act on an order, and until when."""

from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum

from orderdesk.domain.orders.order import ANSWER_SECONDS, DISPUTE_AFTER_SECONDS, Order, OrderStatus


class DeskList(StrEnum):
    """Who must act on a trader's order, the most urgent first; `DONE` lists ended orders."""

    TRADER = "trader"
    CUSTOMER = "open"  # the name on the wire; it once listed all open orders
    STAFF = "staff"
    DONE = "done"


OPEN_LISTS = (DeskList.TRADER, DeskList.CUSTOMER, DeskList.STAFF)
"""The lists of open orders, the most urgent first."""

CALLING_LISTS = (DeskList.TRADER, DeskList.CUSTOMER)
"""The desk alerts its trader to an order that enters one of these. It only shows the others."""

TWIN_SECONDS = 172_800


def desk_list(order: Order) -> DeskList:
    """Return an order's list. A sell that waits for a trader is on no desk."""
    match order.status:
        case OrderStatus.PAID | OrderStatus.ASSIGNED:
            return DeskList.TRADER
        case OrderStatus.PENDING:
            return DeskList.CUSTOMER
        case OrderStatus.DISPUTED:
            return DeskList.STAFF if order.dispute.trader_asked_at is None else DeskList.TRADER
        case (
            OrderStatus.MATCHING
            | OrderStatus.COMPLETED
            | OrderStatus.CANCELLED
            | OrderStatus.EXPIRED
        ):
            return DeskList.DONE


def desk_due(order: Order) -> int | None:
    """Return until when the customer must pay, or the trader must answer (Unix seconds)."""
    match order.status:
        case OrderStatus.PENDING | OrderStatus.ASSIGNED:
            return order.expire_time
        case OrderStatus.PAID:
            return order.since + DISPUTE_AFTER_SECONDS
        case OrderStatus.DISPUTED:
            asked_at = order.dispute.trader_asked_at
            return None if asked_at is None else asked_at + ANSWER_SECONDS
        case (
            OrderStatus.MATCHING
            | OrderStatus.COMPLETED
            | OrderStatus.CANCELLED
            | OrderStatus.EXPIRED
        ):
            return None


def lookalikes(orders: Iterable[Order]) -> dict[str, int]:
    """Return the orders that resemble others on an account's statement: how many by order_no.

    The number includes the order itself.

    Two orders resemble each other if side, amount and account are equal. The account is the
    trader's own for buys and the customer's for sells.
    """
    alike = defaultdict[tuple[object, ...], list[str]](list)
    for order in orders:
        alike[_seen(order)].append(order.order_no)
    return {
        number: len(numbers) for numbers in alike.values() if len(numbers) > 1 for number in numbers
    }


def twins_of(order: Order, others: Iterable[Order], now: int) -> list[Order]:
    """Return the orders that resemble an order: open ones, and those closed within 48 h.

    The latest first; `now` in Unix seconds.
    """
    twins = [
        other
        for other in others
        if other.order_no != order.order_no
        and _seen(other) == _seen(order)
        and (other.status.is_open or now - other.since < TWIN_SECONDS)
    ]
    return sorted(twins, key=lambda twin: twin.since, reverse=True)


def _seen(order: Order) -> tuple[object, ...]:
    """Return what an account's statement shows of an order."""
    method = order.payment_method
    return order.order_type, order.quote.cny_fen, method.method_type, method.number
