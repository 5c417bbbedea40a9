"""Open orders: what a merchant's limits count, and which amounts buys have (section 6).

Each merchant and mode has its own counters. One counter is one item, and only one transaction at a
time can write an item. High limits are therefore split over several counters, each with its share
of both limits. The shares sum to the limits, so concurrent orders can never exceed them.

A counter of buys is an item of its own. Sells are counted on the shard of the merchant's balance
that holds their USDT, because each sell writes this item anyway.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import ByType, OrderType

SHARDS_MAX = 10
# A share must be far larger than one order. Otherwise the rest of the limits would be spread over
# counters of which none has room for the next order.
_SHARE_ORDERS_MIN = 500
_SHARE_LARGEST_MIN = 10


class OpenLimit(StrEnum):
    """The limits of a merchant's open orders, by the operators' names."""

    BUYS = "max_open_buys"
    CNY = "max_open_cny"
    SELLS = "max_open_sells"
    SELL_CNY = "max_open_sell_cny"


COUNT_LIMIT = ByType(buy=OpenLimit.BUYS, sell=OpenLimit.SELLS)
CNY_LIMIT = ByType(buy=OpenLimit.CNY, sell=OpenLimit.SELL_CNY)


@dataclass(frozen=True, slots=True)
class OpenShare:
    """One counter's share of a merchant's limits: a number of orders, and their sum in fen."""

    shard: int
    max_orders: int
    max_fen: int

    def full(self, order_type: OrderType, counted: object) -> OpenLimit:
        """Return the limit that refused an order, by the counter's number of orders."""
        is_number = isinstance(counted, int) and counted >= self.max_orders
        return (COUNT_LIMIT if is_number else CNY_LIMIT)[order_type]


def open_shares(
    *, max_orders: int, max_fen: int, largest_fen: int, shards_max: int = SHARDS_MAX
) -> tuple[OpenShare, ...]:
    """Split a merchant's limits into shares; `largest_fen` is its largest order.

    A share is at least 500 orders and ten of the largest orders, so usual limits have one share.
    """
    shards = min(
        shards_max, max_orders // _SHARE_ORDERS_MIN, max_fen // (_SHARE_LARGEST_MIN * largest_fen)
    )
    of = max(1, shards)
    return tuple(
        OpenShare(shard, _part(max_orders, shard, of), _part(max_fen, shard, of))
        for shard in range(of)
    )


def share_of(order: Order, *, max_orders: int, max_fen: int, largest_fen: int) -> OpenShare | None:
    """Return the share of a merchant's limits by which a buy was counted; None if it was not.

    A counter that the present limits do not use has no room.
    """
    if order.open_shard is None:
        return None
    shares = open_shares(max_orders=max_orders, max_fen=max_fen, largest_fen=largest_fen)
    if order.open_shard < len(shares):
        return shares[order.open_shard]
    return OpenShare(order.open_shard, 0, 0)


@dataclass(frozen=True, slots=True)
class UnpaidBuys:
    """Of some buys of a merchant: how many have ended, and how many of these without payment.

    A buy that was cancelled or has expired ended without payment.
    """

    ended: int = 0
    unpaid: int = 0

    @classmethod
    def of(cls, statuses: Iterable[OrderStatus]) -> Self:
        """Count buys by their statuses."""
        ended = [status for status in statuses if not status.is_open]
        return cls(len(ended), sum(status is not OrderStatus.COMPLETED for status in ended))

    def __add__(self, other: "UnpaidBuys") -> "UnpaidBuys":
        return UnpaidBuys(self.ended + other.ended, self.unpaid + other.unpaid)

    @property
    def percent(self) -> int | None:
        """The share of ended buys without payment, rounded down; None if none has ended."""
        return self.unpaid * 100 // self.ended if self.ended else None


def _part(total: int, index: int, of: int) -> int:
    return total // of + (index < total % of)


def counter_key(merchant_id: str, mode: Mode, shard: int) -> str:
    """Return the key of a counter of buys in the Orders table."""
    return f"open_buys:{merchant_id}:{mode.value}:{shard}"


def is_counted(order: Order) -> bool:
    """Return whether the limits count an order.

    They count open orders, except those from before the counters.
    """
    return order.status.is_open and order.open_shard is not None


def count_change(before: Order, after: Order) -> int:
    """Return how a move changes the count of open orders: 1, 0 or -1."""
    return is_counted(after) - is_counted(before)


def moves_amount(before: Order, after: Order) -> bool:
    """Return whether a move changes the record of a buy's amount: it ends, or is opened again."""
    return after.unique_amount and count_change(before, after) != 0
