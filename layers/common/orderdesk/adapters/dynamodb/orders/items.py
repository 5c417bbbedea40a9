"""Orders and drafts as items of the Orders table."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple, fields, is_dataclass
from typing import Any

from orderdesk.adapters.dynamodb.keys import DUE_SHARDS, LIST_SHARDS, Key
from orderdesk.adapters.dynamodb.marshal import Item, Value, attributes_of, named, value_of
from orderdesk.adapters.dynamodb.traders.items import method_of, method_value
from orderdesk.domain.ids import id_of
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.desk_lists import desk_list
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.order import (
    DecidedClaim,
    IdentityRecord,
    LateProof,
    Order,
    OrderStatus,
    Receipt,
    Refund,
    Return,
    Reversal,
    SumAnswer,
    TimelineEntry,
)
from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.pricing import BaseRate, FeePolicy, OrderType, Quote

DUE_DIGITS = 3  # of a draft's number; enough to spread drafts over the shards
_QUOTE_FIELDS = tuple(Quote.__slots__)
_NUMBERS = (*_QUOTE_FIELDS, "createtime", "updatetime", "sequence", "held_fen", "reported_fen")
# The fields that are attributes of their name: always, and unless None.
_NEEDED = "order_id order_no merchant_id sequence version createtime updatetime"
_OPTIONAL = "trader_id pending_no"
_DRAFTS_NEEDED = (
    "pending_no merchant_id sequence version cny_fen createtime updatetime expire_time "
    "identity_token_hash"
)
_DRAFTS_OPTIONAL = "order_no customer_hash attempt_id attempt_time"
_PARTS: Mapping[str, Any] = {f.name: f.default for f in fields(Order) if is_dataclass(f.default)}
"""The parts of an order with their usual values; their fields are attributes of its item."""
_ALWAYS = {"open_shard"}


def _rows(values: Iterable[Any]) -> list[Value]:
    return [list(astuple(each)) for each in values]


def _late_proof_of(row: Mapping[str, Any]) -> LateProof:
    return LateProof(row["trader_id"], receipt_of(row["receipt"]))


_WRITERS: Mapping[str, Callable[[Any], Value]] = {
    "metadata": dict,
    "passed_over": list,
    "sum_answer": str,
    "reversals": _rows,
    "refunds": _rows,
    "claims": _rows,
    "returns": _rows,
    "late_proofs": value_of,
}
_READERS: Mapping[str, Callable[[Any], object]] = {
    "passed_over": tuple,
    "sum_answer": SumAnswer,
    "reversals": lambda rows: tuple(Reversal(*row) for row in rows),
    "refunds": lambda rows: tuple(Refund(*row) for row in rows),
    "claims": lambda rows: tuple(DecidedClaim(*row) for row in rows),
    "returns": lambda rows: tuple(Return(*row) for row in rows),
    "late_proofs": lambda rows: tuple(map(_late_proof_of, rows)),
}


def order_item(order: Order) -> Item:
    """Return the item of an order."""
    trader_id, on_desk = order.trader_id, desk_list(order)
    return {
        "pk": order.order_no,
        "kind": "order",
        **attributes_of(order, _NEEDED, _OPTIONAL, "merchant_order_no expire_time"),
        **attributes_of(order, "order_type mode status identity"),
        **attributes_of(order.quote, *_QUOTE_FIELDS),
        "base_rate_e4": order.base_rate.rate_e4,
        "rate_source": order.base_rate.source,
        "rate_set_at": order.base_rate.set_at,
        "timeline": value_of(order.timeline),
        "payment_method": method_value(order.payment_method) if order.payment_method else None,
        "receipts": value_of(order.receipts) or None,
        "fees": list(astuple(order.fees)),
        **{name: value for part in _PARTS for name, value in _stored(order, part)},
        **_queued(order),
        "all_key": Key.all_orders(order.order_id),
        "list_key": Key.merchants_orders(order.merchant_id, order.order_id % LIST_SHARDS),
        "desk_key": None if trader_id is None else Key.desk(trader_id, on_desk),
    }


def _stored(of: Order | Draft, part: str) -> Iterator[tuple[str, Value]]:
    """Yield the attributes of a part. A usual value is None, so that it is not stored."""
    of_part, usual = getattr(of, part), _PARTS[part]
    for name in usual.__slots__:
        value = getattr(of_part, name)
        if value == getattr(usual, name) and name not in _ALWAYS:
            yield name, None
        else:
            yield name, _WRITERS[name](value) if name in _WRITERS else value


def _part(part: str, row: Mapping[str, Any]) -> Any:
    """Return a part from its attributes. A missing one has its usual value."""
    usual = _PARTS[part]
    names = [name for name in usual.__slots__ if name in row or name in _ALWAYS]
    return type(usual)(**{n: _READERS[n](row[n]) if n in _READERS else row[n] for n in names})


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
    return Order(
        **named(row, _NEEDED, _OPTIONAL),
        merchant_order_no=row.get("merchant_order_no"),
        expire_time=row.get("expire_time"),
        order_type=OrderType(row["order_type"]),
        mode=Mode(row["mode"]),
        status=OrderStatus(row["status"]),
        quote=_quote_of(row),
        base_rate=BaseRate(row["base_rate_e4"], row["rate_source"], row["rate_set_at"]),
        fees=FeePolicy(*row["fees"]),
        timeline=tuple(map(timeline_entry_of, row["timeline"])),
        payment_method=method_of(row["payment_method"]) if "payment_method" in row else None,
        identity=_identity_of(row),
        receipts=tuple(map(receipt_of, row.get("receipts", ()))),
        **{part: _part(part, row) for part in _PARTS},
    )


def _quote_of(row: Mapping[str, Any]) -> Quote:
    return Quote(**{name: row[name] for name in _QUOTE_FIELDS})


def listed_order_of(item: Mapping[str, Value]) -> Order:
    """Return the order of an item of a list. Raises: TypeError if a number is stored as text."""
    order = order_of(item)
    if any(type(item.get(name, 0)) is not int for name in _NUMBERS):
        raise TypeError("not a number")
    return order


def timeline_entry_of(row: Mapping[str, Any]) -> TimelineEntry:
    """Return an entry of an order's timeline from its attribute."""
    return TimelineEntry(OrderStatus(row["status"]), row["time"], row.get("by", ""))


def _identity_of(row: Mapping[str, Any]) -> IdentityRecord | None:
    return IdentityRecord(**row["identity"]) if "identity" in row else None


def receipt_of(row: Mapping[str, Any]) -> Receipt:
    """Return a receipt, or a picture of a dispute, from its attribute."""
    return Receipt(**row)


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
        **attributes_of(draft, _DRAFTS_NEEDED, _DRAFTS_OPTIONAL, "merchant_order_no"),
        **attributes_of(draft, "mode status method_type identity"),
        **dict(_stored(draft, "given")),
        "max_discount_fen": draft.max_discount_fen or None,
        **_due(Key.due(int(draft.pending_no[-DUE_DIGITS:]) % DUE_SHARDS), draft.due_time),
    }


def draft_of(row: Mapping[str, Any]) -> Draft:
    """Return the draft of a row."""
    return Draft(
        **named(row, _DRAFTS_NEEDED, _DRAFTS_OPTIONAL),
        merchant_order_no=row.get("merchant_order_no"),
        mode=Mode(row["mode"]),
        status=DraftStatus(row["status"]),
        method_type=MethodType(row["method_type"]),
        given=_part("given", row),
        max_discount_fen=row.get("max_discount_fen", 0),
        identity=_identity_of(row),
    )
