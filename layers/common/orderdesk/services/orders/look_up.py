"""queryOrder: an order or a draft by one of its numbers (contract section 4)."""

from typing import Literal

from orderdesk.domain.ids import is_order_no, is_pending_no, token_matches
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.errors import OrderNotFound, StateConflict
from orderdesk.domain.orders.order import Order
from orderdesk.services.ports import Orders

type NumberKind = Literal["merchant_order_no", "order_no", "pending_no"]


def by_order_no(orders: Orders, merchant_id: str, order_no: str) -> Order:
    """Find an order by its number. Raises: OrderNotFound, also for another merchant's."""
    order = orders.order(order_no) if is_order_no(order_no) else None
    if order is None or order.merchant_id != merchant_id:
        raise OrderNotFound
    return order


def by_pending_no(orders: Orders, merchant_id: str, pending_no: str) -> Draft:
    """Find a draft by its number. Raises: OrderNotFound, also for another merchant's."""
    draft = orders.draft(pending_no) if is_pending_no(pending_no) else None
    if draft is None or draft.merchant_id != merchant_id:
        raise OrderNotFound
    return draft


def by_merchant_order_no(orders: Orders, merchant_id: str, number: str) -> Order | Draft:
    """Find the order or draft that has, or last had, a merchant_order_no. Raises: OrderNotFound."""
    reservation = orders.reservation(merchant_id, number)
    if reservation is None:
        raise OrderNotFound
    if reservation.order_no is not None:
        return by_order_no(orders, merchant_id, reservation.order_no)
    return by_pending_no(orders, merchant_id, reservation.pending_no or "")


def find_order_or_draft(
    orders: Orders, merchant_id: str, kind: NumberKind | None, number: str
) -> Order | Draft:
    """Find an order or draft by the number of this kind. Raises: OrderNotFound."""
    match kind:
        case "order_no":
            return by_order_no(orders, merchant_id, number)
        case "pending_no":
            return by_pending_no(orders, merchant_id, number)
        case "merchant_order_no" | None:
            return by_merchant_order_no(orders, merchant_id, number)


def order_to_move(orders: Orders, merchant_id: str, kind: NumberKind | None, number: str) -> Order:
    """Find the order that a merchant wants to move. Raises: OrderNotFound, StateConflict.

    A merchant_order_no that belongs, or belonged, to a draft has no order: StateConflict has the
    draft's status.
    """
    found = find_order_or_draft(orders, merchant_id, kind, number)
    if isinstance(found, Draft):
        raise StateConflict(found.status.value)
    return found


def open_pay_page(orders: Orders, order_no: str, token: str) -> Order:
    """Find the order of a pay page's link.

    Raises: OrderNotFound for a wrong number, for a wrong token, and for a sell, which has no pay
    page.
    """
    order = orders.order(order_no) if is_order_no(order_no) else None
    stored = None if order is None else order.pay_token_hash
    if not token_matches(token, stored) or order is None:
        raise OrderNotFound
    return order
