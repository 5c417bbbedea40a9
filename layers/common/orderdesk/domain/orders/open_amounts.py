"""The open amount of an order in its trader's claims (domain/traders/amounts.py)."""

from collections.abc import Iterable

from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.traders.amounts import admitted_amount, claimed_amount


def open_amount(order: Order) -> str | None:
    """Return the order's text in its trader's open amounts; None for a sell."""
    match order.order_type:
        case OrderType.BUY:
            assert order.payment_method is not None, "a buy has its trader's method"
            method_type, fen = order.payment_method.method_type, order.quote.cny_fen
            if order.unique_amount:
                return claimed_amount(method_type, fen)
            return admitted_amount(method_type, fen, order.order_id)
        case OrderType.SELL:
            return None


def open_amounts_of(orders: Iterable[Order]) -> frozenset[str]:
    """Return a trader's open amounts, computed from its open orders."""
    amounts = (open_amount(order) for order in orders if order.status.is_open)
    return frozenset(amount for amount in amounts if amount is not None)
