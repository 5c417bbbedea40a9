"""A merchant's request, and the order or draft that it creates."""

import hashlib
import json
from dataclasses import dataclass, field

from orderdesk.domain.ids import token_hash
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.order import NOTHING_GIVEN, GivenValues, Order
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import Mode, OrderType


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """The parsed parameters of createOrder; absent ones are None.

    A sell has `payment_method`. A buy has `method_type`, the type of method that its trader must
    have. A buy's amount to pay may be lowered by up to `max_discount_fen`. A sell may be the refund
    of a buy, `refund_of`: its order_no or merchant_order_no.
    """

    order_type: OrderType
    mode: Mode
    cny_fen: int
    method_type: MethodType = MethodType.BANK
    payment_method: PaymentMethod | None = None
    merchant_order_no: str | None = None
    customer_name: str | None = field(default=None, repr=False)
    id_card: str | None = field(default=None, repr=False)
    mobile: str | None = field(default=None, repr=False)
    max_discount_fen: int = 0
    refund_of: str | None = None
    given: GivenValues = NOTHING_GIVEN


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
            order_type, cny_fen = asked.order_type, asked.asked_fen
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


def assignable_from(request: OrderRequest, hold_ends: int, now: int) -> int | None:
    """Return the time before which an order must not be assigned; None if it may be at once.

    The hold of a young secret ends at `hold_ends`. It concerns live sells only (contract section
    2). Times in Unix seconds.
    """
    is_live_sell = request.order_type is OrderType.SELL and request.mode is Mode.LIVE
    return hold_ends if is_live_sell and now < hold_ends else None


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
        given=request.given,
        max_discount_fen=request.max_discount_fen,
    )


def request_of_draft(draft: Draft) -> OrderRequest:
    """Return the request that created the draft."""
    return OrderRequest(
        order_type=OrderType.BUY,
        mode=draft.mode,
        cny_fen=draft.cny_fen,
        method_type=draft.method_type,
        merchant_order_no=draft.merchant_order_no,
        given=draft.given,
        max_discount_fen=draft.max_discount_fen,
    )
