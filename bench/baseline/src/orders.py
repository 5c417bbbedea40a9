"""createOrder for a buy: authenticate, price, find a trader, store."""

import hashlib
import os
import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import chain
from typing import Any

import identity
import store
from errors import OrderError, Problem
from models import BuyCreated, CreateOrder, PaymentMethod
from pricing import Quote, quote_buy
from signing import verify_signature

TIMESTAMP_WINDOW_SECONDS = 300
PUBLIC_BASE_URL = os.environ["PUBLIC_BASE_URL"]
PAY_WINDOW_SECONDS = int(os.environ["PAY_WINDOW_SECONDS"])


type Merchant = Mapping[str, Any]


def create_buy(request: CreateOrder, method: str, path: str, body: str) -> BuyCreated:
    """Create a buy. Raises: OrderError."""
    now = int(time.time())
    merchant = authenticate(request, method, path, body, now)
    if not merchant["min_cny"] <= request.cny_amount <= merchant["max_cny"]:
        raise OrderError(Problem.AMOUNT_OUT_OF_RANGE)
    quote = quote_buy(request.cny_amount, merchant)
    if quote.merchant_actual_amount <= 0:
        raise OrderError(Problem.AMOUNT_OUT_OF_RANGE)
    refuse_used_number(request, merchant)
    candidates = store.traders_in_rotation("test" if request.is_test else "live", request)
    first = next(candidates, None)
    if first is None:
        raise OrderError(Problem.NO_TRADER_AVAILABLE)
    if merchant["identity_required"] and not identity.is_verified(request):
        raise OrderError(Problem.IDENTITY_VERIFICATION_FAILED)
    for trader in chain([first], candidates):
        if store.claim_trader(trader, time.time_ns() // 1000) and store.hold_usdt(trader, quote):
            return place_order(request, merchant, quote, trader, now)
    raise OrderError(Problem.NO_TRADER_AVAILABLE)


def authenticate(request: CreateOrder, method: str, path: str, body: str, now: int) -> Merchant:
    """Read the merchant, check signature and timestamp, store the nonce. Raises: OrderError."""
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


def refuse_used_number(request: CreateOrder, merchant: Merchant) -> None:
    """Refuse a merchant_order_no that is in use. Raises: OrderError."""
    if request.merchant_order_no is None:
        return
    number = store.number_of(merchant["merchant_id"], request.merchant_order_no)
    if number is not None:
        raise OrderError(Problem.MERCHANT_ORDER_NO_EXISTS, order_no=number)


def place_order(
    request: CreateOrder, merchant: Merchant, quote: Quote, trader: Mapping[str, Any], now: int
) -> BuyCreated:
    """Store the order with the trader's receiving method and the hash of the page's token."""
    number, token = new_number(), secrets.token_urlsafe(32)
    kind = request.method_type
    method = PaymentMethod(method_type=kind, **trader["methods"][kind])
    store.put_order(
        {
            "number": number,
            "merchant_id": merchant["merchant_id"],
            "merchant_order_no": request.merchant_order_no,
            "order_type": request.order_type,
            "is_test": request.is_test or 0,
            "callback_url": None if request.callback_url is None else str(request.callback_url),
            "remark": request.remark,
            "token_hash": hashlib.sha256(token.encode()).hexdigest(),
            "createtime": now,
            "updatetime": now,
            **asdict(quote),
            "status": "pending",
            "base_rate": merchant["buy_base_rate"],
            "trader_id": trader["trader_id"],
            "payment_method": method.model_dump(),
            "expire_time": now + PAY_WINDOW_SECONDS,
            "timeline": [{"status": "pending", "time": now}],
        }
    )
    return BuyCreated(
        order_no=number,
        merchant_order_no=request.merchant_order_no,
        cny_amount=quote.cny_amount,
        rate=quote.rate,
        payment_method=method.masked(),
        merchant_amount=quote.merchant_amount,
        deposit_amount=quote.deposit_amount,
        service_amount=quote.service_amount,
        merchant_actual_amount=quote.merchant_actual_amount,
        createtime=now,
        pay_url=f"{PUBLIC_BASE_URL}/pay/{number}/{token}",
    )


def new_number() -> str:
    """Create an order number: a letter, the UTC date, 16 random digits."""
    return f"B{datetime.now(UTC):%Y%m%d}{secrets.randbelow(10**16):016d}"
