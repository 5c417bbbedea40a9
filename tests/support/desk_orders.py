"""Orders as they stand at a trader's desk, for the pages' tests."""

from dataclasses import replace
from typing import Any

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import (
    IdentityRecord,
    Order,
    OrderStatus,
    Receipt,
    TimelineEntry,
)
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import FeePolicy, OrderType, quote
from orderdesk.domain.traders.trader import Trader
from tests.support.buy_orders import BUY_STATUSES, buy_order
from tests.support.seed import ALL_METHODS

SELL_NUMBER = "S202511210009876543210456"
ANSWER_SECONDS = 1800
SELL_STATUSES = [
    OrderStatus.ASSIGNED,
    OrderStatus.COMPLETED,
    OrderStatus.CANCELLED,
    OrderStatus.DISPUTED,
]
STATES = [
    *((OrderType.BUY, status) for status in BUY_STATUSES),
    *((OrderType.SELL, status) for status in SELL_STATUSES),
]
OPEN_STATES = [(side, status) for side, status in STATES if status.is_open]
CUSTOMERS_CARD = PaymentMethod(
    method_type=MethodType.BANK,
    real_name="李四",
    bank="中国银行",
    sub_bank="深圳分行",
    card_number="6222021234567890123",
)
CUSTOMERS_WALLET = PaymentMethod(
    method_type=MethodType.ALIPAY,
    real_name="李四",
    account="13800000000",
    qr_code="https://qr.alipay.com/fkx123",
)
TRADER = Trader(
    trader_id="t000001",
    name="甲",
    mode=Mode.LIVE,
    online=True,
    suspended=False,
    min_cny_fen=1,
    max_cny_fen=10**9,
    max_open=None,
    daily_cap_fen=None,
    methods=ALL_METHODS,
    available_micro=8_204_417_035,
    held_micro=138_249_032,
)
VERIFIED = IdentityRecord("passed", "sandbox", "r-1", "张*", "4403**********123X", "138****8000")
# How an order came to where it stands, after its creation: a status, and whose move it was.
_WAYS: dict[tuple[OrderType, OrderStatus], list[tuple[OrderStatus, str]]] = {
    (OrderType.BUY, OrderStatus.PAID): [(OrderStatus.PAID, "payer")],
    (OrderType.BUY, OrderStatus.COMPLETED): [
        (OrderStatus.PAID, "payer"),
        (OrderStatus.COMPLETED, "trader"),
    ],
    (OrderType.BUY, OrderStatus.DISPUTED): [
        (OrderStatus.PAID, "payer"),
        (OrderStatus.DISPUTED, "trader"),
    ],
    (OrderType.BUY, OrderStatus.CANCELLED): [(OrderStatus.CANCELLED, "merchant")],
    (OrderType.BUY, OrderStatus.EXPIRED): [(OrderStatus.EXPIRED, "clock")],
    (OrderType.SELL, OrderStatus.ASSIGNED): [(OrderStatus.ASSIGNED, "clock")],
    (OrderType.SELL, OrderStatus.COMPLETED): [
        (OrderStatus.ASSIGNED, "clock"),
        (OrderStatus.COMPLETED, "trader"),
    ],
    (OrderType.SELL, OrderStatus.CANCELLED): [
        (OrderStatus.ASSIGNED, "operator"),
        (OrderStatus.DISPUTED, "operator"),
        (OrderStatus.CANCELLED, "operator"),
    ],
    (OrderType.SELL, OrderStatus.DISPUTED): [
        (OrderStatus.ASSIGNED, "clock"),
        (OrderStatus.DISPUTED, "operator"),
    ],
}


def desk_order(
    side: OrderType, status: OrderStatus, since: int, *, fen: int = 1000_37, **changes: Any
) -> Order:
    """Give an order that came to its status at a time, with the usual way there."""
    is_buy = side is OrderType.BUY
    first = OrderStatus.PENDING if is_buy else OrderStatus.MATCHING
    way = [TimelineEntry(step, since, by) for step, by in _WAYS.get((side, status), ())]
    common: dict[str, Any] = {
        "status": status,
        "timeline": (TimelineEntry(first, since), *way),
        "identity": VERIFIED if is_buy else None,
    }
    if is_buy:
        return replace(buy_order(since, fen=fen), **(common | changes))
    mine: dict[str, Any] = {
        "order_no": SELL_NUMBER,
        "order_type": OrderType.SELL,
        "quote": quote(OrderType.SELL, fen, 71640, FeePolicy()),
        "payment_method": CUSTOMERS_CARD,
        "pay_token_hash": None,
        "expire_time": since + ANSWER_SECONDS if status is OrderStatus.ASSIGNED else None,
    }
    return replace(buy_order(since), **(mine | common | changes))


def numbered(order: Order, number: int) -> Order:
    """Give the same order with a number and an id of its own; a larger one is newer."""
    return replace(order, order_no=f"{order.order_no[:-2]}{number:02d}", order_id=number)


def proofs(order: Order, *types: str) -> tuple[Receipt, ...]:
    """Give receipts of an order, each of a media type."""
    return tuple(
        Receipt(f"receipts/{order.order_no}/{n}", kind, 1, order.createtime)
        for n, kind in enumerate(types)
    )
