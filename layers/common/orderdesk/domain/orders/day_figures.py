"""The figures of a trading day: orders, volume, completion, durations, disputes.

An order belongs to the day on which it was created. What it counts at a time follows from its
timeline alone, so a seal adds what its orders count at its end and subtracts what they counted at
its start. The figures are for people's eyes; the accounting figures are in
domain/ledger/day_report.py.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Self

from orderdesk.domain.orders.open_orders import UnpaidBuys
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.times import DAY_OFFSET_SECONDS, SECONDS_PER_DAY, trading_day

SHOWN_DAYS: Final = 30
"""How many days merchants see, today among them."""

PERCENT = 100
_HOURS = 24
_HOUR_SECONDS = 3600
_FIRST = date(1970, 1, 1).toordinal()

# The upper ends of the classes of a duration; the last class has no end.
CLASSES_SECONDS = (60, 120, 300, 600, 1800, 3600)
_CLASSES = len(CLASSES_SECONDS) + 1

type Counts = Mapping[str, int]
"""Counts by name; a name may end with an hour, a status, a class or seconds."""


def class_of(seconds: int) -> int:
    """Return the index of a duration's class."""
    return sum(seconds > end for end in CLASSES_SECONDS)


_TAKEN = frozenset({OrderStatus.PAID, OrderStatus.ASSIGNED})


def figures_name(day: int, mode: Mode, merchant_id: str = "") -> str:
    """Return the key of the figures of a day and mode, of all merchants or of one."""
    return f"{day}:{mode.value}:{merchant_id}"


def split_figures_name(key: str) -> tuple[date, Mode, str]:
    """Return the date, the mode and the merchant_id of a key, "" for all merchants."""
    day, mode, merchant_id = key.split(":", 2)
    return date.fromordinal(_FIRST + int(day)), Mode(mode), merchant_id


def counts_at(order: Order, at: int) -> Iterator[tuple[str, Counter[str]]]:
    """Yield the keys of an order's figures, with what it counted in them just before a time.

    A merchant sees its live orders only.
    """
    past = [entry for entry in order.timeline if entry.time < at]
    if past:
        day = trading_day(order.createtime)
        yield figures_name(day, order.mode), _desk_counts(order, past)
        if order.mode is Mode.LIVE:
            yield figures_name(day, order.mode, order.merchant_id), _merchant_counts(order, past)


def _merchant_counts(order: Order, past: Sequence[TimelineEntry]) -> Counter[str]:
    last = past[-1]
    buys = UnpaidBuys.of([last.status] if order.order_type is OrderType.BUY else [])
    counts = Counter(orders=1, ended=int(not last.status.is_open))
    counts += Counter(buys=buys.ended, unpaid=buys.unpaid)
    if last.status is OrderStatus.COMPLETED:
        counts += Counter(completed=1, fen=order.quote.cny_fen)
        taken = [entry.time for entry in past if entry.status in _TAKEN]
        if taken:
            seconds = last.time - taken[-1]
            counts += Counter({"seconds": seconds, f"class {class_of(seconds)}": 1})
    return counts


def _desk_counts(order: Order, past: Sequence[TimelineEntry]) -> Counter[str]:
    last = past[-1]
    hour = (order.createtime + DAY_OFFSET_SECONDS) % SECONDS_PER_DAY // _HOUR_SECONDS
    counts = Counter({"orders": 1, f"created {hour}": 1, f"status {last.status.value}": 1})
    counts["ended"] += int(not last.status.is_open)
    counts[f"disputed {hour}"] += int(any(each.status is OrderStatus.DISPUTED for each in past))
    if last.status is OrderStatus.COMPLETED:
        counts += Counter({"completed": 1, f"fen {hour}": order.quote.cny_fen})
    seconds = confirm_seconds(past)
    if seconds is not None:
        counts[f"confirmed {_rounded(seconds)}"] += 1
    return counts


def confirm_seconds(timeline: Sequence[TimelineEntry]) -> int | None:
    """Return the seconds from the payment, or the assignment, to the trader's confirmation.

    None if the confirmation did not follow directly.
    """
    if len(timeline) < 2 or timeline[-1].by != Actor.TRADER:  # noqa: PLR2004 a pair
        return None
    before, last = timeline[-2:]
    if last.status is not OrderStatus.COMPLETED or before.status not in _TAKEN:
        return None
    return last.time - before.time


def _rounded(seconds: int) -> int:
    """Round more than an hour up to whole hours, so that there are few different durations."""
    hours = -(-seconds // _HOUR_SECONDS)
    return seconds if hours <= 1 else hours * _HOUR_SECONDS


def figures_after(
    before: Mapping[str, Counts], orders: Iterable[Order], start: int, end: int
) -> dict[str, Counts]:
    """Return the figures after a span of [start, end) in Unix seconds.

    `orders` are those that changed in it. An order whose figures are not kept any more counts no
    more; nor does one that is older than the days that are shown.
    """
    sums = {key: Counter(counts) for key, counts in before.items()}
    oldest = trading_day(end - 1) - SHOWN_DAYS
    for order in orders:
        is_new = order.createtime >= start
        past = dict(counts_at(order, start))
        for key, counts in counts_at(order, end):
            if (is_new or key in before) and trading_day(order.createtime) > oldest:
                one = sums.setdefault(key, Counter())
                one.update(counts)
                one.subtract(past.get(key, Counter()))
    return {key: {name: n for name, n in sorted(one.items()) if n} for key, one in sums.items()}


def is_kept(key: str, counts: Counts, today: int) -> bool:
    """Return whether a seal of a day keeps figures: the day's, the day before's, and open ones."""
    day = int(key.partition(":")[0])
    is_open = counts.get("orders", 0) > counts.get("ended", 0)
    return day >= today - 1 or (is_open and day > today - SHOWN_DAYS)


@dataclass(frozen=True, slots=True)
class DayFigures:
    """The figures of a day and mode of all merchants; CNY in fen, times in seconds."""

    counts: Counts = field(default_factory=dict)

    @property
    def orders(self) -> int:
        """The number of orders that were created."""
        return self.counts.get("orders", 0)

    @property
    def created(self) -> list[int]:
        """The number of orders by the hour of their creation."""
        return self._by_hour("created")

    @property
    def completed_fen(self) -> list[int]:
        """The CNY of completed orders by the hour of their creation."""
        return self._by_hour("fen")

    @property
    def disputed(self) -> list[int]:
        """How many orders were ever disputed, by the hour of their creation."""
        return self._by_hour("disputed")

    @property
    def statuses(self) -> Mapping[OrderStatus, int]:
        """The number of orders by status."""
        named = ((status, self.counts.get(f"status {status.value}", 0)) for status in OrderStatus)
        return {status: count for status, count in named if count}

    @property
    def completed_percent(self) -> int | None:
        """The share of ended orders that were completed, rounded down; None if none has ended."""
        ended = self.counts.get("ended", 0)
        return self.counts.get("completed", 0) * PERCENT // ended if ended else None

    def confirmed_within(self, percent: int) -> int | None:
        """Return the seconds within which `percent` of the confirmations came; None without any."""
        times = sorted(self._confirmed().elements())
        return times[-(-len(times) * percent // PERCENT) - 1] if times else None

    def confirm_classes(self) -> list[int]:
        """Count the confirmations by CLASSES_SECONDS."""
        classes = [0] * _CLASSES
        for seconds, count in self._confirmed().items():
            classes[class_of(seconds)] += count
        return classes

    def _by_hour(self, name: str) -> list[int]:
        return [self.counts.get(f"{name} {hour}", 0) for hour in range(_HOURS)]

    def _confirmed(self) -> Counter[int]:
        names = (each.partition(" ") for each in self.counts)
        return Counter(
            {
                int(last): self.counts[f"confirmed {last}"]
                for n, _, last in names
                if n == "confirmed"
            }
        )


def ended_buys(counts: Counts) -> UnpaidBuys:
    """Return how many buys of a merchant's day have ended, and how many of them unpaid."""
    return UnpaidBuys(counts.get("buys", 0), counts.get("unpaid", 0))


@dataclass(frozen=True, slots=True)
class MerchantDay:
    """What a merchant sees of a day, or of several: counts of orders, and fen completed.

    `total_seconds` and `classes`, by CLASSES_SECONDS, are of how long confirmations took.
    """

    orders: int = 0
    ended: int = 0
    completed: int = 0
    completed_fen: int = 0
    total_seconds: int = 0
    classes: tuple[int, ...] = (0,) * _CLASSES

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """Return what a merchant sees of the figures."""
        return cls(
            counts.get("orders", 0),
            counts.get("ended", 0),
            counts.get("completed", 0),
            counts.get("fen", 0),
            counts.get("seconds", 0),
            tuple(counts.get(f"class {number}", 0) for number in range(_CLASSES)),
        )

    def __add__(self, other: "MerchantDay") -> "MerchantDay":
        return MerchantDay(
            self.orders + other.orders,
            self.ended + other.ended,
            self.completed + other.completed,
            self.completed_fen + other.completed_fen,
            self.total_seconds + other.total_seconds,
            tuple(one + more for one, more in zip(self.classes, other.classes, strict=True)),
        )

    @property
    def completed_percent(self) -> int | None:
        """The share of ended orders that were completed, rounded down; None if none has ended."""
        return self.completed * PERCENT // self.ended if self.ended else None

    @property
    def confirmed(self) -> int:
        """The number of confirmations whose duration is known."""
        return sum(self.classes)

    def confirmed_within(self, percent: int) -> int | None:
        """Return the end of the class with this percentile of the confirmations, in seconds.

        None if there is no confirmation, or if the class has no end.
        """
        rank, seen = -(-self.confirmed * percent // PERCENT), 0
        for end, count in zip(CLASSES_SECONDS, self.classes, strict=False):
            seen += count
            if seen >= rank > 0:
                return end
        return None
