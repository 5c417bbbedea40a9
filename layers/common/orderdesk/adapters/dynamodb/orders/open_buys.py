"""The counters of a merchant's open buys: items of the Orders table, written with every order.

All writers only add to a counter, inside the transaction that creates or ends the order. Only
creation has a condition on the limits, so nobody reads a counter before.
"""

from orderdesk.adapters.dynamodb.keys import OPEN_BUYS_KIND
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.transactions import Write, never
from orderdesk.domain.orders.errors import ShareFull
from orderdesk.domain.orders.open_buys import OpenLimit, OpenShare, count_change, counter_key
from orderdesk.domain.orders.order import Order

_ADD = "SET kind = :kind ADD open_buys :buys, open_fen :fen"


def count_write(table: str, order: Order, share: OpenShare) -> Write:
    """Count a new buy in its share of the merchant's limits; lost: ShareFull."""
    room_fen = share.max_fen - order.quote.cny_fen
    assert share.max_buys > 0
    assert room_fen >= 0, "an order above the limits is refused before"
    first = "attribute_not_exists(pk)"
    fits = "open_buys < :max_buys AND open_fen <= :room"
    update = {
        "TableName": table,
        "Key": to_item({"pk": _key(order)}),
        "UpdateExpression": _ADD,
        "ConditionExpression": f"{first} OR ({fits})",
        "ExpressionAttributeValues": to_item(
            {**_added(order, 1), ":max_buys": share.max_buys, ":room": room_fen}
        ),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }

    def lost(counter: Item | None) -> ShareFull:
        counted = (counter or {}).get("open_buys")
        is_number = isinstance(counted, int) and counted >= share.max_buys
        return ShareFull(OpenLimit.BUYS if is_number else OpenLimit.CNY)

    return Write({"Update": update}, lost)


def moved_writes(table: str, before: Order, after: Order) -> list[Write]:
    """Count what a move ends or opens again, in the counter that the order was created in.

    A late payment that is disputed counts whatever the limits say: operators are not refused.
    """
    if before.open_shard is None:
        return []
    match count_change(before, after):
        case 0:
            return []
        case 1:
            return [_moved_write(table, before, 1, "attribute_exists(pk)")]
        case _:
            return [_moved_write(table, before, -1, "open_buys >= :least AND open_fen >= :fewest")]


def _moved_write(table: str, order: Order, change: int, condition: str) -> Write:
    values = _added(order, change)
    if change < 0:
        values |= {":least": 1, ":fewest": order.quote.cny_fen}
    update = {
        "TableName": table,
        "Key": to_item({"pk": _key(order)}),
        "UpdateExpression": _ADD,
        "ConditionExpression": condition,
        "ExpressionAttributeValues": to_item(values),
    }
    return Write({"Update": update}, never("a merchant counts less than its open buys"))


def _key(order: Order) -> str:
    assert order.open_shard is not None, "a buy is counted"
    return counter_key(order.merchant_id, order.mode, order.open_shard)


def _added(order: Order, change: int) -> Item:
    return {":kind": OPEN_BUYS_KIND, ":buys": change, ":fen": change * order.quote.cny_fen}
