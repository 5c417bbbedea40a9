"""Orders and drafts in each status, built in memory."""

from dataclasses import replace
from typing import Any

from orderdesk.domain.ids import token_hash
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.order import IdentityRecord, Order, OrderStatus, Receipt, TimelineEntry
from orderdesk.domain.payment_methods import MethodType, PaymentMethod, is_code_text
from orderdesk.domain.pricing import BaseRate, FeePolicy, Mode, OrderType, quote
from tests.support.seed import ALL_METHODS, BANK_METHOD, WORKED_FEES, a_trader, with_changes

TOKEN = "t" * 43
IDENTITY_TOKEN = "i" * 43
RETURN_URL = "https://shop.example/orders/1?lang=zh"
SHOP = {"display_name": "演示商店 Demo & Sons", "support": "help@shop.example, 09:00-18:00"}
MERCHANT_ID = "m000000000001"
ORDER_NO = "B202511210009876543210123"
SELL_NUMBER = "S202511210009876543210456"
PENDING_NO = "D202511210009876543210123"
WINDOW_SECONDS, ANSWER_SECONDS, LIFE_SECONDS = 900, 1800, 7200
BUY_STATUSES = [s for s in OrderStatus if s not in {OrderStatus.MATCHING, OrderStatus.ASSIGNED}]
STATES = [
    *((OrderType.BUY, status) for status in BUY_STATUSES),
    (OrderType.SELL, OrderStatus.ASSIGNED),
    (OrderType.SELL, OrderStatus.COMPLETED),
    (OrderType.SELL, OrderStatus.CANCELLED),
    (OrderType.SELL, OrderStatus.DISPUTED),
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
TRADER = a_trader(
    "t000001",
    name="甲",
    min_cny_fen=1,
    max_cny_fen=10**9,
    methods=ALL_METHODS,
    available_micro=8_204_417_035,
    held_micro=138_249_032,
)
RECORD = IdentityRecord("passed", "sandbox", "r", "测**", "1101**********0001", "138****0001")
VERIFIED = IdentityRecord("passed", "sandbox", "r-1", "张*", "4403**********123X", "138****8000")

NAMED = replace(VERIFIED, open_name="张三")

_WITHOUT_TRADER = {OrderStatus.MATCHING, OrderStatus.CANCELLED}
_BEFORE = {
    (OrderType.BUY, OrderStatus.PAID): (OrderStatus.PENDING,),
    (OrderType.BUY, OrderStatus.DISPUTED): (OrderStatus.PENDING, OrderStatus.PAID),
    (OrderType.SELL, OrderStatus.ASSIGNED): (OrderStatus.MATCHING,),
    (OrderType.SELL, OrderStatus.DISPUTED): (OrderStatus.MATCHING, OrderStatus.ASSIGNED),
}
# The timeline's entries after the creation: status and actor.
_STEPS = {
    (OrderType.BUY, OrderStatus.PAID): "paid payer",
    (OrderType.BUY, OrderStatus.COMPLETED): "paid payer, completed trader",
    (OrderType.BUY, OrderStatus.DISPUTED): "paid payer, disputed trader",
    (OrderType.BUY, OrderStatus.CANCELLED): "cancelled merchant",
    (OrderType.BUY, OrderStatus.EXPIRED): "expired clock",
    (OrderType.SELL, OrderStatus.ASSIGNED): "assigned clock",
    (OrderType.SELL, OrderStatus.COMPLETED): "assigned clock, completed trader",
    (OrderType.SELL, OrderStatus.CANCELLED): (
        "assigned operator, disputed operator, cancelled operator"
    ),
    (OrderType.SELL, OrderStatus.DISPUTED): "assigned clock, disputed operator",
}


def order_in(
    kind: OrderType,
    status: OrderStatus,
    *,
    since: int,
    trader_id: str = "t1",
    cny_fen: int = 1000_00,
    fees: FeePolicy = WORKED_FEES,
    mode: Mode = Mode.LIVE,
) -> Order:
    """Return an order in a status since a time; an assigned sell has a proof of payment."""
    is_buy = kind is OrderType.BUY
    rate = 7_2360 if is_buy else 7_1640
    before = _BEFORE.get((kind, status), ())
    created = since - 60 if before else since
    proof = Receipt("proof", "image/png", 1, since)
    return Order(
        order_id=1,
        order_no="B" + "1" * 24 if is_buy else "S" + "1" * 24,
        merchant_id="m1",
        merchant_order_no=None,
        order_type=kind,
        mode=mode,
        status=status,
        quote=quote(kind, cny_fen, rate, fees),
        base_rate=BaseRate(rate, "test", created),
        fees=fees,
        createtime=created,
        updatetime=since,
        expire_time=None,
        timeline=(*(TimelineEntry(step, created) for step in before), TimelineEntry(status, since)),
        trader_id=None if not is_buy and status in _WITHOUT_TRADER else trader_id,
        payment_method=BANK_METHOD,
        receipts=() if is_buy or status is OrderStatus.MATCHING else (proof,),
    )


def buy_order(
    now: int, status: OrderStatus = OrderStatus.PENDING, *, fen: int = 1000_37, **changes: Any
) -> Order:
    """Return a buy created at `now`, with a pay page, moved to a status at once."""
    order = order_in(
        OrderType.BUY,
        OrderStatus.PENDING,
        since=now,
        trader_id="t000001",
        cny_fen=fen,
        fees=FeePolicy(),
    )
    usual: dict[str, Any] = {
        "order_id": 9876543210123,
        "order_no": ORDER_NO,
        "merchant_id": MERCHANT_ID,
        "merchant_order_no": "A-1",
        "status": status,
        "expire_time": now + WINDOW_SECONDS,
        "timeline": tuple(
            TimelineEntry(step, now) for step in dict.fromkeys((OrderStatus.PENDING, status))
        ),
        "pay_token_hash": token_hash(TOKEN),
        "return_url": RETURN_URL,
    }
    return with_changes(order, **usual | changes)


def desk_order(
    side: OrderType, status: OrderStatus, since: int, *, fen: int = 1000_37, **changes: Any
) -> Order:
    """Return an order as a trader's desk shows it, with the usual steps to its status."""
    is_buy = side is OrderType.BUY
    first = OrderStatus.PENDING if is_buy else OrderStatus.MATCHING
    steps = [step.split() for step in _STEPS.get((side, status), "").split(", ") if step]
    usual: dict[str, Any] = {
        "status": status,
        "timeline": (
            TimelineEntry(first, since),
            *(TimelineEntry(OrderStatus(step), since, by) for step, by in steps),
        ),
        "identity": (NAMED if status.is_open else VERIFIED) if is_buy else None,
    }
    if not is_buy:
        usual |= {
            "order_no": SELL_NUMBER,
            "order_type": OrderType.SELL,
            "quote": quote(OrderType.SELL, fen, 71640, FeePolicy()),
            "payment_method": CUSTOMERS_CARD,
            "pay_token_hash": None,
            "expire_time": since + ANSWER_SECONDS if status is OrderStatus.ASSIGNED else None,
        }
    return buy_order(since, fen=fen, **usual | changes)


def numbered(order: Order, number: int) -> Order:
    """Return a copy with its own order_no and order_id; a larger number is newer."""
    return replace(order, order_no=f"{order.order_no[:-2]}{number:02d}", order_id=number)


def proofs(order: Order, *types: str) -> tuple[Receipt, ...]:
    return tuple(
        Receipt(f"receipts/{order.order_no}/{n}", kind, 1, order.createtime)
        for n, kind in enumerate(types)
    )


def held_draft(now: int, **changes: Any) -> Draft:
    draft = Draft(
        pending_no=PENDING_NO,
        merchant_id=MERCHANT_ID,
        merchant_order_no=None,
        mode=Mode.LIVE,
        status=DraftStatus.HELD,
        cny_fen=1000_37,
        method_type=MethodType.BANK,
        createtime=now,
        updatetime=now,
        expire_time=now + LIFE_SECONDS,
        identity_token_hash=token_hash(IDENTITY_TOKEN),
    )
    return with_changes(draft, **changes)


def own_text_of_code(order: Order) -> str | None:
    """Return the text of an order's payment code if it needs no fetch."""
    text = "" if order.payment_method is None else order.payment_method.qr_code
    return text if is_code_text(text) else None
