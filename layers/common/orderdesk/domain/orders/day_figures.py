"""The figures of a trading day: volume by hour, completion, time to confirm, disputes.

An order belongs to the day on which it was created. The figures are for operators' eyes; the
accounting figures are in domain/ledger/day_report.py.
"""

from collections import Counter
from dataclasses import dataclass, field

from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Actor

HOURS = 24
_HOUR_SECONDS = 3600
PERCENT = 100

# The upper ends of the classes of the time to confirm; the last class has no end.
CONFIRM_CLASSES_SECONDS = (60, 120, 300, 600, 1800, 3600)


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

    def add(self, order: Order, now: int) -> None:
        """Add an order that was created on the day, as it is at `now` (Unix seconds)."""
        hour = (order.createtime - self.start) // _HOUR_SECONDS
        status = order.status_at(now)
        self.statuses[status] += 1
        self.created[hour] += 1
        self.disputed[hour] += order.was_disputed
        self.over[hour] += not status.is_open
        if status is OrderStatus.COMPLETED:
            self.completed[hour] += 1
            self.completed_fen[hour] += order.quote.cny_fen
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
        """Count the confirmations by CONFIRM_CLASSES_SECONDS."""
        counts = [0] * (len(CONFIRM_CLASSES_SECONDS) + 1)
        for seconds in self.confirm_seconds:
            counts[sum(seconds > end for end in CONFIRM_CLASSES_SECONDS)] += 1
        return counts


def confirm_seconds(order: Order) -> int | None:
    """Return the seconds from the payment, or the assignment, to the trader's confirmation.

    None if the confirmation did not follow directly.
    """
    if len(order.timeline) < 2 or order.timeline[-1].by != Actor.TRADER:  # noqa: PLR2004 a pair
        return None
    before, last = order.timeline[-2:]
    waited = {OrderStatus.PAID, OrderStatus.ASSIGNED}
    if last.status is not OrderStatus.COMPLETED or before.status not in waited:
        return None
    return last.time - before.time
