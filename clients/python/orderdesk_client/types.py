# SPDX-License-Identifier: Apache-2.0
"""Parameters and answers. Written by `make openapi` from docs/openapi.yaml."""

from decimal import Decimal
from typing import Literal, NotRequired, TypedDict, final

OrderStatus = Literal[
    "pending",
    "paid",
    "matching",
    "assigned",
    "completed",
    "cancelled",
    "expired",
    "disputed",
]
DraftStatus = Literal[
    "held",
    "locked",
    "expired",
    "completed",
]
CallbackType = Literal[
    "order.created",
    "order.paid",
    "order.assigned",
    "order.completed",
    "order.cancelled",
    "order.expired",
    "order.disputed",
    "order.reversed",
    "draft.locked",
    "draft.expired",
    "endpoint.test",
    "endpoint.disabled",
    "account.notice",
]
DeliveryStatus = Literal[
    "pending",
    "delivered",
    "undeliverable",
    "gone",
    "dead",
    "skipped",
    "failed",
]
OrderEventType = Literal[
    "order.created",
    "order.paid",
    "order.assigned",
    "order.completed",
    "order.cancelled",
    "order.expired",
    "order.disputed",
    "order.reversed",
]


class PaymentMethod(TypedDict, total=False):
    """A customer's method: the fields of a bank account, or those of a wallet."""

    method_type: Literal["bank", "wechat", "alipay"]
    real_name: str
    bank: str
    sub_bank: str
    card_number: str
    account: str
    qr_code: str


class BuyOptions(TypedDict, total=False):
    """The optional parameters of a buy."""

    callback_url: str
    remark: str
    return_url: str
    is_test: Literal[0, 1]
    method_type: Literal["bank", "wechat", "alipay"]
    max_discount: str | Decimal
    customer_name: str
    id_card: str
    mobile: str
    metadata: dict[str, str]


class SellOptions(TypedDict, total=False):
    """The optional parameters of a sell."""

    callback_url: str
    remark: str
    return_url: str
    is_test: Literal[0, 1]
    refund_of: str
    customer_name: str
    id_card: str
    mobile: str
    metadata: dict[str, str]


class OrderNumber(TypedDict, total=False):
    """The number of an order: one of the fields."""

    merchant_order_no: str
    order_no: str


class AnyNumber(TypedDict, total=False):
    """The number of an order or a draft: one of the fields."""

    merchant_order_no: str
    order_no: str
    pending_no: str


class OrderFilters(TypedDict, total=False):
    """The filters of a list of orders."""

    status: str
    order_type: Literal[1, 2]
    is_test: Literal[0, 1]
    start_time: int
    end_time: int
    merchant_order_no: str
    cny_amount: str
    metadata_key: str
    metadata_value: str
    limit: int
    cursor: str


class StatementFilters(TypedDict, total=False):
    """The filters of a statement."""

    is_test: Literal[0, 1]
    start_time: int
    end_time: int
    order_no: str
    kind: Literal["funding", "settlement", "withdrawal", "release", "reversal"]
    limit: int
    cursor: str


class CallbackFilters(TypedDict, total=False):
    """The filters of a list of callbacks."""

    merchant_order_no: str
    order_no: str
    pending_no: str
    type: str
    start_time: int
    end_time: int
    limit: int
    cursor: str
    status: str


class EventFilters(TypedDict, total=False):
    """The filters of a list of events."""

    merchant_order_no: str
    order_no: str
    type: str
    start_time: int
    end_time: int
    limit: int
    cursor: str


class WithdrawalFilters(TypedDict, total=False):
    """The filters of a list of withdrawals."""

    is_test: Literal[0, 1]
    limit: int
    cursor: str


class QuoteOptions(TypedDict, total=False):
    """The optional parameters of a quote."""

    method_type: Literal["bank", "wechat", "alipay"]
    is_test: Literal[0, 1]


@final
class TraderMethod(TypedDict):
    """The account to which the payer of a buy sends the money."""

    method_type: Literal["bank", "wechat", "alipay"]
    bank: str
    sub_bank: str
    card_number: str
    account: str
    qr_code: str
    real_name: str


@final
class CustomerMethod(TypedDict):
    """The account to which a sell is paid."""

    method_type: Literal["bank", "wechat", "alipay"]
    bank: str
    sub_bank: str
    card_number: str
    account: str
    qr_code: str
    real_name: str
    full_info: str


@final
class TimelineEntry(TypedDict):
    """A change of an order's status."""

    status: OrderStatus
    time: int
    by: Literal["payer", "merchant", "trader", "operator", "clock"]


@final
class Refund(TypedDict):
    """A sell that refunds a buy."""

    order_no: str
    cny_amount: str


@final
class MatchedBuy(TypedDict):
    """A buy. Its customer pays at `pay_url`."""

    result_status: Literal["success"]
    order_no: str
    merchant_order_no: str | None
    status: OrderStatus
    order_type: Literal[1]
    cny_amount: str
    rate: str
    payment_method: TraderMethod
    merchant_amount: str
    deposit_amount: str
    service_amount: str
    merchant_actual_amount: str
    createtime: int
    pay_url: str
    requested_cny_amount: NotRequired[str]
    ignored: NotRequired[list[str]]


@final
class HeldDraft(TypedDict):
    """A draft. Its customer verifies the identity at `identity_url`."""

    result_status: Literal["pending_identity"]
    pending_no: str
    identity_url: str
    expire_time: int
    ignored: NotRequired[list[str]]


CreatedBuy = MatchedBuy | HeldDraft
"""A buy, or a draft that waits for the customer's identity: see `result_status`."""


@final
class CreatedSell(TypedDict):
    """A sell."""

    order_id: int
    order_no: str
    merchant_order_no: str | None
    status: OrderStatus
    order_type: Literal[2]
    cny_amount: str
    rate: str
    usdt_amount: str
    merchant_amount: str
    merchant_actual_amount: str
    customer_payment_method: CustomerMethod
    createtime: int
    ignored: NotRequired[list[str]]


@final
class BuyOrder(TypedDict):
    """A buy."""

    order_id: int
    order_no: str
    merchant_order_no: str | None
    order_type: Literal[1]
    is_test: Literal[0, 1]
    status: OrderStatus
    cny_amount: str
    rate: str
    usdt_amount: str
    merchant_amount: str
    deposit_amount: str
    service_amount: str
    merchant_actual_amount: str
    createtime: int
    updatetime: int
    expire_time: int | None
    timeline: list[TimelineEntry]
    payment_method: TraderMethod
    pay_url: str
    requested_cny_amount: NotRequired[str]
    refunds: NotRequired[list[Refund]]
    reversed_usdt: NotRequired[str]
    remark: NotRequired[str]
    metadata: NotRequired[dict[str, str]]
    callback_url: NotRequired[str]
    return_url: NotRequired[str]
    reported_cny_amount: NotRequired[str]
    ignored: NotRequired[list[str]]


@final
class SellOrder(TypedDict):
    """A sell."""

    order_id: int
    order_no: str
    merchant_order_no: str | None
    order_type: Literal[2]
    is_test: Literal[0, 1]
    status: OrderStatus
    cny_amount: str
    rate: str
    usdt_amount: str
    merchant_amount: str
    deposit_amount: str
    service_amount: str
    merchant_actual_amount: str
    createtime: int
    updatetime: int
    expire_time: int | None
    timeline: list[TimelineEntry]
    customer_payment_method: CustomerMethod
    refund_of: NotRequired[str]
    claimed_usdt: NotRequired[str]
    remark: NotRequired[str]
    metadata: NotRequired[dict[str, str]]
    callback_url: NotRequired[str]
    return_url: NotRequired[str]
    ignored: NotRequired[list[str]]


Order = BuyOrder | SellOrder
"""An order, or a draft without `order_no`."""


@final
class Draft(TypedDict):
    """A draft of an order."""

    pending_no: str
    merchant_order_no: str | None
    status: DraftStatus
    expire_time: int
    identity_url: NotRequired[str]
    order_no: NotRequired[str]
    ignored: NotRequired[list[str]]


OrderOrDraft = BuyOrder | SellOrder | Draft
"""An order, or a draft, which has no `order_type`."""


@final
class OrderPage(TypedDict):
    """A page of orders."""

    orders: list[Order]
    cursor: str | None
    ignored: NotRequired[list[str]]


@final
class Balance(TypedDict):
    """A balance in USDT."""

    available: str
    held: str
    deposit: str


@final
class Balances(TypedDict):
    """The balances of live and test money."""

    live: NotRequired[Balance]
    test: Balance
    ignored: NotRequired[list[str]]


@final
class Posting(TypedDict):
    """A posting of an account."""

    id: str
    time: int
    kind: Literal["funding", "settlement", "withdrawal", "release", "reversal"]
    order_no: str | None
    withdrawal_no: str | None
    account: Literal["available", "deposit"]
    amount: str
    balance: str
    merchant_order_no: str | None


@final
class Seal(TypedDict):
    """A seal of the books."""

    time: int
    hash: str


@final
class StatementPage(TypedDict):
    """A page of postings."""

    postings: list[Posting]
    cursor: str | None
    seal: NotRequired[Seal]
    ignored: NotRequired[list[str]]


@final
class Attempt(TypedDict):
    """An attempt to deliver a callback."""

    time: int
    http_status: int | None
    latency_ms: int
    failure: str | None
    answer: str


@final
class Delivery(TypedDict):
    """A callback with its attempts."""

    webhook_id: str
    type: CallbackType
    order_no: str | None
    pending_no: str | None
    status: DeliveryStatus
    attempts: list[Attempt]
    next_time: int | None
    endpoint_id: NotRequired[str]
    ignored: NotRequired[list[str]]


@final
class PausedEndpoint(TypedDict):
    """An endpoint whose callbacks wait because it keeps failing."""

    origin: str
    since: int


@final
class CallbackPage(TypedDict):
    """A page of callbacks."""

    callbacks: list[Delivery]
    cursor: str | None
    paused: list[PausedEndpoint]
    ignored: NotRequired[list[str]]


@final
class OrderEventData(TypedDict):
    """The data of a callback about an order."""

    order_id: int
    order_no: str
    merchant_order_no: str | None
    order_type: Literal[1, 2]
    is_test: Literal[0, 1]
    status: OrderStatus
    cny_amount: str
    rate: str
    usdt_amount: str
    merchant_amount: str
    deposit_amount: str
    service_amount: str
    merchant_actual_amount: str
    createtime: int
    updatetime: int
    expire_time: int | None
    timeline: list[TimelineEntry]
    pending_no: NotRequired[str]
    sequence: int
    refund_of: NotRequired[str]
    remark: NotRequired[str]
    metadata: NotRequired[dict[str, str]]
    requested_cny_amount: NotRequired[str]
    reason: NotRequired[str]
    reported_cny_amount: NotRequired[str]
    reversed_usdt: NotRequired[str]
    refunds: NotRequired[list[Refund]]
    claimed_usdt: NotRequired[str]


@final
class DraftEventData(TypedDict):
    """The data of a callback about a draft that has ended without an order."""

    pending_no: str
    merchant_order_no: str | None
    status: DraftStatus
    expire_time: int
    is_test: Literal[0, 1]
    sequence: int


@final
class EndpointEventData(TypedDict):
    """The data of a callback about one of the addresses of callbacks."""

    is_test: Literal[0, 1]
    origin: NotRequired[str]
    since: NotRequired[int]


@final
class AccountEventData(TypedDict):
    """The data of a callback about a change of an endpoint, a person or a key."""

    is_test: Literal[0, 1]
    kind: Literal["endpoint", "person", "key"]
    by: str
    opens_at: int | None


EventData = OrderEventData | DraftEventData | EndpointEventData | AccountEventData
"""The data of a callback: of an order, or of a draft (`pending_no`)."""


@final
class OrderEvent(TypedDict):
    """A callback about an order."""

    type: OrderEventType
    timestamp: int
    data: OrderEventData


@final
class DraftEvent(TypedDict):
    """A callback about a draft that has ended without an order."""

    type: Literal["draft.locked", "draft.expired"]
    timestamp: int
    data: DraftEventData


@final
class EndpointEvent(TypedDict):
    """A callback about one of the addresses of callbacks."""

    type: Literal["endpoint.test", "endpoint.disabled"]
    timestamp: int
    data: EndpointEventData


@final
class AccountEvent(TypedDict):
    """A callback about a change of an endpoint, a person or a key."""

    type: Literal["account.notice"]
    timestamp: int
    data: AccountEventData


Event = OrderEvent | DraftEvent | EndpointEvent | AccountEvent
"""A callback: see `type`."""


@final
class ListedOrderEvent(TypedDict):
    """A listed callback about an order."""

    event_id: str
    type: OrderEventType
    timestamp: int
    data: OrderEventData


@final
class ListedDraftEvent(TypedDict):
    """A listed callback about a draft that has ended without an order."""

    event_id: str
    type: Literal["draft.locked", "draft.expired"]
    timestamp: int
    data: DraftEventData


@final
class ListedEndpointEvent(TypedDict):
    """A listed callback about one of the addresses of callbacks."""

    event_id: str
    type: Literal["endpoint.test", "endpoint.disabled"]
    timestamp: int
    data: EndpointEventData


@final
class ListedAccountEvent(TypedDict):
    """A listed callback about a change of an endpoint, a person or a key."""

    event_id: str
    type: Literal["account.notice"]
    timestamp: int
    data: AccountEventData


ListedEvent = ListedOrderEvent | ListedDraftEvent | ListedEndpointEvent | ListedAccountEvent
"""The body of a callback, with the id of the event."""


@final
class EventPage(TypedDict):
    """A page of events."""

    events: list[ListedEvent]
    cursor: str | None
    ignored: NotRequired[list[str]]


@final
class Withdrawal(TypedDict):
    """A withdrawal, or the request for one."""

    time: int
    state: Literal["requested", "approved", "sent", "rejected", "cancelled"]
    amount: str
    request_no: str | None
    withdrawal_no: str | None
    network: str | None
    address_ending: str | None
    txid: str | None
    reason: str | None


@final
class WithdrawalPage(TypedDict):
    """A page of withdrawals."""

    withdrawals: list[Withdrawal]
    cursor: str | None
    ignored: NotRequired[list[str]]


@final
class Quote(TypedDict):
    """The amounts of an order that was not created."""

    order_type: Literal[1, 2]
    cny_amount: str
    rate: str
    rate_time: int
    usdt_amount: str
    merchant_amount: str
    deposit_amount: str
    service_amount: str
    merchant_actual_amount: str
    would_match: bool | None
    ignored: NotRequired[list[str]]


@final
class Fees(TypedDict):
    """The fees of the agreement."""

    service_bps: int
    service_fixed: str
    deposit_bps: int
    spread_bps: int


@final
class Limits(TypedDict):
    """The limits of open orders, and what is open."""

    max_open_buys: int
    open_buys: int
    max_open_cny: str
    open_cny: str
    max_open_sells: int
    open_sells: int
    max_open_sell_cny: str
    open_sell_cny: str


@final
class Agreement(TypedDict):
    """The terms of the merchant."""

    min_cny: str
    max_cny: str
    fees: Fees
    identity_required: bool
    require_receipt: bool
    max_rps: int
    callback_url: str | None
    live: NotRequired[Limits]
    test: Limits
    ignored: NotRequired[list[str]]
