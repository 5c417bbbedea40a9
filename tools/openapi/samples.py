"""The orders, drafts and refusals of the examples, as objects of the domain."""

from dataclasses import replace

from orderdesk.domain.accounts import Entry, TransferKind
from orderdesk.domain.callbacks.delivery import Delivery, DeliveryState, KeptAttempt
from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId
from orderdesk.domain.callbacks.events import (
    CallbackEvent,
    CallbackType,
    Subject,
    account_event,
    callback_event,
)
from orderdesk.domain.errors import FieldProblem, Refusal, TooManyRequests, TryAgain
from orderdesk.domain.ids import numbered, time_ordered_id
from orderdesk.domain.merchants import merchant as merchants
from orderdesk.domain.merchants.merchant import Merchant, MerchantStatus, MerchantTerms
from orderdesk.domain.merchants.notices import AccountNotice, NoticeKind
from orderdesk.domain.merchants.withdrawals import RequestStatus
from orderdesk.domain.orders import order_errors as orders
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.open_orders import OpenLimit
from orderdesk.domain.orders.order import (
    ByStatus,
    DecidedClaim,
    GivenValues,
    LateProofs,
    Order,
    OrderStatus,
    OrderSums,
    Refund,
    Reversal,
    TimelineEntry,
    Undone,
)
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import BaseRate, FeePolicy, Mode, OrderType, quote
from orderdesk.services.merchants.list_withdrawals import ListedWithdrawal
from orderdesk.web.codes import (
    FIELDS_MAX,
    BodyTooLarge,
    InvalidBody,
    InvalidParameters,
    WrongContentType,
)
from orderdesk.web.merchant import views

NOW = 1_756_617_600
BASE_URL = "https://pay.example.com"
LOCAL_URL = "http://localhost:4566/_aws/execute-api/orderdesk/v1"
"""The local stack's address, its stage included; `make run` prints it."""
TOKEN = "T" * 43
FEES = FeePolicy(service_bps=60, deposit_bps=100)

TRADERS = PaymentMethod(
    method_type=MethodType.BANK,
    real_name="李四",
    bank="中国工商银行",
    sub_bank="上海分行",
    card_number="6222020000000001234",
)
CUSTOMERS = PaymentMethod(
    method_type=MethodType.BANK,
    real_name="张三",
    bank="中国银行",
    sub_bank="深圳分行",
    card_number="6222021234567890",
)
_BY = ByStatus(
    pending=Actor.MERCHANT,
    paid=Actor.PAYER,
    matching=Actor.MERCHANT,
    assigned=Actor.CLOCK,
    completed=Actor.TRADER,
    cancelled=Actor.MERCHANT,
    expired=Actor.CLOCK,
    disputed=Actor.MERCHANT,
)
_WAYS = {
    OrderType.BUY: (OrderStatus.PENDING, OrderStatus.PAID),
    OrderType.SELL: (OrderStatus.MATCHING, OrderStatus.ASSIGNED),
}
_WINDOWS = {OrderStatus.PENDING: 900, OrderStatus.ASSIGNED: 1800}
"""The seconds of the payer's and the trader's window."""


def order(kind: OrderType, status: OrderStatus | None = None) -> Order:
    """Return an order of the worked example, new or after the usual moves to a status."""
    is_buy = kind is OrderType.BUY
    order_id = time_ordered_id(NOW * 1000, int(kind))
    rate = 7_2360 if is_buy else 7_1640
    first, middle = _WAYS[kind]
    last = status or first
    is_short = last in {first, OrderStatus.CANCELLED, OrderStatus.EXPIRED}
    way = dict.fromkeys((first, last) if is_short else (first, middle, last))
    timeline = tuple(
        TimelineEntry(step, NOW + 60 * place, _BY[step].value) for place, step in enumerate(way)
    )
    updatetime = timeline[-1].time
    return Order(
        order_id=order_id,
        order_no=numbered("B" if is_buy else "S", order_id, NOW),
        merchant_id="m1",
        merchant_order_no="A-0001" if is_buy else "A-0002",
        order_type=kind,
        mode=Mode.TEST,
        status=last,
        quote=quote(kind, 1000_00, rate, FEES),
        base_rate=BaseRate(rate, "example", NOW),
        fees=FEES,
        createtime=NOW,
        updatetime=updatetime,
        expire_time=updatetime + _WINDOWS[last] if last in _WINDOWS else None,
        timeline=timeline,
        sequence=len(way),
        payment_method=TRADERS if is_buy else CUSTOMERS,
    )


def annotated(of: Order) -> Order:
    """Return an order with what its merchant sent for itself, which comes back."""
    shop, cart = "https://merchant.example.com", {"cart": "8817"}
    return replace(of, given=GivenValues(f"{shop}/callback", f"{shop}/thanks", "table 5", cart))


def lowered() -> Order:
    """Return a new buy whose amount to pay is lower than what was asked."""
    asked = order(OrderType.BUY)
    paid = quote(OrderType.BUY, 999_99, asked.quote.rate_e4, FEES)
    return replace(asked, quote=paid, sums=OrderSums(1000_00))


def reversed_buy() -> Order:
    """Return a completed buy of which a part was reversed."""
    done = order(OrderType.BUY, OrderStatus.COMPLETED)
    part = Reversal("P202511210009876543210001", NOW + 3600, 10_000_000)
    undone, sequence = Undone(reversals=(part,)), done.sequence + 1
    return replace(done, undone=undone, sequence=sequence, updatetime=part.time)


def claimed_sell() -> Order:
    """Return a cancelled sell that its merchant paid, because its former trader had."""
    gone = order(OrderType.SELL, OrderStatus.CANCELLED)
    claim = DecidedClaim("P202511210009876543210002", NOW + 3600, "t1a2b3c4d5e6f", is_paid=True)
    late, sequence = LateProofs(claims=(claim,)), gone.sequence + 1
    return replace(gone, late=late, sequence=sequence, updatetime=claim.time)


def refunded_buy() -> Order:
    refund = Refund(refund_of_a_buy().order_no, 100_00)
    return replace(order(OrderType.BUY, OrderStatus.COMPLETED), undone=Undone(refunds=(refund,)))


def refund_of_a_buy() -> Order:
    return replace(order(OrderType.SELL), undone=Undone(refund_of=order(OrderType.BUY).order_no))


def other_sum() -> Order:
    """Return a buy that another sum completed, which its trader had reported."""
    done = order(OrderType.BUY, OrderStatus.COMPLETED)
    arrived = quote(OrderType.BUY, 900_00, done.quote.rate_e4, FEES)
    return replace(done, quote=arrived, sums=OrderSums(1000_00, 900_00))


DRAFT = Draft(
    pending_no=numbered("D", time_ordered_id(NOW * 1000, 3), NOW),
    merchant_id="m1",
    merchant_order_no="A-0003",
    mode=Mode.TEST,
    status=DraftStatus.HELD,
    cny_fen=1000_00,
    method_type=MethodType.BANK,
    createtime=NOW,
    updatetime=NOW,
    expire_time=NOW + 7200,
    identity_token_hash="",
)


def draft(status: DraftStatus) -> Draft:
    order_no = order(OrderType.BUY).order_no if status is DraftStatus.COMPLETED else None
    return replace(DRAFT, status=status, order_no=order_no, sequence=2)


def funded(amount_micro: int) -> Entry:
    """Return the posting of a funding."""
    number = "P202511210009876543210001"
    return Entry(NOW * 10**6, TransferKind.FUNDING, amount_micro, "", "", number)


def settled(amount_micro: int) -> Entry:
    """Return a posting of the buy's settlement."""
    bought = order(OrderType.BUY)
    number, at_us = bought.order_no, (NOW + 120) * 10**6
    return Entry(at_us, TransferKind.SETTLEMENT, amount_micro, number, "", number)


def changed(before: Subject | None, after: Subject) -> CallbackEvent:
    """Return the event of a change that has one."""
    event = callback_event(before, after, views.callback_data)
    assert event is not None
    return event


def delivery() -> Delivery:
    """Return the delivery of a callback whose first attempt failed."""
    after = order(OrderType.BUY, OrderStatus.PAID)
    event = changed(order(OrderType.BUY), after)
    at_ms = (NOW + 60) * 1000
    attempt = KeptAttempt(at_ms, 500, 42, None, "Internal Server Error")
    return Delivery(event, DeliveryState.PENDING, at_ms, next_ms=at_ms + 5_000, attempts=(attempt,))


TEST_EVENT = account_event(
    CallbackType.ENDPOINT_TEST,
    "msg_5f0c1d7e9a3b4c2d8e6f7a1b0c9d8e7f",
    *(DRAFT.merchant_id, Mode.TEST, NOW),
)
"""The event of testCallback."""
PAUSED = Endpoint(
    EndpointId(DRAFT.merchant_id, Mode.TEST, "https://shop.example.com"),
    since_ms=(NOW - 3600) * 1000,
)
DISABLED_EVENT = account_event(
    CallbackType.ENDPOINT_DISABLED,
    "msg_0b9e8d7c6a5f4e3d2c1b0a9f8e7d6c5b",
    *(DRAFT.merchant_id, Mode.TEST, NOW),
    data={"origin": PAUSED.id.origin, "since": NOW},
)
"""The event of a paused endpoint."""
NOTICE_EVENT = account_event(
    CallbackType.ACCOUNT_NOTICE,
    "msg_1764201600000000a1b2c3d4e5endpoint",
    *(DRAFT.merchant_id, Mode.LIVE, NOW),
    data=AccountNotice(NoticeKind.ENDPOINT, "张三").data,
)
"""The event of a changed endpoint, person or key."""

MERCHANT = Merchant(
    merchant_id=DRAFT.merchant_id,
    name="Example shop",
    api_key="",
    status=MerchantStatus.ACTIVE,
    created_at=NOW,
    sealed_secrets=b"",
    sealed_callback_secrets=b"",
    terms=MerchantTerms(fees=FEES, callback_url="https://merchant.example.com/callback"),
)
LISTED_WITHDRAWALS = (
    ListedWithdrawal(
        NOW * 10**6,
        500 * 10**6,
        RequestStatus.SENT,
        request_no=numbered("W", time_ordered_id(NOW * 1000, 4), NOW),
        withdrawal_no="P202511210009876543210002",
        network="TRC20",
        address_ending="9jX3kQ",
        txid="5f" * 32,
    ),
    ListedWithdrawal(
        (NOW - 60) * 10**6,
        100 * 10**6,
        RequestStatus.APPROVED,
        withdrawal_no="P202511210009876543210003",
    ),
)
"""A request that was sent, and a withdrawal by an operator."""

_MANY = [FieldProblem(f"payment_method.x{n:02}", "must be a string") for n in range(FIELDS_MAX + 1)]

# Every refusal of the merchant API, by the name of its example.
REFUSALS: dict[str, Refusal] = {
    "invalid_body": InvalidBody(),
    "body_too_large": BodyTooLarge(),
    "wrong_content_type": WrongContentType(),
    "invalid_parameter": InvalidParameters(
        [
            FieldProblem("cny_amount", "more than 2 decimals"),
            FieldProblem("payment_method.card_number", "missing"),
        ]
    ),
    "invalid_parameter_many": InvalidParameters(_MANY),
    "amount_out_of_range": orders.AmountOutOfRange("0.01", "1000000.00"),
    "amount_out_of_range_nothing_left": orders.AmountOutOfRange(),
    "unknown_api_key": merchants.UnknownApiKey(),
    "bad_signature": merchants.BadSignature(),
    "bad_signature_in_test": merchants.BadSignature(
        "POST /test/createOrder\napi_key=mk_test_123\ncny_amount=1000.00"
    ),
    "timestamp_out_of_window": merchants.TimestampOutOfWindow(NOW),
    "nonce_reused": merchants.NonceReused(),
    "ip_not_allowed": merchants.IpNotAllowed(),
    "merchant_suspended": merchants.MerchantSuspended(),
    "not_allowed_by_key": merchants.NotAllowedByKey(),
    "too_many_requests": TooManyRequests(1),
    "merchant_order_no_exists": orders.MerchantOrderNoExists(
        order_no=order(OrderType.BUY).order_no, same=True
    ),
    "merchant_order_no_exists_draft": orders.MerchantOrderNoExists(
        pending_no=DRAFT.pending_no, same=False
    ),
    "merchant_order_no_exists_live": orders.MerchantOrderNoExists(same=False),
    "order_not_found": orders.OrderNotFound(),
    "state_conflict": orders.StateConflict(OrderStatus.PAID.value),
    "no_trader_available": orders.NoTraderAvailable(),
    "no_trader_available_nearby": orders.NoTraderAvailable((999_99, 1000_01)),
    "open_limit_reached": orders.OpenLimitReached(OpenLimit.BUYS),
    "open_sell_limit_reached": orders.OpenSellLimitReached(OpenLimit.SELLS),
    "refused_by_desk": orders.RefusedByDesk(),
    "insufficient_balance": orders.InsufficientBalance(),
    "rate_unavailable": orders.RateUnavailable(),
    "identity_verification_failed": orders.IdentityVerificationFailed(),
    "identity_provider_unavailable": orders.IdentityProviderUnavailable(),
    "try_again": TryAgain(),
}
