"""Buy orders as they stand in the table, for the pages' tests."""

from dataclasses import replace
from typing import Any

from orderdesk.domain.ids import token_hash
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.pricing import BaseRate, FeePolicy, OrderType, quote
from tests.support.seed import BANK_METHOD

TOKEN = "t" * 43
RETURN_URL = "https://shop.example/orders/1?lang=zh"
SHOP = {"display_name": "演示商店 Demo & Sons", "support": "help@shop.example, 09:00-18:00"}
MERCHANT_ID = "m000000000001"
ORDER_NO = "B202511210009876543210123"
WINDOW_SECONDS = 900
BUY_STATUSES = [s for s in OrderStatus if s not in {OrderStatus.MATCHING, OrderStatus.ASSIGNED}]


def buy_order(
    now: int, status: OrderStatus = OrderStatus.PENDING, *, fen: int = 1000_37, **changes: Any
) -> Order:
    """Give a buy order created at `now` and moved to a status at once."""
    moves = (OrderStatus.PENDING, status) if status is not OrderStatus.PENDING else (status,)
    order = Order(
        order_id=9876543210123,
        order_no=ORDER_NO,
        merchant_id=MERCHANT_ID,
        merchant_order_no="A-1",
        order_type=OrderType.BUY,
        mode=Mode.LIVE,
        status=status,
        quote=quote(OrderType.BUY, fen, 72360, FeePolicy()),
        base_rate=BaseRate(72360, "test", now),
        createtime=now,
        updatetime=now,
        expire_time=now + WINDOW_SECONDS,
        timeline=tuple(TimelineEntry(move, now) for move in moves),
        trader_id="t000001",
        payment_method=BANK_METHOD,
        pay_token_hash=token_hash(TOKEN),
        return_url=RETURN_URL,
    )
    return replace(order, **changes)
