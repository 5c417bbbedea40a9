"""Refunds: sells that belong to a completed buy and take from what it may still refund.

A buy may refund its CNY once, less what was reversed. The buy's list of refunds and its version are
written in the transaction of the sell that takes from it, or returns it (contract section 6).
"""

from dataclasses import replace

from orderdesk.domain.orders.order import Order, OrderStatus, Refund
from orderdesk.domain.orders.order_errors import NotRefundable
from orderdesk.domain.pricing import OrderType

REFUNDS_MAX = 50
"""The refunds of a buy that are open or completed."""


def refundable_fen(buy: Order) -> int:
    """Return what a buy may still refund, in fen; nothing before it is completed."""
    if buy.status is not OrderStatus.COMPLETED or buy.order_type is not OrderType.BUY:
        return 0
    quote = buy.quote
    reversed_fen = quote.cny_fen * buy.reversed_micro // quote.usdt_micro
    return quote.cny_fen - reversed_fen - sum(each.cny_fen for each in buy.undone.refunds)


def reversible_micro(order: Order) -> int:
    """Return what a completed order's refunds leave to reverse, in micro-USDT.

    It is the largest part whose share of the CNY the order may still refund.
    """
    quote, refunded = order.quote, sum(each.cny_fen for each in order.undone.refunds)
    most = ((quote.cny_fen - refunded + 1) * quote.usdt_micro - 1) // quote.cny_fen
    return max(0, min(most, quote.usdt_micro) - order.reversed_micro)


def with_refund(buy: Order, sell: Order) -> Order:
    """Return a buy from which a new sell takes its amount. Raises: NotRefundable."""
    left, asked = refundable_fen(buy), sell.quote.cny_fen
    if not 0 < asked <= left or len(buy.undone.refunds) >= REFUNDS_MAX:
        raise NotRefundable(buy.status.value, left)
    refunds = (*buy.undone.refunds, Refund(sell.order_no, asked))
    return replace(buy, version=buy.version + 1, undone=replace(buy.undone, refunds=refunds))


def without_refund(buy: Order, sell: Order) -> Order:
    """Return a buy to which a cancelled sell returns its amount."""
    refunds = tuple(each for each in buy.undone.refunds if each.order_no != sell.order_no)
    return replace(buy, version=buy.version + 1, undone=replace(buy.undone, refunds=refunds))
