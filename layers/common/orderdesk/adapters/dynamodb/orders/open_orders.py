"""The counters of a merchant's open buys: items of the Orders table.

Concurrent writers only add to a counter, in the transaction that creates, ends or reopens the
order. Only a creation has a condition on the limits, so the counter is not read first.
"""

from orderdesk.adapters.dynamodb.keys import OPEN_BUYS_KIND
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.transactions import Lost, Write, add_write, never
from orderdesk.domain.orders.errors import ShareFull
from orderdesk.domain.orders.open_orders import OpenShare, count_change, counter_key
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType

_UNDERFLOW = never("a merchant counts less than its open buys")


def count_write(table: str, order: Order, share: OpenShare) -> Write:
    """Count a new buy in its share of the merchant's limits. Lost: ShareFull."""
    room_fen = share.max_fen - order.quote.cny_fen
    assert room_fen >= 0, "an order above the limits is refused before"

    def lost(counter: Item | None) -> ShareFull:
        return ShareFull(share.full(order.order_type, (counter or {}).get("open_buys")))

    first = "attribute_not_exists(pk)"
    fits = "open_buys < :max_buys AND open_fen <= :room"
    return _counted(
        table,
        order,
        1,
        lost,
        condition=f"{first} OR ({fits})",
        values={":max_buys": share.max_orders, ":room": room_fen},
        returns_item=True,
    )


def moved_writes(
    table: str, before: Order, after: Order, share: OpenShare | None = None
) -> list[Write]:
    """Count a buy that a move ends or reopens, in the counter of its creation.

    A dispute of a late payment reopens a buy. The limits refuse it only with a `share` of them.
    Lost: ShareFull in that case. A sell is counted with its hold.
    """
    if before.order_type is OrderType.SELL:
        return []
    match count_change(before, after):
        case 0:
            return []
        case 1:
            if share is not None:
                return [count_write(table, before, share)]
            exists = "attribute_exists(pk)"
            return [_counted(table, before, 1, _UNDERFLOW, condition=exists)]
        case _:
            return [_counted(table, before, -1, _UNDERFLOW)]


def _counted(
    table: str,
    order: Order,
    change: int,
    lost: Lost,
    *,
    condition: str = "",
    values: Item | None = None,
    returns_item: bool = False,
) -> Write:
    assert order.open_shard is not None, "a buy is counted"
    return add_write(
        table,
        {"pk": counter_key(order.merchant_id, order.mode, order.open_shard)},
        {"open_buys": change, "open_fen": change * order.quote.cny_fen},
        lost,
        condition=condition,
        clauses="SET kind = :kind",
        values={":kind": OPEN_BUYS_KIND, **(values or {})},
        returns_item=returns_item,
    )
