"""A merchant's request, and the order or draft that it creates."""

import hashlib
import json
from dataclasses import dataclass, field, replace

from orderdesk.domain.ids import numbered, token_hash
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.order import (
    BUY_LETTER,
    FIRST_STATUS,
    SELL_LETTER,
    IdentityRecord,
    Order,
    TimelineEntry,
)
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import BaseRate, OrderType, Quote
from orderdesk.domain.traders.trader import Trader


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """The parsed parameters of createOrder; absent ones are None.

    A sell has `payment_method`. A buy has `method_type`, the type of method that its trader must
    have.
    """

    order_type: OrderType
    mode: Mode
    cny_fen: int
    method_type: MethodType = MethodType.BANK
    payment_method: PaymentMethod | None = None
    merchant_order_no: str | None = None
    callback_url: str | None = field(default=None, repr=False)
    remark: str | None = field(default=None, repr=False)
    return_url: str | None = field(default=None, repr=False)
    customer_name: str | None = field(default=None, repr=False)
    id_card: str | None = field(default=None, repr=False)
    mobile: str | None = field(default=None, repr=False)


_FINGERPRINT_LENGTH = 32  # 128 bits in hex


def fingerprint(asked: OrderRequest | Order | Draft) -> str:
    """Return a hash of the fields that make two requests the same: type, amount, mode and method.

    A buy's method is the type that its trader must have. A sell's method is the customer's whole
    method. An order or draft has the fingerprint of its request (contract section 3, 2001).
    """
    match asked:
        case Draft():
            order_type, cny_fen = OrderType.BUY, asked.cny_fen
            method: object = asked.method_type.value
        case Order():
            order_type, cny_fen = asked.order_type, asked.quote.cny_fen
            assert asked.payment_method is not None, "every order has a payment method"
            method = _method_asked(order_type, asked.payment_method.method_type, asked)
        case OrderRequest():
            order_type, cny_fen = asked.order_type, asked.cny_fen
            method = _method_asked(order_type, asked.method_type, asked)
    text = json.dumps([order_type, cny_fen, asked.mode, method], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_FINGERPRINT_LENGTH]


def _method_asked(
    order_type: OrderType, method_type: MethodType, asked: OrderRequest | Order
) -> object:
    match order_type:
        case OrderType.BUY:
            return method_type.value
        case OrderType.SELL:
            assert asked.payment_method is not None, "a sell has its customer's method"
            return asked.payment_method.fields()


@dataclass(frozen=True, slots=True)
class Pricing:
    """A quote and its base rate; both are copied to the order."""

    quote: Quote
    base_rate: BaseRate


def new_buy(
    request: OrderRequest,
    merchant_id: str,
    pricing: Pricing,
    trader: Trader,
    *,
    order_id: int,
    pay_token: str,
    now: int,
    pay_window_seconds: int,
    identity: IdentityRecord | None,
    open_shard: int,
    balance_shard: int | None,
    receipt_required: bool,
) -> Order:
    """Create a buy order for the trader that receives the money and must have the method."""
    order = _new(
        request,
        merchant_id,
        pricing,
        order_id=order_id,
        order_no=numbered(BUY_LETTER, order_id, now),
        now=now,
        expire_time=now + pay_window_seconds,
        trader_id=trader.trader_id,
        payment_method=trader.method(request.method_type),
        pay_token_hash=token_hash(pay_token),
        identity=identity,
    )
    return replace(
        order,
        open_shard=open_shard,
        balance_shard=balance_shard,
        receipt_required=receipt_required,
        unique_amount=trader.unique_amounts,
    )


def new_sell(
    request: OrderRequest,
    merchant_id: str,
    pricing: Pricing,
    *,
    order_id: int,
    now: int,
    identity: IdentityRecord | None,
    balance_shard: int | None,
) -> Order:
    """Create a sell order; a trader is assigned later."""
    order = _new(
        request,
        merchant_id,
        pricing,
        order_id=order_id,
        order_no=numbered(SELL_LETTER, order_id, now),
        now=now,
        expire_time=None,
        trader_id=None,
        payment_method=request.payment_method,
        pay_token_hash=None,
        identity=identity,
    )
    return replace(order, balance_shard=balance_shard)


def _new(
    request: OrderRequest,
    merchant_id: str,
    pricing: Pricing,
    *,
    order_id: int,
    order_no: str,
    now: int,
    expire_time: int | None,
    trader_id: str | None,
    payment_method: PaymentMethod | None,
    pay_token_hash: str | None,
    identity: IdentityRecord | None,
) -> Order:
    status = FIRST_STATUS[request.order_type]
    return Order(
        order_id=order_id,
        order_no=order_no,
        merchant_id=merchant_id,
        merchant_order_no=request.merchant_order_no,
        order_type=request.order_type,
        mode=request.mode,
        status=status,
        quote=pricing.quote,
        base_rate=pricing.base_rate,
        createtime=now,
        updatetime=now,
        expire_time=expire_time,
        timeline=(TimelineEntry(status, now),),
        trader_id=trader_id,
        payment_method=payment_method,
        pay_token_hash=pay_token_hash,
        callback_url=request.callback_url,
        remark=request.remark,
        return_url=request.return_url,
        identity=identity,
    )


def new_draft(
    request: OrderRequest,
    merchant_id: str,
    *,
    pending_no: str,
    identity_token: str,
    now: int,
    life_seconds: int,
) -> Draft:
    """Create a draft that expires after `life_seconds`; it is priced when it is completed."""
    return Draft(
        pending_no=pending_no,
        merchant_id=merchant_id,
        merchant_order_no=request.merchant_order_no,
        mode=request.mode,
        status=DraftStatus.HELD,
        cny_fen=request.cny_fen,
        method_type=request.method_type,
        createtime=now,
        updatetime=now,
        expire_time=now + life_seconds,
        identity_token_hash=token_hash(identity_token),
        callback_url=request.callback_url,
        remark=request.remark,
        return_url=request.return_url,
    )


def request_of_draft(draft: Draft) -> OrderRequest:
    """Return the request that created the draft."""
    return OrderRequest(
        order_type=OrderType.BUY,
        mode=draft.mode,
        cny_fen=draft.cny_fen,
        method_type=draft.method_type,
        merchant_order_no=draft.merchant_order_no,
        callback_url=draft.callback_url,
        remark=draft.remark,
        return_url=draft.return_url,
    )
