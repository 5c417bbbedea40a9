"""A trader's ended orders: page by page, or searched, and the totals of their days.

Every call reads a limited number. A day is the trading day (UTC+8) on which orders were created.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from orderdesk.domain.ids import id_range
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import ByType, OrderType
from orderdesk.domain.times import date_in_china
from orderdesk.domain.traders.trader import Trader

READ_ORDERS = 100
READS_MAX = 20
SEARCHED_MAX = READ_ORDERS * READS_MAX
"""How many orders one search reads at most."""

_FIRST_ID, _LAST_ID = id_range(None, None)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Search criteria: the end of the order_no, the exact amount, the first and last order id.

    An order id grows with the time of creation, so a span of ids is a span of days.
    """

    number_end: str = ""
    cny_fen: int | None = None
    first_id: int = _FIRST_ID
    last_id: int = _LAST_ID

    def has(self, order: Order) -> bool:
        """Return whether an order of the span matches."""
        fits_amount = self.cny_fen is None or order.quote.cny_fen == self.cny_fen
        return fits_amount and order.order_no.endswith(self.number_end)

    @property
    def is_filtered(self) -> bool:
        """Whether some orders of the span may not match."""
        return bool(self.number_end) or self.cny_fen is not None


ALL = Wanted()
"""Every ended order."""


@dataclass(frozen=True, slots=True)
class Found:
    """Matching orders, newest first; the next page begins below the order id `before`, if any.

    `is_cut`: the search stopped at its limit of reads, and there may be more orders.
    """

    orders: Sequence[Order]
    before: int | None
    is_cut: bool = False


type PastOrders = Callable[[str, int, int, int], Sequence[Order]]
"""`DeskOrders.done`."""


def find_past(
    past: PastOrders, trader: Trader, wanted: Wanted, before_id: int | None, *, limit: int
) -> Found:
    """Return at most `limit` matching orders with ids below `before_id`. Raises: TryAgain."""
    last_id = wanted.last_id if before_id is None else min(wanted.last_id, before_id - 1)
    size = READ_ORDERS if wanted.is_filtered else min(limit + 1, READ_ORDERS)
    found: list[Order] = []
    for _ in range(READS_MAX):
        if last_id < wanted.first_id:
            return Found(found, None)
        read = past(trader.trader_id, wanted.first_id, last_id, size)
        found += [order for order in read if wanted.has(order)]
        if len(found) > limit:
            return Found(found[:limit], found[limit - 1].order_id)
        if len(read) < size:
            return Found(found, None)
        last_id = read[-1].order_id - 1
    return Found(found, last_id + 1, is_cut=True)


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


@dataclass(slots=True)
class DayTotals:
    """One day: its completed orders by side, and how many ended without a payment."""

    day: date
    completed: ByType[SideTotals] = field(
        default_factory=lambda: ByType(buy=SideTotals(), sell=SideTotals())
    )
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
        on = date_in_china(order.createtime)
        totals = days.setdefault(on, DayTotals(on))
        if order.status is OrderStatus.COMPLETED:
            quote = order.quote
            totals.completed[order.order_type].add(quote.cny_fen, quote.trader_micro)
        else:
            totals.unpaid += 1
    return sorted(days.values(), key=lambda totals: totals.day, reverse=True)
