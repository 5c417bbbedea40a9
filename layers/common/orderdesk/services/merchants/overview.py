"""The portal's overview: a merchant's live balance, limits, disputes, endpoints and days.

At most six requests to DynamoDB, unless the balance is split over several items.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Protocol

from orderdesk.domain.callbacks.endpoints import PAUSED_MOST
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.day_figures import SHOWN_DAYS, MerchantDay, date_in_china
from orderdesk.domain.orders.open_orders import CNY_LIMIT, COUNT_LIMIT, OpenLimit
from orderdesk.domain.pricing import OrderType
from orderdesk.services.callbacks.ports import Endpoints
from orderdesk.services.merchants.statement import Balances, MerchantBalance, merchant_balance

_NEAR_PERCENT = 80


class OverviewReads(Protocol):
    """Reads a merchant's state in live mode. Each method raises TryAgain."""

    def accounts(
        self, merchant: Merchant
    ) -> tuple[MerchantBalance | None, Mapping[OpenLimit, int]]:
        """Return the balance, None if it is split, and what the limits of sells count."""

    def open_buys(self, merchant_id: str) -> Mapping[OpenLimit, int]:
        """Return what the limits of buys count."""

    def open_disputes(self, merchant_id: str) -> int:
        """Count the disputed orders; the index may lag."""


class ShownDays(Protocol):
    """Reads the figures of a merchant's days."""

    def days(
        self, merchant_id: str, days: Sequence[date]
    ) -> Sequence[tuple[MerchantDay, int | None]]:
        """Return each day with when it was counted (Unix seconds), None if never.

        Raises: TryAgain.
        """


@dataclass(frozen=True, slots=True)
class OverviewPorts:
    """The ports of the overview."""

    reads: OverviewReads
    days: ShownDays
    balances: Balances
    endpoints: Endpoints


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
    balance, sells = ports.reads.accounts(merchant)
    if balance is None:
        balance = merchant_balance(ports.balances, merchant_id, Mode.LIVE)
    today = date_in_china(now)
    dates = [today - timedelta(days=back) for back in reversed(range(SHOWN_DAYS))]
    found = ports.days.days(merchant_id, dates)
    used = {**sells, **ports.reads.open_buys(merchant_id)}
    paused = ports.endpoints.paused(merchant_id, Mode.LIVE, PAUSED_MOST)
    return Overview(
        balance=balance,
        near=tuple(each for each in _limits(merchant, used) if _is_near(each)),
        disputes=ports.reads.open_disputes(merchant_id),
        paused=tuple(each.id.origin for each in paused),
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


def _is_near(use: LimitUse) -> bool:
    return use.used * 100 >= use.most * _NEAR_PERCENT
