"""The counters of a merchant's open orders, and the room that its limits leave in each.

A counter of buys is an item of the Orders table; sells are counted on the shards of the balance.
Concurrent writers only add to a counter, in the transaction that creates, ends or reopens the
order. Only a creation has a condition on the limits, so the counter is not read first. Sharing the
room out sets the room of all counters, unless one has got more orders since they were read.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from orderdesk.adapters.dynamodb.client import DynamoDB, get_item
from orderdesk.adapters.dynamodb.keys import OPEN_BUYS_KIND
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.transactions import Write, changed, never
from orderdesk.domain.orders.open_orders import (
    CNY_LIMIT,
    OpenShare,
    cancel_reserves,
    count_change,
    counter_key,
    refused_by,
    with_cancel,
)
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import ShareFull, SharesChanged
from orderdesk.domain.pricing import ByType, OrderType


class Names(NamedTuple):
    """The attributes of a counter: open orders, their fen, and how much of both shares is used."""

    orders: str
    fen: str
    used: str
    used_fen: str


NAMES = ByType(
    buy=Names("open_buys", "open_fen", "used_buys", "used_fen"),
    sell=Names("open_sells", "open_sell_fen", "used_sells", "used_sell_fen"),
)


class Room(NamedTuple):
    """The condition, changes, clause and values of a write that uses room of a share."""

    condition: str
    changes: Mapping[str, int]
    clause: str
    values: Item


NO_ROOM = Room("", {}, "", {})


def room_taken(order: Order, share: OpenShare) -> Room:
    """Return the parts of a write by which an order uses room of its counter's share."""
    names = NAMES[order.order_type]
    fits = f"limits_epoch = :epoch AND {names.used} < :most AND {names.used_fen} <= :used_before"
    # DynamoDB refuses redundant parentheses.
    first = f"(attribute_not_exists({names.orders}) OR ({fits}))"
    return Room(
        fits if share.epoch else first,
        {**count_change_of(order, 1), **used_change_of(order, 1)},
        "SET limits_epoch = :epoch",
        {
            ":epoch": share.epoch,
            ":most": share.max_orders,
            ":used_before": share.max_fen - order.quote.cny_fen,
        },
    )


def room_lost(
    item: Item | None, order: Order, share: OpenShare
) -> ShareFull | SharesChanged | None:
    """Return why a counter's item has no room for an order; None if it has."""
    names, row = NAMES[order.order_type], cast("Mapping[str, Any]", item or {})
    if share.epoch == 0 and names.orders not in row:
        return None
    if row.get("limits_epoch") != share.epoch:
        return SharesChanged()
    left = share.max_orders - row[names.used]
    if left < 1 or row[names.used_fen] > share.max_fen - order.quote.cny_fen:
        return ShareFull(refused_by(order.order_type, left))
    return None


def count_change_of(order: Order, change: int) -> dict[str, int]:
    """Return how a counter's open orders change with an order's creation (1) or end (-1)."""
    names = NAMES[order.order_type]
    return {names.orders: change, names.fen: change * order.quote.cny_fen}


def used_change_of(order: Order, change: int) -> dict[str, int]:
    """Return how the used part of a counter's share changes; it may fall below 0."""
    names = NAMES[order.order_type]
    return {names.used: change, names.used_fen: change * order.quote.cny_fen}


_UNDERFLOW = never("a merchant counts less than its open buys")


def count_write(table: str, order: Order, share: OpenShare) -> Write:
    """Count a new buy in its share of the merchant's limits. Lost: ShareFull, SharesChanged."""
    room = room_taken(order, share)
    return Write.add(
        table,
        _key(order),
        room.changes,
        lambda item: room_lost(item, order, share) or ShareFull(CNY_LIMIT[order.order_type]),
        condition=room.condition,
        clauses=f"{room.clause}, kind = :kind",
        values={":kind": OPEN_BUYS_KIND, **room.values},
        returns_item=True,
    )


def moved_writes(
    table: str, before: Order, after: Order, share: OpenShare | None = None
) -> list[Write]:
    """Count a buy that a move ends or reopens, in the counter of its creation.

    A dispute of a late payment reopens a buy. The limits refuse it only with a `share` of them.
    Lost: ShareFull or SharesChanged in that case. A sell is counted with its hold.
    """
    if before.order_type is OrderType.SELL:
        return []
    match count_change(before, after):
        case 0:
            return []
        case 1:
            if share is not None:
                return [count_write(table, before, share)]
            return [_counted(table, before, 1)]
        case _:
            return [_counted(table, before, -1)]


def cancelled_writes(
    client: DynamoDB, table: str, order: Order, now: int, writes: list[Write]
) -> tuple[list[Write], bool]:
    """Count a cancelled buy on the merchant's first counter; return whether it reserves its amount.

    `writes` are those of `moved_writes`, which may have one of the same counter.
    Lost: ChangedMeanwhile, if another cancel was counted after the read. Raises: TryAgain.
    """
    key: Item = {"pk": counter_key(order.merchant_id, order.mode, 0)}
    before = cast("int | None", (get_item(client, table, key) or {}).get("cancels"))
    cancels = with_cancel(before or 0, now)
    same = "attribute_not_exists(cancels)" if before is None else "cancels = :cancels_before"
    values: Item = {":cancels": cancels}
    if before is not None:
        values[":cancels_before"] = before
    is_first = order.counted.open_shard == 0
    counted = Write.add(
        table,
        key,
        count_change_of(order, -1) if is_first else {},
        changed,
        unbounded=used_change_of(order, -1) if is_first else count_change_of(order, 0),
        condition=same,
        clauses="SET kind = :kind, cancels = :cancels",
        values={":kind": OPEN_BUYS_KIND, **values},
    )
    return [counted] if is_first else [*writes, counted], cancel_reserves(cancels)


def _key(order: Order) -> Item:
    return {"pk": counter_key(order.merchant_id, order.mode, order.counted.open_shard)}


def _counted(table: str, order: Order, change: int) -> Write:
    """Count a buy that ends, or that an operator opens again, even beyond the limits."""
    return Write.add(
        table,
        _key(order),
        count_change_of(order, change),
        _UNDERFLOW,
        unbounded=used_change_of(order, change),
        condition="attribute_exists(pk)",
    )
