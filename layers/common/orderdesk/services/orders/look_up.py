"""queryOrder: an order or a draft by one of its numbers (contract section 4)."""

from typing import Literal

from orderdesk.domain.ids import is_order_no, is_pending_no, token_matches
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import OrderNotFound, StateConflict
from orderdesk.domain.pricing import Mode
from orderdesk.services.ports import Orders

type NumberKind = Literal["merchant_order_no", "order_no", "pending_no"]


def find_order_or_draft(
    orders: Orders, merchant_id: str, key: Mode, kind: NumberKind | None, number: str
) -> Order | Draft:
    """Find an order or draft by the number of this kind.

    Raises: OrderNotFound, also for another merchant's, and for one that the key does not reach.
    """
    found = _numbered(orders, merchant_id, kind, number)
    if found is None or found.merchant_id != merchant_id or not key.reaches(found.mode):
        raise OrderNotFound
    return found


def _numbered(
    orders: Orders, merchant_id: str, kind: NumberKind | None, number: str
) -> Order | Draft | None:
    match kind:
        case "order_no":
            return orders.order(number) if is_order_no(number) else None
        case "pending_no":
            return orders.draft(number) if is_pending_no(number) else None
        case "merchant_order_no" | None:
            # Its owner is the order or draft that has, or last had, the number.
            owner = orders.reservation(merchant_id, number)
            if owner is None:
                return None
            if owner.order_no is not None:
                return orders.order(owner.order_no)
            return None if owner.pending_no is None else orders.draft(owner.pending_no)


def order_to_move(
    orders: Orders, merchant_id: str, key: Mode, kind: NumberKind | None, number: str
) -> Order:
    """Find the order that a merchant wants to move. Raises: OrderNotFound, StateConflict.

    A merchant_order_no that belongs, or belonged, to a draft has no order: StateConflict has the
    draft's status.
    """
    found = find_order_or_draft(orders, merchant_id, key, kind, number)
    if isinstance(found, Draft):
        raise StateConflict(found.status.value)
    return found


def open_pay_page(orders: Orders, order_no: str, token: str) -> Order:
    """Find the order of a pay page's link.

    Raises: OrderNotFound for a wrong number, for a wrong token, and for a sell, which has no pay
    page.
    """
    order = orders.order(order_no) if is_order_no(order_no) else None
    stored = None if order is None else order.pay_page.pay_token_hash
    if not token_matches(token, stored) or order is None:
        raise OrderNotFound
    return order
