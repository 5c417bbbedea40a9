"""Orders and drafts as items of the Orders table."""

from collections.abc import Mapping
from dataclasses import astuple, fields, is_dataclass
from typing import Any

from orderdesk.adapters.dynamodb.keys import DUE_SHARDS, LIST_SHARDS, Key
from orderdesk.adapters.dynamodb.marshal import Item, Stored, Value
from orderdesk.adapters.dynamodb.traders.items import METHOD
from orderdesk.domain.ids import id_of
from orderdesk.domain.orders.desk_lists import desk_list
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import BaseRate, FeePolicy, Quote

DUE_DIGITS = 3  # of a draft's number; enough to spread drafts over the shards
_QUOTE = Stored(Quote)
_NUMBERS = (*Quote.__slots__, "createtime", "updatetime", "sequence", "held_fen", "reported_fen")
_DEFAULTS: Mapping[str, Any] = {f.name: f.default for f in fields(Order) if is_dataclass(f.default)}
_ALWAYS = "open_shard"
_PARTS: Mapping[str, Stored[Any]] = {
    name: Stored(
        type(part),
        usual=" ".join(field for field in part.__slots__ if field != _ALWAYS),
        rows="reversals refunds claims returns",
    )
    for name, part in _DEFAULTS.items()
}
"""The parts of an order; their fields are attributes of its item, unless they have the default."""
_ORDER = Stored(
    Order, beside=" ".join(("quote base_rate fees payment_method", *_PARTS)), usual="receipts"
)
_DRAFT = Stored(Draft, beside="given", usual="max_discount_fen")


def order_item(order: Order) -> Item:
    """Return the item of an order."""
    trader_id, on_desk = order.trader_id, desk_list(order)
    item: Item = {
        "pk": order.order_no,
        "kind": "order",
        **_ORDER.item(order),
        **_QUOTE.item(order.quote),
        "base_rate_e4": order.base_rate.rate_e4,
        "rate_source": order.base_rate.source,
        "rate_set_at": order.base_rate.set_at,
        "payment_method": METHOD.item(order.payment_method),
        "fees": list(astuple(order.fees)),
        **_queued(order),
        "all_key": Key.all_orders(order.order_id),
        "list_key": Key.merchants_orders(order.merchant_id, order.order_id % LIST_SHARDS),
        "desk_key": None if trader_id is None else Key.desk(trader_id, on_desk),
    }
    for name, part in _PARTS.items():
        item |= part.item(getattr(order, name))
    return item


def _queued(order: Order) -> Item:
    if order.status is OrderStatus.DISPUTED:
        return _due(Key.disputed(order.mode), order.since)
    if order.open_claims:
        return _due(Key.claims(order.mode), order.open_claims[0].receipt.time)
    shard = order.order_id % DUE_SHARDS
    is_waiting = order.status is OrderStatus.MATCHING
    queue = Key.matching(order.mode, shard) if is_waiting else Key.due(shard)
    return _due(queue, order.due_time)


def _due(queue: str, due_time: int | None) -> Item:
    """Return the keys of the `due` index; None removes the item from it."""
    return {"due_key": None if due_time is None else queue, "due_time": due_time}


def order_of(row: Mapping[str, Any]) -> Order:
    """Return the order of a row."""
    return _ORDER.of(
        row,
        quote=_QUOTE.of(row),
        base_rate=BaseRate(row["base_rate_e4"], row["rate_source"], row["rate_set_at"]),
        fees=FeePolicy(*row["fees"]),
        payment_method=METHOD.of(row["payment_method"]),
        **{part: record.of(row) for part, record in _PARTS.items()},
    )


def listed_order_of(item: Mapping[str, Value]) -> Order:
    """Return the order of an item of a list. Raises: TypeError if a number is stored as text."""
    order = order_of(item)
    if any(type(item.get(name, 0)) is not int for name in _NUMBERS):
        raise TypeError("not a number")
    return order


def found_by(number: str, merchant_order_no: str | None) -> Item:
    """Return the index keys by which operators find an order_no or pending_no."""
    return {
        "order_id": id_of(number),
        "desk_key": Key.endings(number),
        "list_key": None if merchant_order_no is None else Key.numbers(merchant_order_no),
    }


def draft_item(draft: Draft) -> Item:
    """Return the item of a draft."""
    return {
        "pk": draft.pending_no,
        "kind": "draft",
        **_DRAFT.item(draft),
        **_PARTS["given"].item(draft.given),
        **_due(Key.due(int(draft.pending_no[-DUE_DIGITS:]) % DUE_SHARDS), draft.due_time),
    }


def draft_of(row: Mapping[str, Any]) -> Draft:
    """Return the draft of a row."""
    return _DRAFT.of(row, given=_PARTS["given"].of(row))
