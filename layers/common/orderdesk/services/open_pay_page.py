"""Opening a pay page: the order behind a link, for whoever holds its token (contract section 8)."""

from orderdesk.domain.errors import OrderNotFound
from orderdesk.domain.ids import is_order_no, token_matches
from orderdesk.domain.orders import Order
from orderdesk.services.ports import Orders


def open_pay_page(orders: Orders, order_no: str, token: str) -> Order:
    """Find the order of a pay page's link.

    Raises: OrderNotFound for a wrong number, a wrong token and a sell, which has no pay page.
    """
    order = orders.order(order_no) if is_order_no(order_no) else None
    stored = None if order is None else order.pay_token_hash
    if not token_matches(token, stored) or order is None:
        raise OrderNotFound
    return order
