"""The portal's overview: a merchant's live balance, limits, disputes, endpoints and days.

Four requests to DynamoDB; five or more if the balance is split over several items.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Protocol

from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.orders.day_figures import SHOWN_DAYS, MerchantDay
from orderdesk.domain.orders.open_orders import CNY_LIMIT, COUNT_LIMIT, OpenLimit
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.times import date_in_china
from orderdesk.services.merchants.statement import MerchantBalance

_NEAR_PERCENT = 80


class OverviewReads(Protocol):
    """Reads a merchant's state in live mode. Each method raises TryAgain."""

    def accounts(self, merchant: Merchant) -> tuple[MerchantBalance, Mapping[OpenLimit, int]]:
        """Return the balance, and what the limits count."""

    def open_disputes(self, merchant_id: str) -> int:
        """Count the disputed orders; the index may lag."""


@dataclass(frozen=True, slots=True)
class OverviewPorts:
    """The ports of the overview. Each raises TryAgain.

    `days` returns the figures of each day, with when it was counted (Unix seconds), None if never.
    `paused_origins` returns the origins of the merchant's paused endpoints; the index may lag.
    """

    reads: OverviewReads
    days: Callable[[str, Sequence[date]], Sequence[tuple[MerchantDay, int | None]]]
    paused_origins: Callable[[str, Mode], Sequence[str]]


@dataclass(frozen=True, slots=True)
class LimitUse:
    """How much of a limit open orders use: orders, or fen."""

    limit: OpenLimit
    used: int
    most: int


@dataclass(frozen=True, slots=True)
class ShownDay:
    """A day and when its orders were counted (Unix seconds), None if not yet."""

    date: date
    figures: MerchantDay
    counted_at: int | None


@dataclass(frozen=True, slots=True)
class Overview:
    """A merchant's overview; `days` are the last ones, oldest first, today at the end."""

    balance: MerchantBalance
    near: tuple[LimitUse, ...]
    disputes: int
    paused: tuple[str, ...]
    days: tuple[ShownDay, ...]

    @property
    def total(self) -> MerchantDay:
        """The sum of all days."""
        return sum((day.figures for day in self.days), MerchantDay())


def overview(ports: OverviewPorts, merchant: Merchant, now: int) -> Overview:
    """Return a merchant's overview at a time (Unix seconds). Raises: TryAgain."""
    merchant_id = merchant.merchant_id
    balance, used = ports.reads.accounts(merchant)
    today = date_in_china(now)
    dates = [today - timedelta(days=back) for back in reversed(range(SHOWN_DAYS))]
    found = ports.days(merchant_id, dates)
    return Overview(
        balance=balance,
        near=tuple(
            each for each in _limits(merchant, used) if each.used * 100 >= each.most * _NEAR_PERCENT
        ),
        disputes=ports.reads.open_disputes(merchant_id),
        paused=tuple(ports.paused_origins(merchant_id, Mode.LIVE)),
        days=tuple(ShownDay(day, *one) for day, one in zip(dates, found, strict=True)),
    )


def _limits(merchant: Merchant, used: Mapping[OpenLimit, int]) -> list[LimitUse]:
    return [
        LimitUse(limit, used[limit], most)
        for order_type in OrderType
        for limit, most in zip(
            (COUNT_LIMIT[order_type], CNY_LIMIT[order_type]),
            merchant.terms.open_limits(order_type),
            strict=True,
        )
    ]
