"""The routes of the merchant API, one row each: what is sent, answered and refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.merchants.balance import MerchantBalance
from orderdesk.web.merchant import views
from orderdesk.web.merchant.create_order import Door
from orderdesk.web.merchant.list_orders import cursor_of
from orderdesk.web.merchant.query_order import ANY_NUMBER, ORDER_NUMBER
from tools.openapi.parameters import REQUESTS, Schema, exactly_one
from tools.openapi.samples import BASE_URL, CUSTOMERS, DRAFT, NOW, TOKEN, draft, order

BUY, SELL = OrderType.BUY, OrderType.SELL
PAY_URL = views.pay_url(BASE_URL, order(BUY).order_no, TOKEN)
IDENTITY_URL = views.identity_url(BASE_URL, DRAFT.pending_no, TOKEN)

type Data = Mapping[str, Any]

EVERYWHERE = (
    "invalid_body",
    "invalid_parameter",
    "unknown_api_key",
    "bad_signature",
    "timestamp_out_of_window",
    "nonce_reused",
    "ip_not_allowed",
    "merchant_suspended",
    "too_many_requests",
    "unknown_route",
    "internal_error",
    "try_again",
)
_CREATE = (
    "amount_out_of_range",
    "merchant_order_no_exists",
    "no_trader_available",
    "open_limit_reached",
    "insufficient_balance",
    "rate_unavailable",
)
_VERIFY = ("identity_verification_failed", "identity_provider_unavailable")


@dataclass(frozen=True, slots=True)
class Answered:
    """A kind of answer: the name of its schema, and what the view renders for each example."""

    schema: str
    examples: Mapping[str, Data]
    fixed: Mapping[str, Schema] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Route:
    """A route: the schemas of its body with examples, its answers, and the reasons it refuses for.

    Its summary and description are in texts.yaml under the path.
    """

    path: str
    bodies: Mapping[str, Schema]
    requests: Mapping[str, Data]
    answers: tuple[Answered, ...]
    reasons: tuple[str, ...] = ()


def _created_draft() -> Data:
    return views.held_draft(DRAFT, IDENTITY_URL)


def _found(status: OrderStatus | None = None) -> Data:
    return views.queried_order(order(BUY, status), PAY_URL, NOW)


def _found_sell(status: OrderStatus | None = None) -> Data:
    return views.queried_order(order(SELL, status), None, NOW)


CREATED_BUY = Answered(
    "CreatedBuy",
    {"buy": views.created_buy(order(BUY), PAY_URL)},
    {"result_status": {"const": "success"}, "order_type": {"const": 1}},
)
CREATED_SELL = Answered(
    "CreatedSell", {"sell": views.created_sell(order(SELL))}, {"order_type": {"const": 2}}
)
HELD_DRAFT = Answered(
    "HeldDraft",
    {"pending_identity": _created_draft()},
    {"result_status": {"const": "pending_identity"}},
)
BUY_ORDER = Answered(
    "BuyOrder",
    {"buy": _found(), "paid": _found(OrderStatus.PAID), "completed": _found(OrderStatus.COMPLETED)},
    {"order_type": {"const": 1}},
)
SELL_ORDER = Answered(
    "SellOrder",
    {"sell": _found_sell(), "assigned": _found_sell(OrderStatus.ASSIGNED)},
    {"order_type": {"const": 2}},
)
FOUND_DRAFT = Answered(
    "Draft",
    {
        "draft_held": views.queried_draft(DRAFT, IDENTITY_URL, NOW),
        "draft_locked": views.queried_draft(draft(DraftStatus.LOCKED), IDENTITY_URL, NOW),
        "draft_completed": views.queried_draft(draft(DraftStatus.COMPLETED), IDENTITY_URL, NOW),
    },
)


def _moved(buy: OrderStatus, sell: OrderStatus | None = None) -> tuple[Answered, ...]:
    """Give queryOrder's answers after a move."""
    after = [Answered("BuyOrder", {f"buy_{buy}": _found(buy)})]
    if sell is not None:
        after.append(Answered("SellOrder", {f"sell_{sell}": _found_sell(sell)}))
    return tuple(after)


LISTED = {
    "orders": [_found_sell(), _found(OrderStatus.PAID)],
    "cursor": cursor_of(order(BUY).order_id),
}
BALANCE = MerchantBalance(935_995_023, 140_424_345, 1_373_688)
BALANCES = views.balances({Mode.LIVE: BALANCE, Mode.TEST: MerchantBalance(0, 0, 0)})

_A_BUY = {"order_type": 1, "cny_amount": "1000.00", "merchant_order_no": "A-0001"}
_A_SELL = {
    "order_type": 2,
    "cny_amount": "1000.00",
    "merchant_order_no": "A-0002",
    "payment_method": {name: value for name, value in CUSTOMERS.fields().items() if value},
}
_CUSTOMER = {
    "merchant_order_no": "A-0003",
    "customer_name": "张三",
    "id_card": "11010120000101000X",
    "mobile": "13800000001",
}
_BODIES = {name: REQUESTS[name] for name in ("Buy", "Sell")}
_ANY = {"Number": exactly_one(*ANY_NUMBER)}
_ORDERS = {"OrderNumber": exactly_one(*ORDER_NUMBER)}

ROUTES: tuple[Route, ...] = (
    Route(
        Door.LIVE.value,
        _BODIES,
        {"buy": _A_BUY, "buy_with_identity": {**_A_BUY, **_CUSTOMER}, "sell": _A_SELL},
        (CREATED_BUY, HELD_DRAFT, CREATED_SELL),
        (*_CREATE, *_VERIFY),
    ),
    Route(
        Door.TEST.value,
        _BODIES,
        {"buy": _A_BUY, "sell": _A_SELL},
        (CREATED_BUY, CREATED_SELL),
        _CREATE,
    ),
    Route(
        "/merchant/queryOrder",
        _ANY,
        {
            "by_merchant_order_no": {"merchant_order_no": "A-0001"},
            "by_order_no": {"order_no": order(BUY).order_no},
        },
        (BUY_ORDER, SELL_ORDER, FOUND_DRAFT),
        ("order_not_found",),
    ),
    Route(
        "/merchant/listOrders",
        {"Listing": REQUESTS["Listing"]},
        {"paid_buys": {"status": "paid,disputed", "order_type": 1, "limit": 20}, "newest": {}},
        (Answered("OrderPage", {"page": LISTED}),),
    ),
    Route(
        "/merchant/cancelOrder",
        _ORDERS,
        {"by_merchant_order_no": {"merchant_order_no": "A-0001"}},
        _moved(OrderStatus.CANCELLED, OrderStatus.CANCELLED),
        ("order_not_found", "state_conflict"),
    ),
    Route(
        "/merchant/disputeOrder",
        _ORDERS,
        {"by_merchant_order_no": {"merchant_order_no": "A-0001"}},
        _moved(OrderStatus.DISPUTED),
        ("order_not_found", "state_conflict"),
    ),
    Route(
        "/merchant/balance",
        {"Nothing": REQUESTS["Nothing"]},
        {"balance": {}},
        (Answered("Balances", {"balances": BALANCES}),),
    ),
)
