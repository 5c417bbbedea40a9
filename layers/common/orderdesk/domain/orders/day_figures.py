"""The figures of a trading day: orders, volume, completion, durations, disputes.

An order belongs to the day on which it was created. So the figures are a function of the orders of
that day: however often a change of an order was delivered, they cannot drift. They are for people's
eyes; the accounting figures are in domain/ledger/day_report.py.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Final, Self

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.day_totals import SideTotals, both_sides
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry, status_at
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import ByType, OrderType
from orderdesk.domain.traders.trader import DAY_OFFSET_SECONDS

SHOWN_DAYS: Final = 30
"""How many days merchants see, today among them."""

HOURS = 24
_HOUR_SECONDS = 3600
PERCENT = 100

# The upper ends of the classes of a duration; the last class has no end.
CLASSES_SECONDS = (60, 120, 300, 600, 1800, 3600)


@dataclass(frozen=True, slots=True)
class OrderFacts:
    """What the figures count of an order; CNY in fen, USDT in micro."""

    merchant_id: str
    order_type: OrderType
    mode: Mode
    status: OrderStatus
    cny_fen: int
    usdt_micro: int
    expire_time: int | None
    timeline: tuple[TimelineEntry, ...]

    @property
    def createtime(self) -> int:
        """When the order was created (Unix seconds)."""
        return self.timeline[0].time

    @property
    def was_disputed(self) -> bool:
        """Whether the order was ever disputed."""
        return any(entry.status is OrderStatus.DISPUTED for entry in self.timeline)

    def status_at(self, now: int) -> OrderStatus:
        """Return the status as of a time (Unix seconds)."""
        return status_at(self.status, self.expire_time, now)


def facts_of(order: Order) -> OrderFacts:
    """Return what the figures count of an order."""
    return OrderFacts(
        order.merchant_id,
        order.order_type,
        order.mode,
        order.status,
        order.quote.cny_fen,
        order.quote.usdt_micro,
        order.expire_time,
        order.timeline,
    )


@dataclass(slots=True)
class Durations:
    """How long something took: how often, in all (seconds), and by CLASSES_SECONDS."""

    count: int = 0
    total_seconds: int = 0
    classes: list[int] = field(default_factory=lambda: [0] * (len(CLASSES_SECONDS) + 1))

    def add(self, seconds: int) -> None:
        """Add one duration."""
        self.count += 1
        self.total_seconds += seconds
        self.classes[sum(seconds > end for end in CLASSES_SECONDS)] += 1

    def within(self, percent: int) -> int | None:
        """Return the end of the class with this percentile, in seconds.

        None if there is no duration, or if the class has no end.
        """
        rank, seen = -(-self.count * percent // PERCENT), 0
        for end, count in zip(CLASSES_SECONDS, self.classes, strict=False):
            seen += count
            if self.count and seen >= rank:
                return end
        return None


@dataclass(slots=True)
class DayCounts:
    """The figures of a merchant's day in one mode.

    `to_pay` is from the creation to the first payment or assignment, `to_complete` from the last
    one to the completion. `completed` are counts and amounts by side.
    """

    created: Counter[OrderType] = field(default_factory=Counter)
    ended: Counter[OrderStatus] = field(default_factory=Counter)
    disputed: int = 0
    completed: ByType[SideTotals] = field(default_factory=both_sides)
    to_pay: Durations = field(default_factory=Durations)
    to_complete: Durations = field(default_factory=Durations)

    def add(self, order: OrderFacts, now: int) -> None:
        """Add an order that was created on the day, as it is at `now` (Unix seconds)."""
        status = order.status_at(now)
        self.created[order.order_type] += 1
        self.disputed += order.was_disputed
        if not status.is_open:
            self.ended[status] += 1
        if status is OrderStatus.COMPLETED:
            self.completed[order.order_type].add(order.cny_fen, order.usdt_micro)
        taken = [entry.time for entry in order.timeline if entry.status in _TAKEN]
        if taken:
            self.to_pay.add(taken[0] - order.createtime)
            if status is OrderStatus.COMPLETED:
                self.to_complete.add(order.timeline[-1].time - taken[-1])


def counts_by_merchant(
    orders: Iterable[OrderFacts], now: int
) -> Mapping[tuple[str, Mode], DayCounts]:
    """Return the figures of each merchant and mode, of orders that were created on one day."""
    counts: defaultdict[tuple[str, Mode], DayCounts] = defaultdict(DayCounts)
    for order in orders:
        counts[order.merchant_id, order.mode].add(order, now)
    return counts


@dataclass(slots=True)
class DayFigures:
    """The figures of a day that starts at `start` (Unix seconds); CNY in fen, times in seconds."""

    start: int
    created: list[int] = field(default_factory=lambda: [0] * HOURS)
    over: list[int] = field(default_factory=lambda: [0] * HOURS)
    completed: list[int] = field(default_factory=lambda: [0] * HOURS)
    completed_fen: list[int] = field(default_factory=lambda: [0] * HOURS)
    disputed: list[int] = field(default_factory=lambda: [0] * HOURS)
    statuses: Counter[OrderStatus] = field(default_factory=Counter)
    confirm_seconds: list[int] = field(default_factory=list)

    def add(self, order: OrderFacts, now: int) -> None:
        """Add an order that was created on the day, as it is at `now` (Unix seconds)."""
        hour = (order.createtime - self.start) // _HOUR_SECONDS
        status = order.status_at(now)
        self.statuses[status] += 1
        self.created[hour] += 1
        self.disputed[hour] += order.was_disputed
        self.over[hour] += not status.is_open
        if status is OrderStatus.COMPLETED:
            self.completed[hour] += 1
            self.completed_fen[hour] += order.cny_fen
        seconds = confirm_seconds(order)
        if seconds is not None:
            self.confirm_seconds.append(seconds)

    @property
    def orders(self) -> int:
        """The number of orders that were created."""
        return sum(self.created)

    @property
    def completed_percent(self) -> int | None:
        """The share of ended orders that were completed, rounded down; None if none has ended."""
        over = sum(self.over)
        return sum(self.completed) * PERCENT // over if over else None

    def confirmed_within(self, percent: int) -> int | None:
        """Return the seconds within which `percent` of the confirmations came; None without any."""
        times = sorted(self.confirm_seconds)
        return times[-(-len(times) * percent // PERCENT) - 1] if times else None

    def confirm_classes(self) -> list[int]:
        """Count the confirmations by CLASSES_SECONDS."""
        durations = Durations()
        for seconds in self.confirm_seconds:
            durations.add(seconds)
        return durations.classes


_TAKEN = frozenset({OrderStatus.PAID, OrderStatus.ASSIGNED})


def confirm_seconds(order: OrderFacts) -> int | None:
    """Return the seconds from the payment, or the assignment, to the trader's confirmation.

    None if the confirmation did not follow directly.
    """
    if len(order.timeline) < 2 or order.timeline[-1].by != Actor.TRADER:  # noqa: PLR2004 a pair
        return None
    before, last = order.timeline[-2:]
    if last.status is not OrderStatus.COMPLETED or before.status not in _TAKEN:
        return None
    return last.time - before.time


@dataclass(frozen=True, slots=True)
class MerchantDay:
    """What a merchant sees of a day, or of several: counts of orders, and fen completed.

    `completing` is how long confirmations took.
    """

    orders: int = 0
    ended: int = 0
    completed: int = 0
    completed_fen: int = 0
    completing: Durations = field(default_factory=Durations)

    @classmethod
    def of(cls, counts: DayCounts) -> Self:
        """Return what a merchant sees of the figures."""
        sides = [counts.completed[order_type] for order_type in OrderType]
        return cls(
            orders=counts.created.total(),
            ended=counts.ended.total(),
            completed=sum(side.count for side in sides),
            completed_fen=sum(side.cny_fen for side in sides),
            completing=counts.to_complete,
        )

    def __add__(self, other: "MerchantDay") -> "MerchantDay":
        classes = zip(self.completing.classes, other.completing.classes, strict=True)
        return MerchantDay(
            self.orders + other.orders,
            self.ended + other.ended,
            self.completed + other.completed,
            self.completed_fen + other.completed_fen,
            Durations(
                self.completing.count + other.completing.count,
                self.completing.total_seconds + other.completing.total_seconds,
                [one + more for one, more in classes],
            ),
        )

    @property
    def completed_percent(self) -> int | None:
        """The share of ended orders that were completed, rounded down; None if none has ended."""
        return self.completed * PERCENT // self.ended if self.ended else None


def date_in_china(seconds: int) -> date:
    """Return the date of the trading day (UTC+8) of a time in Unix seconds."""
    return datetime.fromtimestamp(seconds + DAY_OFFSET_SECONDS, UTC).date()
