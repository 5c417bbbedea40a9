"""Totals of a trader's orders, by the trading day (UTC+8) on which they were created."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import ByType, OrderType
from orderdesk.domain.traders.trader import trading_day

_FIRST = date(1970, 1, 1)


@dataclass(slots=True)
class SideTotals:
    """The completed orders of one side: how many, their CNY in fen, their USDT in micro."""

    count: int = 0
    cny_fen: int = 0
    usdt_micro: int = 0

    def add(self, cny_fen: int, usdt_micro: int) -> None:
        """Add a completed order."""
        self.count += 1
        self.cny_fen += cny_fen
        self.usdt_micro += usdt_micro


def both_sides() -> ByType[SideTotals]:
    """Return empty totals of both sides."""
    return ByType(buy=SideTotals(), sell=SideTotals())


@dataclass(slots=True)
class DayTotals:
    """One day: its completed orders by side, and how many ended without a payment."""

    day: date
    completed: ByType[SideTotals] = field(default_factory=both_sides)
    unpaid: int = 0

    @property
    def margin_fen(self) -> int | None:
        """What the buys brought above the sells, for the USDT that is in both; None without one."""
        buy, sell = self.completed[OrderType.BUY], self.completed[OrderType.SELL]
        micro = min(buy.usdt_micro, sell.usdt_micro)
        if not micro:
            return None
        return micro * buy.cny_fen // buy.usdt_micro - micro * sell.cny_fen // sell.usdt_micro


def totals_by_day(orders: Iterable[Order]) -> Sequence[DayTotals]:
    """Add up ended orders by day, newest first; days without orders are left out."""
    days: dict[date, DayTotals] = {}
    for order in orders:
        on = day_of_creation(order)
        totals = days.setdefault(on, DayTotals(on))
        if order.status is OrderStatus.COMPLETED:
            quote = order.quote
            totals.completed[order.order_type].add(quote.cny_fen, quote.trader_micro)
        else:
            totals.unpaid += 1
    return sorted(days.values(), key=lambda totals: totals.day, reverse=True)


def day_of_creation(order: Order) -> date:
    """Return the date of the trading day on which an order was created."""
    return day_of(order.createtime)


def day_of(now: int) -> date:
    """Return the date of the trading day of a time (Unix seconds)."""
    return _FIRST + timedelta(days=trading_day(now))
