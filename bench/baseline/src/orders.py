"""createOrder for a buy: authenticate, price, find a trader, store."""

import hashlib
import os
import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import Any

import identity
import store
from errors import OrderError, Problem
from models import BuyCreated, CreateOrder, DraftHeld, PaymentMethod
from pricing import Quote, quote_buy
from signing import verify_signature

TIMESTAMP_WINDOW_SECONDS = 300
PUBLIC_BASE_URL = os.environ["PUBLIC_BASE_URL"]
PAY_WINDOW_SECONDS = int(os.environ["PAY_WINDOW_SECONDS"])
DRAFT_LIFE_SECONDS = int(os.environ["DRAFT_LIFE_SECONDS"])


type Merchant = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Buy:
    """An authenticated request; `now` in Unix seconds."""

    request: CreateOrder
    merchant: Merchant
    is_test: int
    now: int


def create_buy(request: CreateOrder, method: str, path: str, body: str) -> BuyCreated | DraftHeld:
    """Create a buy, or hold a draft of it. Raises: OrderError."""
    now = int(time.time())
    merchant = authenticate(request, method, path, body, now)
    buy = Buy(request, merchant, request.is_test or 0, now)
    if not merchant["min_cny"] <= request.cny_amount <= merchant["max_cny"]:
        raise OrderError(Problem.AMOUNT_OUT_OF_RANGE)
    quote = quote_buy(request.cny_amount, merchant)
    if quote.merchant_actual_amount <= 0:
        raise OrderError(Problem.AMOUNT_OUT_OF_RANGE)
    refuse_used_number(buy)
    candidates = store.traders_in_rotation("test" if buy.is_test else "live", request)
    first = next(candidates, None)
    if first is None:
        raise OrderError(Problem.NO_TRADER_AVAILABLE)
    if merchant["identity_required"] and not identity.is_verified(request):
        return hold_draft(buy)
    for trader in chain([first], candidates):
        if store.claim_trader(trader, time.time_ns() // 1000) and store.hold_usdt(trader, quote):
            return place_order(buy, quote, trader)
    raise OrderError(Problem.NO_TRADER_AVAILABLE)


def authenticate(request: CreateOrder, method: str, path: str, body: str, now: int) -> Merchant:
    """Find the merchant, check signature and timestamp, consume the nonce. Raises: OrderError."""
    merchant = store.merchant_by_key(request.api_key)
    if merchant is None:
        raise OrderError(Problem.UNKNOWN_API_KEY)
    if merchant["status"] != "active":
        raise OrderError(Problem.MERCHANT_SUSPENDED)
    verify_signature(merchant["api_secret"], method, path, body)
    if abs(now - request.timestamp) > TIMESTAMP_WINDOW_SECONDS:
        raise OrderError(Problem.TIMESTAMP_OUT_OF_WINDOW, server_time=now)
    if not store.consume_nonce(request.api_key, request.nonce, now):
        raise OrderError(Problem.NONCE_REUSED)
    return merchant


def refuse_used_number(buy: Buy) -> None:
    """Look the merchant's number up. Raises: OrderError."""
    if buy.request.merchant_order_no is None:
        return
    number = store.number_of(buy.merchant["merchant_id"], buy.request.merchant_order_no)
    if number is not None:
        raise OrderError(Problem.MERCHANT_ORDER_NO_EXISTS, order_no=number)


def place_order(buy: Buy, quote: Quote, trader: Mapping[str, Any]) -> BuyCreated:
    """Store the order with the trader's receiving method and answer it."""
    number, token = new_number("B"), secrets.token_urlsafe(32)
    kind = buy.request.method_type
    method = PaymentMethod(method_type=kind, **trader["methods"][kind])
    store.put_order(
        {
            **common_attributes(buy, number, token),
            **asdict(quote),
            "status": "pending",
            "base_rate": buy.merchant["buy_base_rate"],
            "trader_id": trader["trader_id"],
            "payment_method": method.model_dump(),
            "expire_time": buy.now + PAY_WINDOW_SECONDS,
            "timeline": [{"status": "pending", "time": buy.now}],
        }
    )
    return BuyCreated(
        order_no=number,
        merchant_order_no=buy.request.merchant_order_no,
        cny_amount=quote.cny_amount,
        rate=quote.rate,
        payment_method=method.masked(),
        merchant_amount=quote.merchant_amount,
        deposit_amount=quote.deposit_amount,
        service_amount=quote.service_amount,
        merchant_actual_amount=quote.merchant_actual_amount,
        createtime=buy.now,
        pay_url=f"{PUBLIC_BASE_URL}/pay/{number}/{token}",
    )


def hold_draft(buy: Buy) -> DraftHeld:
    """Store the draft with what the order will need and answer where its identity is given."""
    number, token = new_number("D"), secrets.token_urlsafe(32)
    expire_time = buy.now + DRAFT_LIFE_SECONDS
    store.put_order(
        {
            **common_attributes(buy, number, token),
            "status": "held",
            "cny_amount": buy.request.cny_amount,
            "method_type": buy.request.method_type,
            "expire_time": expire_time,
        }
    )
    return DraftHeld(
        pending_no=number,
        identity_url=f"{PUBLIC_BASE_URL}/identity/{number}/{token}",
        expire_time=expire_time,
    )


def common_attributes(buy: Buy, number: str, token: str) -> dict[str, Any]:
    """Give what an order and a draft have alike; of the page's token only its hash is kept."""
    request = buy.request
    return {
        "number": number,
        "merchant_id": buy.merchant["merchant_id"],
        "merchant_order_no": request.merchant_order_no,
        "order_type": request.order_type,
        "is_test": buy.is_test,
        "callback_url": None if request.callback_url is None else str(request.callback_url),
        "remark": request.remark,
        "token_hash": hashlib.sha256(token.encode()).hexdigest(),
        "createtime": buy.now,
        "updatetime": buy.now,
    }


def new_number(letter: str) -> str:
    """Draw a number for people: a letter, the UTC date, 16 random digits."""
    return f"{letter}{datetime.now(UTC):%Y%m%d}{secrets.randbelow(10**16):016d}"
