# SPDX-License-Identifier: Apache-2.0
"""Parameters and answers. Written by `make openapi` from docs/openapi.yaml."""

from decimal import Decimal
from typing import Literal, NotRequired, TypedDict

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
OrderOrDraftStatus = Literal[
    "pending",
    "paid",
    "matching",
    "assigned",
    "completed",
    "cancelled",
    "expired",
    "disputed",
    "held",
    "locked",
]
CallbackType = Literal[
    "order.created",
    "order.paid",
    "order.assigned",
    "order.completed",
    "order.cancelled",
    "order.expired",
    "order.disputed",
    "draft.locked",
    "draft.expired",
    "endpoint.test",
    "endpoint.disabled",
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


class SellOptions(TypedDict, total=False):
    """The optional parameters of a sell."""

    callback_url: str
    remark: str
    return_url: str
    is_test: Literal[0, 1]
    customer_name: str
    id_card: str
    mobile: str


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
    limit: int
    cursor: str


class StatementFilters(TypedDict, total=False):
    """The filters of a statement."""

    is_test: Literal[0, 1]
    start_time: int
    end_time: int
    limit: int
    cursor: str


class CallbackFilters(TypedDict, total=False):
    """The filters of a list of callbacks."""

    merchant_order_no: str
    order_no: str
    pending_no: str
    limit: int
    cursor: str


class TraderMethod(TypedDict):
    """The account to which the payer of a buy sends the money."""

    method_type: Literal["bank", "wechat", "alipay"]
    bank: str
    sub_bank: str
    card_number: str
    account: str
    qr_code: str
    real_name: str


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


class TimelineEntry(TypedDict):
    """A change of an order's status."""

    status: OrderStatus
    time: int
    by: Literal["payer", "merchant", "trader", "operator", "clock"]


class CreatedBuy(TypedDict):
    """A buy, or a draft that waits for the customer's identity: see `result_status`."""

    result_status: Literal["success", "pending_identity"]
    order_no: NotRequired[str]
    merchant_order_no: NotRequired[str | None]
    status: NotRequired[OrderStatus]
    order_type: NotRequired[Literal[1]]
    cny_amount: NotRequired[str]
    rate: NotRequired[str]
    payment_method: NotRequired[TraderMethod]
    merchant_amount: NotRequired[str]
    deposit_amount: NotRequired[str]
    service_amount: NotRequired[str]
    merchant_actual_amount: NotRequired[str]
    createtime: NotRequired[int]
    pay_url: NotRequired[str]
    requested_cny_amount: NotRequired[str]
    ignored: NotRequired[list[str]]
    pending_no: NotRequired[str]
    identity_url: NotRequired[str]
    expire_time: NotRequired[int]


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


class Order(TypedDict):
    """An order, or a draft without `order_no`."""

    order_id: NotRequired[int]
    order_no: NotRequired[str]
    merchant_order_no: str | None
    order_type: NotRequired[Literal[1, 2]]
    is_test: NotRequired[Literal[0, 1]]
    status: OrderOrDraftStatus
    cny_amount: NotRequired[str]
    rate: NotRequired[str]
    usdt_amount: NotRequired[str]
    merchant_amount: NotRequired[str]
    deposit_amount: NotRequired[str]
    service_amount: NotRequired[str]
    merchant_actual_amount: NotRequired[str]
    createtime: NotRequired[int]
    updatetime: NotRequired[int]
    expire_time: int | None
    timeline: NotRequired[list[TimelineEntry]]
    payment_method: NotRequired[TraderMethod]
    pay_url: NotRequired[str]
    requested_cny_amount: NotRequired[str]
    ignored: NotRequired[list[str]]
    customer_payment_method: NotRequired[CustomerMethod]
    pending_no: NotRequired[str]
    identity_url: NotRequired[str]


class OrderPage(TypedDict):
    """A page of orders."""

    orders: list[Order]
    cursor: str | None
    ignored: NotRequired[list[str]]


class Balance(TypedDict):
    """A balance in USDT."""

    available: str
    held: str
    deposit: str


class Balances(TypedDict):
    """The balances of live and test money."""

    live: NotRequired[Balance]
    test: Balance
    ignored: NotRequired[list[str]]


class Posting(TypedDict):
    """A posting of an account."""

    time: int
    kind: Literal["funding", "settlement", "withdrawal"]
    order_no: str | None
    account: Literal["available", "deposit"]
    amount: str
    balance: str


class StatementPage(TypedDict):
    """A page of postings."""

    postings: list[Posting]
    cursor: str | None
    ignored: NotRequired[list[str]]


class Attempt(TypedDict):
    """An attempt to deliver a callback."""

    time: int
    http_status: int | None
    latency_ms: int
    failure: str | None
    answer: str


class Delivery(TypedDict):
    """A callback with its attempts."""

    webhook_id: str
    type: CallbackType
    order_no: str | None
    pending_no: str | None
    status: DeliveryStatus
    attempts: list[Attempt]
    next_time: int | None
    ignored: NotRequired[list[str]]


class PausedEndpoint(TypedDict):
    """An endpoint whose callbacks wait because it keeps failing."""

    origin: str
    since: int


class CallbackPage(TypedDict):
    """A page of callbacks."""

    callbacks: list[Delivery]
    cursor: str | None
    paused: list[PausedEndpoint]
    ignored: NotRequired[list[str]]


class EventData(TypedDict):
    """The data of a callback: of an order, or of a draft (`pending_no`)."""

    order_id: NotRequired[int]
    order_no: NotRequired[str]
    merchant_order_no: NotRequired[str | None]
    order_type: NotRequired[Literal[1, 2]]
    is_test: Literal[0, 1]
    status: NotRequired[OrderOrDraftStatus]
    cny_amount: NotRequired[str]
    rate: NotRequired[str]
    usdt_amount: NotRequired[str]
    merchant_amount: NotRequired[str]
    deposit_amount: NotRequired[str]
    service_amount: NotRequired[str]
    merchant_actual_amount: NotRequired[str]
    createtime: NotRequired[int]
    updatetime: NotRequired[int]
    expire_time: NotRequired[int | None]
    timeline: NotRequired[list[TimelineEntry]]
    sequence: NotRequired[int]
    requested_cny_amount: NotRequired[str]
    pending_no: NotRequired[str]
    origin: NotRequired[str]
    since: NotRequired[int]


class Event(TypedDict):
    """A callback."""

    type: str
    timestamp: int
    data: EventData
