"""The routes of the merchant API: routes.yaml, with the answers of their examples."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

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


@dataclass(frozen=True, slots=True)
class Route:
    """A route: its bodies' schemas, example requests, answers, and reasons of refusals.

    `answers` are the views' outputs for the examples, by schema and name. The rest is in
    routes.yaml, the summary and the description are in texts.yaml, under the path.
    """

    path: str
    answers: Answers
    bodies: Sequence[str]
    requests: Mapping[str, Data]
    refusals: Collection[str] = ()


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

ANSWERS: Mapping[str, Answers] = {
    CreateRoute.LIVE.value: _CREATED_BUYS | _HELD_DRAFTS | _CREATED_SELLS,
    CreateRoute.TEST.value: _CREATED_BUYS | _CREATED_SELLS,
    "/merchant/queryOrder": _FOUND,
    "/merchant/listOrders": {"OrderPage": {"page": LISTED}},
    "/merchant/cancelOrder": _moved(OrderStatus.CANCELLED, OrderStatus.CANCELLED),
    "/merchant/disputeOrder": _moved(OrderStatus.DISPUTED),
    "/merchant/balance": {"Balances": {"balances": BALANCES, "with_a_test_key": OF_A_TEST_KEY}},
    "/merchant/statement": {"StatementPage": {"last_page": STATEMENT, "page": PAGE}},
    "/merchant/listCallbacks": {"CallbackPage": {"page": DELIVERIES}},
    "/merchant/listEvents": {"EventPage": {"page": EVENTS}},
    "/merchant/listWithdrawals": {"WithdrawalPage": {"page": WITHDRAWALS}},
    "/merchant/quote": {"Quote": {"buy": QUOTE, "sell": QUOTE_OF_A_SELL}},
    "/merchant/agreement": {
        "Agreement": {
            "agreement": AGREEMENT,
            "with_a_test_key": {k: v for k, v in AGREEMENT.items() if k != "live"},
        }
    },
    "/merchant/redeliverCallback": {
        "Delivery": {"sent_again": DELIVERY, "to_an_endpoint": DELIVERIES["callbacks"][0]}
    },
    "/merchant/testCallback": {"Delivery": {"queued": views.delivery(opened(TEST_EVENT))}},
    "/test/advanceOrder": {
        **_moved(OrderStatus.PAID, OrderStatus.ASSIGNED),
        "Draft": {"draft_locked": _FOUND["Draft"]["draft_locked"]},
    },
}
_TEXT = Path(__file__).with_suffix(".yaml").read_text("utf-8")
_FILE = yaml.safe_load(_TEXT.replace("<order_no>", order(BUY).order_no))
EVERYWHERE: Collection[str] = _FILE["everywhere"]
"""The reasons of every route's refusals."""
ROUTES = [Route(path, answers=ANSWERS[path], **row) for path, row in _FILE["routes"].items()]
