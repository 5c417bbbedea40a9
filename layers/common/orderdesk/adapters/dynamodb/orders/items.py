"""Orders and drafts as items of the Orders table."""

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any, cast

from orderdesk.adapters.dynamodb.keys import (
    DUE_SHARDS,
    LIST_SHARDS,
    all_key,
    claims_key,
    desk_key,
    disputed_key,
    due_key,
    ending_desk_key,
    list_key,
    matching_key,
    number_list_key,
)
from orderdesk.adapters.dynamodb.marshal import Item, Value
from orderdesk.adapters.dynamodb.traders.items import method_of, method_value
from orderdesk.domain.ids import id_of
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.desk_lists import desk_list
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.order import (
    DEFAULT_SLOT_SHARE,
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
_RECEIPT_FIELDS = tuple(Receipt.__slots__)
_IDENTITY_FIELDS = tuple(IdentityRecord.__slots__)


def order_item(order: Order) -> Item:
    """Return the item of an order."""
    trader_id, on_desk = order.trader_id, desk_list(order)
    return {
        "pk": order.order_no,
        "kind": "order",
        "order_id": order.order_id,
        "order_no": order.order_no,
        "merchant_id": order.merchant_id,
        "merchant_order_no": order.merchant_order_no,
        "order_type": order.order_type.value,
        "mode": order.mode.value,
        "status": order.status.value,
        "sequence": order.sequence,
        "version": order.version,
        **{name: getattr(order.quote, name) for name in _QUOTE_FIELDS},
        "base_rate_e4": order.base_rate.rate_e4,
        "rate_source": order.base_rate.source,
        "rate_set_at": order.base_rate.set_at,
        "createtime": order.createtime,
        "updatetime": order.updatetime,
        "expire_time": order.expire_time,
        "timeline": [
            {"status": e.status.value, "time": e.time, "by": e.by} for e in order.timeline
        ],
        "trader_id": trader_id,
        "payment_method": method_value(order.payment_method) if order.payment_method else None,
        "pay_token_hash": order.pay_token_hash,
        "callback_url": order.callback_url,
        "remark": order.remark,
        "metadata": _metadata_value(order.metadata),
        "return_url": order.return_url,
        "identity": _identity_value(order.identity),
        "pending_no": order.pending_no,
        "receipts": [receipt_value(receipt) for receipt in order.receipts] or None,
        "passed_over": list(order.passed_over) or None,
        "open_shard": order.open_shard,
        "balance_shard": order.balance_shard,
        "receipt_required": order.receipt_required or None,
        "failed_offers": order.failed_offers or None,
        "next_offer_time": order.next_offer_time,
        "assignable_from": order.assignable_from,
        "unique_amount": order.unique_amount or None,
        "notes": order.notes or None,
        "slot_share": None if order.slot_share == DEFAULT_SLOT_SHARE else order.slot_share,
        "in_slot": order.in_slot or None,
        "requested_fen": order.requested_fen,
        "payer_asked_at": order.payer_asked_at,
        "trader_asked_at": order.trader_asked_at,
        "payee_stopped_at": order.payee_stopped_at,
        "fees": list(astuple(order.fees)),
        "reversals": [list(astuple(part)) for part in order.reversals] or None,
        "claims": [list(astuple(each)) for each in order.claims] or None,
        "refund_of": order.refund_of,
        "refunds": [list(astuple(each)) for each in order.refunds] or None,
        "reported_fen": order.reported_fen,
        "sum_answer": None if order.sum_answer is None else order.sum_answer.value,
        "held_fen": order.held_fen,
        "returns": [list(astuple(each)) for each in order.returns] or None,
        "late_proofs": [
            {"trader_id": each.trader_id, "receipt": receipt_value(each.receipt)}
            for each in order.late_proofs
        ]
        or None,
        **_queued(order),
        "all_key": all_key(order.order_id),
        "list_key": list_key(order.merchant_id, order.order_id % LIST_SHARDS),
        "desk_key": None if trader_id is None else desk_key(trader_id, on_desk),
    }


def _metadata_value(metadata: Mapping[str, str] | None) -> dict[str, Value] | None:
    return None if metadata is None else dict(metadata)


def _queued(order: Order) -> Item:
    if order.status is OrderStatus.DISPUTED:
        return _due(disputed_key(order.mode), order.since)
    if order.open_claims:
        return _due(claims_key(order.mode), order.open_claims[0].receipt.time)
    shard = order.order_id % DUE_SHARDS
    is_waiting = order.status is OrderStatus.MATCHING
    queue = matching_key(order.mode, shard) if is_waiting else due_key(shard)
    return _due(queue, order.due_time)


def _due(queue: str, due_time: int | None) -> Item:
    """Return the keys of the `due` index; None removes the item from it."""
    return {"due_key": None if due_time is None else queue, "due_time": due_time}


def order_of(item: Mapping[str, Value]) -> Order:
    """Return the order of an item."""
    row = cast("Mapping[str, Any]", item)
    return Order(
        order_id=row["order_id"],
        order_no=row["order_no"],
        merchant_id=row["merchant_id"],
        merchant_order_no=row.get("merchant_order_no"),
        order_type=OrderType(row["order_type"]),
        mode=Mode(row["mode"]),
        status=OrderStatus(row["status"]),
        sequence=row["sequence"],
        version=row["version"],
        quote=_quote_of(row),
        base_rate=BaseRate(row["base_rate_e4"], row["rate_source"], row["rate_set_at"]),
        fees=FeePolicy(*row["fees"]),
        createtime=row["createtime"],
        updatetime=row["updatetime"],
        expire_time=row.get("expire_time"),
        timeline=tuple(map(timeline_entry_of, row["timeline"])),
        trader_id=row.get("trader_id"),
        payment_method=method_of(row["payment_method"]) if "payment_method" in row else None,
        pay_token_hash=row.get("pay_token_hash"),
        callback_url=row.get("callback_url"),
        remark=row.get("remark"),
        metadata=row.get("metadata"),
        return_url=row.get("return_url"),
        identity=_identity_of(row),
        pending_no=row.get("pending_no"),
        receipts=tuple(map(receipt_of, row.get("receipts", ()))),
        passed_over=tuple(row.get("passed_over", ())),
        open_shard=row["open_shard"],
        balance_shard=row.get("balance_shard"),
        receipt_required=row.get("receipt_required", False),
        failed_offers=row.get("failed_offers", 0),
        next_offer_time=row.get("next_offer_time"),
        assignable_from=row.get("assignable_from"),
        unique_amount=row.get("unique_amount", False),
        notes=row.get("notes", 0),
        slot_share=row.get("slot_share", DEFAULT_SLOT_SHARE),
        in_slot=row.get("in_slot", False),
        requested_fen=row.get("requested_fen"),
        payer_asked_at=row.get("payer_asked_at"),
        trader_asked_at=row.get("trader_asked_at"),
        payee_stopped_at=row.get("payee_stopped_at"),
        reversals=tuple(Reversal(*part) for part in row.get("reversals", ())),
        claims=tuple(DecidedClaim(*each) for each in row.get("claims", ())),
        refund_of=row.get("refund_of"),
        refunds=tuple(Refund(*each) for each in row.get("refunds", ())),
        reported_fen=row.get("reported_fen"),
        sum_answer=SumAnswer(row["sum_answer"]) if "sum_answer" in row else None,
        held_fen=row.get("held_fen"),
        returns=tuple(Return(*each) for each in row.get("returns", ())),
        late_proofs=tuple(
            LateProof(each["trader_id"], receipt_of(each["receipt"]))
            for each in row.get("late_proofs", ())
        ),
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


def receipt_value(receipt: Receipt) -> dict[str, Value]:
    """Return the attribute of a receipt, or of a picture of a dispute."""
    return {name: getattr(receipt, name) for name in _RECEIPT_FIELDS}


def _identity_value(record: IdentityRecord | None) -> dict[str, Value] | None:
    return None if record is None else {name: getattr(record, name) for name in _IDENTITY_FIELDS}


def found_by(number: str, merchant_order_no: str | None) -> Item:
    """Return the index keys by which operators find an order_no or pending_no."""
    return {
        "order_id": id_of(number),
        "desk_key": ending_desk_key(number),
        "list_key": None if merchant_order_no is None else number_list_key(merchant_order_no),
    }


def draft_item(draft: Draft) -> Item:
    """Return the item of a draft."""
    return {
        "pk": draft.pending_no,
        "kind": "draft",
        "pending_no": draft.pending_no,
        "merchant_id": draft.merchant_id,
        "merchant_order_no": draft.merchant_order_no,
        "mode": draft.mode.value,
        "status": draft.status.value,
        "sequence": draft.sequence,
        "version": draft.version,
        "cny_fen": draft.cny_fen,
        "method_type": draft.method_type.value,
        "createtime": draft.createtime,
        "updatetime": draft.updatetime,
        "expire_time": draft.expire_time,
        "identity_token_hash": draft.identity_token_hash,
        "callback_url": draft.callback_url,
        "remark": draft.remark,
        "metadata": _metadata_value(draft.metadata),
        "return_url": draft.return_url,
        "max_discount_fen": draft.max_discount_fen or None,
        "order_no": draft.order_no,
        "customer_hash": draft.customer_hash,
        "attempt_id": draft.attempt_id,
        "attempt_time": draft.attempt_time,
        "identity": _identity_value(draft.identity),
        **_due(due_key(int(draft.pending_no[-DUE_DIGITS:]) % DUE_SHARDS), draft.due_time),
    }


def draft_of(item: Mapping[str, Value]) -> Draft:
    """Return the draft of an item."""
    row = cast("Mapping[str, Any]", item)
    return Draft(
        pending_no=row["pending_no"],
        merchant_id=row["merchant_id"],
        merchant_order_no=row.get("merchant_order_no"),
        mode=Mode(row["mode"]),
        status=DraftStatus(row["status"]),
        sequence=row["sequence"],
        version=row["version"],
        cny_fen=row["cny_fen"],
        method_type=MethodType(row["method_type"]),
        createtime=row["createtime"],
        updatetime=row["updatetime"],
        expire_time=row["expire_time"],
        identity_token_hash=row["identity_token_hash"],
        callback_url=row.get("callback_url"),
        remark=row.get("remark"),
        metadata=row.get("metadata"),
        return_url=row.get("return_url"),
        order_no=row.get("order_no"),
        customer_hash=row.get("customer_hash"),
        attempt_id=row.get("attempt_id"),
        attempt_time=row.get("attempt_time"),
        max_discount_fen=row.get("max_discount_fen", 0),
        identity=_identity_of(row),
    )
