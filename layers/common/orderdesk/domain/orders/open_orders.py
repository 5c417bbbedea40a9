"""Open orders: what a merchant's limits count, and which amounts buys have (section 6).

Each merchant and mode has its own counters. One counter is one item, and only one transaction at a
time can write an item. High limits are therefore split over several counters. Each counter stores
how much of its share is used. The room of all counters never exceeds what the limits leave, so
concurrent orders can never exceed them.

A change of the limits raises the terms' `limits_epoch`. A counter with another epoch takes no order
until the room was shared out anew (`share_out`), from one read of all counters.

A counter of buys is an item of its own. Sells are counted on the shard of the merchant's balance
that holds their USDT, because each sell writes this item anyway.

Sells that wait for a trader take turns by merchant, and so do live and test.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import ByType, Mode, OrderType

SHARDS_MAX = 10
COUNTER_PREFIX = "open_buys:"

CANCELS_AN_HOUR = 20
"""How many cancelled buys of a merchant reserve their amounts in an hour; further ones do not."""

_HOUR_SECONDS, _HOUR_UNIT = 3_600, 10**6

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
    """One counter's share of a merchant's limits: a number of orders, and their sum in fen.

    `epoch` is that of the limits. With epoch 0 they are the first ones, and a counter that does not
    exist yet has its whole share.
    """

    shard: int
    max_orders: int
    max_fen: int
    epoch: int = 0


def refused_by(order_type: OrderType, left_orders: int) -> OpenLimit:
    """Return the limit that refuses an order, by the number of orders for which there is room."""
    return (CNY_LIMIT if left_orders > 0 else COUNT_LIMIT)[order_type]


@dataclass(frozen=True, slots=True)
class NeedsRoom:
    """An order that needs room in a merchant's limits; `first` is the counter to get it."""

    merchant_id: str
    mode: Mode
    order_type: OrderType
    cny_fen: int
    first: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """A counter as read: its open orders, their sum in fen, and the epoch of its share."""

    shard: int
    orders: int
    fen: int
    epoch: int | None


CLOSED_EPOCH = -1
"""The epoch of counters without any room: the merchant has more open than its limits allow."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A counter's share, and the room that is left of it: a number of orders, and fen.

    The room may be larger than the share, if other counters have less.
    """

    share: OpenShare
    room: int = 0
    room_fen: int = 0


def share_at(limits: Sequence[OpenShare], shard: int) -> OpenShare:
    """Return a counter's share; one that the limits do not use has none."""
    return limits[shard] if shard < len(limits) else OpenShare(shard, 0, 0, limits[0].epoch)


def share_out(
    wanted: NeedsRoom, counters: Sequence[Counted], limits: Sequence[OpenShare], largest_fen: int
) -> list[Shared] | OpenLimit:
    """Share what a merchant's limits leave out over its counters, the first of them for an order.

    `limits` are the shares of the present limits. Return the limit that has no room, if there is
    one.
    """
    room = sum(each.max_orders for each in limits) - sum(each.orders for each in counters)
    room_fen = sum(each.max_fen for each in limits) - sum(each.fen for each in counters)
    if room < 1 or room_fen < wanted.cny_fen:
        return refused_by(wanted.order_type, room)
    parts = open_shares(
        max_orders=room, max_fen=room_fen, largest_fen=largest_fen, shards_max=len(limits)
    )
    others = (each.shard for each in limits if each.shard != wanted.first)
    return [
        Shared(share_at(limits, shard), part.max_orders, part.max_fen)
        for part, shard in zip(parts, (wanted.first, *others), strict=False)
    ]


def open_shares(
    *, max_orders: int, max_fen: int, largest_fen: int, shards_max: int = SHARDS_MAX, epoch: int = 0
) -> tuple[OpenShare, ...]:
    """Split a merchant's limits into shares; `largest_fen` is its largest order.

    A share is at least 500 orders and ten of the largest orders, so usual limits have one share.
    """
    shards = min(
        shards_max,
        max_orders // _SHARE_ORDERS_MIN,
        max_fen // (_SHARE_LARGEST_MIN * max(1, largest_fen)),
    )
    of = max(1, shards)
    return tuple(
        OpenShare(shard, _part(max_orders, shard, of), _part(max_fen, shard, of), epoch)
        for shard in range(of)
    )


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

    @property
    def percent(self) -> int | None:
        """The share of ended buys without payment, rounded down; None if none has ended."""
        return self.unpaid * 100 // self.ended if self.ended else None


def _part(total: int, index: int, of: int) -> int:
    return total // of + (index < total % of)


def counter_key(merchant_id: str, mode: Mode, shard: int) -> str:
    """Return the key of a counter of buys in the Orders table."""
    return f"{COUNTER_PREFIX}{merchant_id}:{mode.value}:{shard}"


def count_change(before: Order, after: Order) -> int:
    """Return how a move changes the count of open orders: 1, 0 or -1."""
    return after.status.is_open - before.status.is_open


def moves_amount(before: Order, after: Order) -> bool:
    """Return whether a move changes the record of a buy's amount: it ends, or is opened again."""
    return after.counted.unique_amount and count_change(before, after) != 0


def with_cancel(cancels: int, now: int) -> int:
    """Return a merchant's counted cancels of an hour after one more, at a time (Unix seconds).

    One number has the hour and the count, so that a new hour replaces the count of an earlier one.
    """
    return max(cancels, now // _HOUR_SECONDS * _HOUR_UNIT) + 1


def cancel_reserves(cancels: int) -> bool:
    """Return whether the last of the counted cancels reserves its amount."""
    return cancels % _HOUR_UNIT <= CANCELS_AN_HOUR


# Just below full minutes, so that a run that begins a little early finds the sell.
PAUSES_SECONDS = (55, 115, 235, 295)
DECLINED_SECONDS = (55, 115, 235, 475, 955, 1795)


@dataclass(frozen=True, slots=True)
class WaitingSell:
    """A sell that waits for a trader."""

    order_no: str
    merchant_id: str


def in_turns[T](queues: Iterable[Iterable[T]]) -> Iterator[T]:
    """Yield one item of each queue in turn, until all are empty; each queue keeps its order."""
    waiting = deque(iter(queue) for queue in queues)
    while waiting:
        queue = waiting.popleft()
        for first in queue:
            yield first
            waiting.append(queue)
            break


def merchants_in_turns(sells: Iterable[WaitingSell]) -> Iterator[WaitingSell]:
    """Yield sells in turns of merchants; the first sells are of different merchants.

    A merchant's own sells keep their order. Merchants take turns in the order of their first sell.
    """
    of_merchant: dict[str, list[WaitingSell]] = {}
    for sell in sells:
        of_merchant.setdefault(sell.merchant_id, []).append(sell)
    return in_turns(of_merchant.values())


def pause_seconds(failed_offers: int) -> int:
    """Return the pause after so many offers that no trader fitted; at most 5 minutes."""
    return _nth(PAUSES_SECONDS, failed_offers)


def declined_seconds(declines: int) -> int:
    """Return the pause after a sell was declined so many times; at most 30 minutes."""
    return _nth(DECLINED_SECONDS, declines)


def _nth(pauses: Sequence[int], number: int) -> int:
    return pauses[min(number, len(pauses)) - 1]
