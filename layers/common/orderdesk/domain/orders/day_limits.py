"""The desk's limits of a trading day: of a customer's buys, and of a payee account's sells.

A day has one count for each mode and keyed hash. It grows in the order's own transaction, and never
shrinks: a cancelled or expired order stays counted (contract section 3, 2106).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.blocks import BlockKind, Subject
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import DAY_OFFSET_SECONDS, SECONDS_PER_DAY, trading_day

LIMITS = ("id_card_daily_cny", "id_card_daily_count", "payee_daily_cny", "payee_daily_count")
"""The names of the limits; an amount is stored in fen. 0 is none."""

_KINDS: Mapping[OrderType, tuple[str, tuple[BlockKind, ...]]] = {
    OrderType.BUY: ("id_card", (BlockKind.ID_CARD,)),
    OrderType.SELL: ("payee", (BlockKind.CARD, BlockKind.ACCOUNT)),
}


@dataclass(frozen=True, slots=True)
class DayCount:
    """What an order adds to the count of its day; `most_fen` and `most` are the limits, 0 is none.

    The count is over at `expires_at` (Unix seconds).
    """

    mode: Mode
    day: int
    digest: str
    fen: int
    most_fen: int
    most: int
    expires_at: int

    @property
    def is_too_large(self) -> bool:
        """Whether the order alone is above the limit."""
        return 0 < self.most_fen < self.fen


def limits_of(limits: Mapping[str, int], order_type: OrderType) -> tuple[int, int]:
    """Return the limits of a day for orders of this type: CNY in fen, and count."""
    name, _ = _KINDS[order_type]
    return limits.get(f"{name}_daily_cny", 0), limits.get(f"{name}_daily_count", 0)


def counted_subject(order_type: OrderType, subjects: Iterable[Subject]) -> Subject | None:
    """Return whose day an order of this type counts in; None if it names nobody."""
    _, kinds = _KINDS[order_type]
    return next((subject for subject in subjects if subject[0] in kinds), None)


def day_count(limits: tuple[int, int], digest: str, mode: Mode, fen: int, now: int) -> DayCount:
    """Return what an order adds to the day of a time (Unix seconds)."""
    day, (most_fen, most) = trading_day(now), limits
    ends = (day + 2) * SECONDS_PER_DAY - DAY_OFFSET_SECONDS
    return DayCount(mode, day, digest, fen, most_fen, most, ends)
