"""The routes of the merchant API, one row each: requests, answers and refusals."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from orderdesk.domain.callbacks.steps import opened
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.open_orders import OpenLimit
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.merchants.statement import MerchantBalance, SealMark, StatementLine
from orderdesk.services.ports import Slice
from orderdesk.web.merchant import views
from orderdesk.web.merchant.create_order import CreateRoute
from orderdesk.web.merchant.lists import order_cursor
from tools.openapi.answers import constant
from tools.openapi.samples import (
    BASE_URL,
    CUSTOMERS,
    DRAFT,
    LISTED_WITHDRAWALS,
    MERCHANT,
    NOW,
    PAUSED,
    TEST_EVENT,
    TOKEN,
    annotated,
    claimed_sell,
    delivery,
    draft,
    funded,
    lowered,
    order,
    other_sum,
    refund_of_a_buy,
    refunded_buy,
    reversed_buy,
    settled,
)
from tools.openapi.texts import Schema

type Data = Mapping[str, Any]

BUY, SELL = OrderType.BUY, OrderType.SELL
PAY_URL = views.pay_url(BASE_URL, order(BUY).order_no, TOKEN)
IDENTITY_URL = views.identity_url(BASE_URL, DRAFT.pending_no, TOKEN)


# The reasons of refusals, with spaces between them.
EVERYWHERE = (
    "invalid_body invalid_parameter unknown_api_key bad_signature timestamp_out_of_window "
    "nonce_reused ip_not_allowed merchant_suspended not_allowed_by_key too_many_requests "
    "unknown_route internal_error try_again"
)
_CREATE = (
    "amount_out_of_range merchant_order_no_exists order_not_found state_conflict "
    "no_trader_available open_limit_reached open_sell_limit_reached refused_by_desk "
    "insufficient_balance rate_unavailable"
)
_VERIFY = "identity_verification_failed identity_provider_unavailable"


@dataclass(frozen=True, slots=True)
class Answered:
    """A kind of answer: the name of its schema, and the view's output for each example."""

    schema: str
    examples: Mapping[str, Data]
    fixed: Mapping[str, Schema] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Route:
    """A route: its body's schemas, examples, answers, and reasons of refusals.

    Its summary and description are in texts.yaml under the path.
    """

    path: str
    bodies: tuple[str, ...]
    requests: Mapping[str, Data]
    answers: tuple[Answered, ...]
    reasons: str = ""


def _created_draft() -> Data:
    return views.held_draft(DRAFT, IDENTITY_URL)


def _found(status: OrderStatus | None = None) -> Data:
    return views.queried_order(order(BUY, status), PAY_URL, NOW)


def _found_sell(status: OrderStatus | None = None) -> Data:
    return views.queried_order(order(SELL, status), None, NOW)


CREATED_BUY = Answered(
    "CreatedBuy",
    {
        "buy": views.created_buy(order(BUY), PAY_URL),
        "buy_with_a_discount": views.created_buy(lowered(), PAY_URL),
        "buy_with_a_misspelt_parameter": {
            **views.created_buy(order(BUY), PAY_URL),
            "ignored": ["merchant_order_number"],
        },
    },
    {"result_status": constant("success"), "order_type": constant(1)},
)
CREATED_SELL = Answered(
    "CreatedSell", {"sell": views.created_sell(order(SELL))}, {"order_type": constant(2)}
)
HELD_DRAFT = Answered(
    "HeldDraft",
    {"pending_identity": _created_draft()},
    {"result_status": constant("pending_identity")},
)
BUY_ORDER = Answered(
    "BuyOrder",
    {
        "buy": _found(),
        "buy_with_a_discount": views.queried_order(lowered(), PAY_URL, NOW),
        "refunded_buy": views.queried_order(refunded_buy(), PAY_URL, NOW),
        "reversed_buy": views.queried_order(reversed_buy(), PAY_URL, NOW),
        "buy_with_own_texts": views.queried_order(annotated(order(BUY)), PAY_URL, NOW),
        "paid": _found(OrderStatus.PAID),
        "completed": _found(OrderStatus.COMPLETED),
        "completed_with_the_sum_that_arrived": views.queried_order(other_sum(), PAY_URL, NOW),
    },
    {"order_type": constant(1)},
)
SELL_ORDER = Answered(
    "SellOrder",
    {
        "sell": _found_sell(),
        "refund": views.queried_order(refund_of_a_buy(), None, NOW),
        "claimed_sell": views.queried_order(claimed_sell(), None, NOW),
        "sell_with_own_texts": views.queried_order(annotated(order(SELL)), None, NOW),
        "assigned": _found_sell(OrderStatus.ASSIGNED),
    },
    {"order_type": constant(2)},
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
    """Return queryOrder's answers after a move."""
    after = [replace(BUY_ORDER, examples={f"buy_{buy}": _found(buy)})]
    if sell is not None:
        after.append(replace(SELL_ORDER, examples={f"sell_{sell}": _found_sell(sell)}))
    return tuple(after)


LISTED: Data = {
    "orders": [_found_sell(), _found(OrderStatus.PAID)],
    "cursor": order_cursor(order(BUY).order_id),
}
BALANCE = MerchantBalance(935_995_023, 140_424_345, 1_373_688)
BALANCES: Data = views.balances({Mode.LIVE: BALANCE, Mode.TEST: MerchantBalance(0, 0, 0)})
OF_A_TEST_KEY: Data = views.balances({Mode.TEST: BALANCE})

STATEMENT: Data = views.statement(
    Slice(
        (
            StatementLine("available", funded(10**9), 10**9),
            StatementLine("available", settled(135_995_023), 1_135_995_023),
            StatementLine("deposit", settled(1_373_688), 1_373_688),
        ),
        None,
    ),
    None,
    {order(BUY).order_no: order(BUY)},
    SealMark(NOW - 300, "5f" * 32),
)
PAGE = {name: STATEMENT[name] for name in ("postings", "cursor")}
DELIVERIES: Data = views.deliveries(
    Slice((replace(delivery(), endpoint_id="ep_0123456789ab"), delivery()), None), None, [PAUSED]
)
EVENTS: Data = views.events(Slice((delivery(),), None), None)
AGREEMENT: Data = views.agreement(
    MERCHANT, {mode: dict.fromkeys(OpenLimit, 0) for mode in (Mode.LIVE, Mode.TEST)}
)
QUOTE: Data = views.quoted(BUY, order(BUY).quote, NOW, fits=True)
QUOTE_OF_A_SELL: Data = views.quoted(SELL, order(SELL).quote, NOW, fits=None)
WITHDRAWALS: Data = views.withdrawals(Slice(LISTED_WITHDRAWALS, None), None)
DELIVERY: Data = views.delivery(delivery())
OF_AN_ENDPOINT: Data = DELIVERIES["callbacks"][0]
TEST_DELIVERY: Data = views.delivery(opened(TEST_EVENT))

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
    "id_card": "110101200001010002",
    "mobile": "13800000001",
}
_TEST = {"is_test": 1}  # the examples' test key may create nothing else
_BODIES = ("Buy", "Sell")

ROUTES: tuple[Route, ...] = (
    Route(
        CreateRoute.LIVE.value,
        _BODIES,
        {
            "buy": _A_BUY | _TEST,
            "buy_with_identity": _A_BUY | _CUSTOMER | _TEST,
            "sell": _A_SELL | _TEST,
        },
        (CREATED_BUY, HELD_DRAFT, CREATED_SELL),
        f"{_CREATE} {_VERIFY}",
    ),
    Route(
        CreateRoute.TEST.value,
        ("TestBuy", "TestSell"),
        {"buy": _A_BUY, "sell": _A_SELL},
        (CREATED_BUY, CREATED_SELL),
        f"{_CREATE} identity_provider_unavailable",
    ),
    Route(
        "/merchant/queryOrder",
        ("AnyNumber",),
        {
            "by_merchant_order_no": {"merchant_order_no": "A-0001"},
            "by_order_no": {"order_no": order(BUY).order_no},
        },
        (BUY_ORDER, SELL_ORDER, FOUND_DRAFT),
        "order_not_found",
    ),
    Route(
        "/merchant/listOrders",
        ("OrderListing",),
        {"paid_buys": {"status": "paid,disputed", "order_type": 1, "limit": 20}, "newest": {}},
        (Answered("OrderPage", {"page": LISTED}),),
    ),
    Route(
        "/merchant/cancelOrder",
        ("OrderNumber",),
        {"by_merchant_order_no": {"merchant_order_no": "A-0001"}},
        _moved(OrderStatus.CANCELLED, OrderStatus.CANCELLED),
        "order_not_found state_conflict",
    ),
    Route(
        "/merchant/disputeOrder",
        ("OrderNumber",),
        {"by_merchant_order_no": {"merchant_order_no": "A-0001"}},
        _moved(OrderStatus.DISPUTED),
        "order_not_found state_conflict",
    ),
    Route(
        "/merchant/balance",
        ("Nothing",),
        {"balance": {}},
        (Answered("Balances", {"balances": BALANCES, "with_a_test_key": OF_A_TEST_KEY}),),
    ),
    Route(
        "/merchant/statement",
        ("Statement",),
        {
            "a_day": {"start_time": NOW, "end_time": NOW + 86_400, "limit": 100},
            "from_the_start": {},
        },
        (Answered("StatementPage", {"last_page": STATEMENT, "page": PAGE}),),
    ),
    Route(
        "/merchant/listCallbacks",
        ("CallbackListing",),
        {"of_an_order": {"merchant_order_no": "A-0001"}, "newest": {"limit": 20}},
        (Answered("CallbackPage", {"page": DELIVERIES}),),
        "order_not_found",
    ),
    Route(
        "/merchant/listEvents",
        ("EventListing",),
        {"since_an_outage": {"start_time": NOW, "type": "order.completed,order.disputed"}},
        (Answered("EventPage", {"page": EVENTS}),),
        "order_not_found",
    ),
    Route(
        "/merchant/listWithdrawals",
        ("WithdrawalListing",),
        {"newest": {"limit": 20}},
        (Answered("WithdrawalPage", {"page": WITHDRAWALS}),),
    ),
    Route(
        "/merchant/quote",
        ("QuoteRequest",),
        {
            "buy": {"order_type": 1, "cny_amount": "1000.00", "method_type": "bank"},
            "sell": {"order_type": 2, "cny_amount": "1000.00"},
        },
        (Answered("Quote", {"buy": QUOTE, "sell": QUOTE_OF_A_SELL}),),
        "amount_out_of_range open_limit_reached open_sell_limit_reached rate_unavailable",
    ),
    Route(
        "/merchant/agreement",
        ("Nothing",),
        {"agreement": {}},
        (
            Answered(
                "Agreement",
                {
                    "agreement": AGREEMENT,
                    "with_a_test_key": {k: v for k, v in AGREEMENT.items() if k != "live"},
                },
            ),
        ),
    ),
    Route(
        "/merchant/redeliverCallback",
        ("Redelivery",),
        {"one": {"webhook_id": DELIVERY["webhook_id"]}},
        (Answered("Delivery", {"sent_again": DELIVERY, "to_an_endpoint": OF_AN_ENDPOINT}),),
        "order_not_found",
    ),
    Route(
        "/merchant/testCallback",
        ("CallbackTest",),
        {
            "an_endpoint": {"callback_url": "https://merchant.example.com/callback"},
            "the_default": {},
        },
        (Answered("Delivery", {"queued": TEST_DELIVERY}),),
    ),
    Route(
        "/test/advanceOrder",
        ("Advance",),
        {
            "a_buy_is_paid": {"merchant_order_no": "A-0001", "to": "paid"},
            "a_buy_is_completed": {"merchant_order_no": "A-0001", "to": "completed"},
        },
        (
            *_moved(OrderStatus.PAID, OrderStatus.ASSIGNED),
            Answered(
                "Draft",
                {"draft_locked": views.queried_draft(draft(DraftStatus.LOCKED), IDENTITY_URL, NOW)},
            ),
        ),
        "amount_out_of_range order_not_found state_conflict no_trader_available",
    ),
)
