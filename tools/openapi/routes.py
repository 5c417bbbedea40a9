"""The routes of the merchant API, one row each: requests, answers and refusals."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from orderdesk.domain.callbacks.steps import opened
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.open_orders import OpenLimit
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.merchants.statement import MerchantBalance, SealMark, StatementLine
from orderdesk.services.ports import Slice
from orderdesk.web.merchant import views
from orderdesk.web.merchant.create_order import CreateRoute
from orderdesk.web.merchant.lists import order_cursor
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

type Data = Mapping[str, Any]
type Answers = dict[str, Mapping[str, Data]]

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
class Route:
    """A route: its bodies' schemas, example requests, answers, and reasons of refusals.

    `answers` are the views' outputs for the examples, by schema and name. The summary and the
    description are in texts.yaml under the path.
    """

    path: str
    bodies: tuple[str, ...]
    requests: Mapping[str, Data]
    answers: Answers
    reasons: str = ""


def _found(of: Order) -> Data:
    return views.queried_order(of, PAY_URL if of.order_type is BUY else None, NOW)


_CREATED_BUYS: Answers = {
    "CreatedBuy": {
        "buy": views.created_buy(order(BUY), PAY_URL),
        "buy_with_a_discount": views.created_buy(lowered(), PAY_URL),
        "buy_with_a_misspelt_parameter": {
            **views.created_buy(order(BUY), PAY_URL),
            "ignored": ["merchant_order_number"],
        },
    }
}
_CREATED_SELLS: Answers = {"CreatedSell": {"sell": views.created_sell(order(SELL))}}
_HELD_DRAFTS: Answers = {"HeldDraft": {"pending_identity": views.held_draft(DRAFT, IDENTITY_URL)}}
_FOUND: Answers = {
    "BuyOrder": {
        "buy": _found(order(BUY)),
        "buy_with_a_discount": _found(lowered()),
        "refunded_buy": _found(refunded_buy()),
        "reversed_buy": _found(reversed_buy()),
        "buy_with_own_texts": _found(annotated(order(BUY))),
        "paid": _found(order(BUY, OrderStatus.PAID)),
        "completed": _found(order(BUY, OrderStatus.COMPLETED)),
        "completed_with_the_sum_that_arrived": _found(other_sum()),
    },
    "SellOrder": {
        "sell": _found(order(SELL)),
        "refund": _found(refund_of_a_buy()),
        "claimed_sell": _found(claimed_sell()),
        "sell_with_own_texts": _found(annotated(order(SELL))),
        "assigned": _found(order(SELL, OrderStatus.ASSIGNED)),
    },
    "Draft": {
        f"draft_{each.status}": views.queried_draft(each, IDENTITY_URL, NOW)
        for each in (DRAFT, draft(DraftStatus.LOCKED), draft(DraftStatus.COMPLETED))
    },
}


def _moved(buy: OrderStatus, sell: OrderStatus | None = None) -> Answers:
    """Return queryOrder's answers after a move."""
    after: Answers = {"BuyOrder": {f"buy_{buy}": _found(order(BUY, buy))}}
    if sell is not None:
        after["SellOrder"] = {f"sell_{sell}": _found(order(SELL, sell))}
    return after


LISTED: Data = {
    "orders": [_found(order(SELL)), _found(order(BUY, OrderStatus.PAID))],
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
        _CREATED_BUYS | _HELD_DRAFTS | _CREATED_SELLS,
        f"{_CREATE} {_VERIFY}",
    ),
    Route(
        CreateRoute.TEST.value,
        ("TestBuy", "TestSell"),
        {"buy": _A_BUY, "sell": _A_SELL},
        _CREATED_BUYS | _CREATED_SELLS,
        f"{_CREATE} identity_provider_unavailable",
    ),
    Route(
        "/merchant/queryOrder",
        ("AnyNumber",),
        {
            "by_merchant_order_no": {"merchant_order_no": "A-0001"},
            "by_order_no": {"order_no": order(BUY).order_no},
        },
        _FOUND,
        "order_not_found",
    ),
    Route(
        "/merchant/listOrders",
        ("OrderListing",),
        {"paid_buys": {"status": "paid,disputed", "order_type": 1, "limit": 20}, "newest": {}},
        {"OrderPage": {"page": LISTED}},
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
        {"Balances": {"balances": BALANCES, "with_a_test_key": OF_A_TEST_KEY}},
    ),
    Route(
        "/merchant/statement",
        ("Statement",),
        {
            "a_day": {"start_time": NOW, "end_time": NOW + 86_400, "limit": 100},
            "from_the_start": {},
        },
        {"StatementPage": {"last_page": STATEMENT, "page": PAGE}},
    ),
    Route(
        "/merchant/listCallbacks",
        ("CallbackListing",),
        {"of_an_order": {"merchant_order_no": "A-0001"}, "newest": {"limit": 20}},
        {"CallbackPage": {"page": DELIVERIES}},
        "order_not_found",
    ),
    Route(
        "/merchant/listEvents",
        ("EventListing",),
        {"since_an_outage": {"start_time": NOW, "type": "order.completed,order.disputed"}},
        {"EventPage": {"page": EVENTS}},
        "order_not_found",
    ),
    Route(
        "/merchant/listWithdrawals",
        ("WithdrawalListing",),
        {"newest": {"limit": 20}},
        {"WithdrawalPage": {"page": WITHDRAWALS}},
    ),
    Route(
        "/merchant/quote",
        ("QuoteRequest",),
        {
            "buy": {"order_type": 1, "cny_amount": "1000.00", "method_type": "bank"},
            "sell": {"order_type": 2, "cny_amount": "1000.00"},
        },
        {"Quote": {"buy": QUOTE, "sell": QUOTE_OF_A_SELL}},
        "amount_out_of_range open_limit_reached open_sell_limit_reached rate_unavailable",
    ),
    Route(
        "/merchant/agreement",
        ("Nothing",),
        {"agreement": {}},
        {
            "Agreement": {
                "agreement": AGREEMENT,
                "with_a_test_key": {k: v for k, v in AGREEMENT.items() if k != "live"},
            }
        },
    ),
    Route(
        "/merchant/redeliverCallback",
        ("Redelivery",),
        {"one": {"webhook_id": DELIVERY["webhook_id"]}},
        {"Delivery": {"sent_again": DELIVERY, "to_an_endpoint": OF_AN_ENDPOINT}},
        "order_not_found",
    ),
    Route(
        "/merchant/testCallback",
        ("CallbackTest",),
        {
            "an_endpoint": {"callback_url": "https://merchant.example.com/callback"},
            "the_default": {},
        },
        {"Delivery": {"queued": TEST_DELIVERY}},
    ),
    Route(
        "/test/advanceOrder",
        ("Advance",),
        {
            "a_buy_is_paid": {"merchant_order_no": "A-0001", "to": "paid"},
            "a_buy_is_completed": {"merchant_order_no": "A-0001", "to": "completed"},
        },
        {
            **_moved(OrderStatus.PAID, OrderStatus.ASSIGNED),
            "Draft": {"draft_locked": _FOUND["Draft"]["draft_locked"]},
        },
        "amount_out_of_range order_not_found state_conflict no_trader_available",
    ),
)
