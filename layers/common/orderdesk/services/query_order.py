"""queryOrder: an order or a draft by one of its numbers (contract section 4)."""

from orderdesk.domain.drafts import Draft
from orderdesk.domain.errors import OrderNotFound
from orderdesk.domain.ids import is_order_no, is_pending_no
from orderdesk.domain.orders import Order
from orderdesk.services.ports import Orders


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
    """Find what holds, or last held, a merchant_order_no. Raises: OrderNotFound."""
    reservation = orders.reservation(merchant_id, number)
    if reservation is None:
        raise OrderNotFound
    if reservation.order_no is not None:
        return by_order_no(orders, merchant_id, reservation.order_no)
    return by_pending_no(orders, merchant_id, reservation.pending_no or "")
