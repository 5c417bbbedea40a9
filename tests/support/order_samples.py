"""Orders as the domain has them, for tests without a store."""

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order, OrderStatus, Receipt, TimelineEntry
from orderdesk.domain.pricing import BaseRate, FeePolicy, OrderType, quote
from tests.support.seed import BANK_METHOD, WORKED_FEES

_WITHOUT_TRADER = {OrderStatus.MATCHING, OrderStatus.CANCELLED}
_WAY = {
    (OrderType.BUY, OrderStatus.PAID): (OrderStatus.PENDING,),
    (OrderType.BUY, OrderStatus.DISPUTED): (OrderStatus.PENDING, OrderStatus.PAID),
    (OrderType.SELL, OrderStatus.ASSIGNED): (OrderStatus.MATCHING,),
    (OrderType.SELL, OrderStatus.DISPUTED): (OrderStatus.MATCHING, OrderStatus.ASSIGNED),
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
    """Give an order in a status since a time, with the usual way there; a sell has its proof."""
    is_buy = kind is OrderType.BUY
    rate = 7_2360 if is_buy else 7_1640
    created = since if (kind, status) not in _WAY else since - 60
    way = [TimelineEntry(step, created) for step in _WAY.get((kind, status), ())]
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
        createtime=created,
        updatetime=since,
        expire_time=None,
        timeline=(*way, TimelineEntry(status, since)),
        trader_id=None if not is_buy and status in _WITHOUT_TRADER else trader_id,
        payment_method=BANK_METHOD,
        receipts=() if is_buy else (Receipt("proof", "image/png", 1, since),),
    )
