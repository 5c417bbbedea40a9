"""The room that a merchant's limits leave: attributes of each counter of its open orders.

A counter of buys is an item of the Orders table; sells are counted on the shards of the balance.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.domain.orders.open_orders import OpenShare, refused_by
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import ShareFull, SharesChanged
from orderdesk.domain.pricing import ByType


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
