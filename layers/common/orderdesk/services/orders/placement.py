"""An order's request with its price: what it needs of a trader, and the order it becomes."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from orderdesk.domain.ids import numbered
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.orders.order import (
    BUY_LETTER,
    FIRST_STATUS,
    SELL_LETTER,
    IdentityRecord,
    Order,
    OrderCounts,
    OrderSums,
    SellOffers,
    TimelineEntry,
)
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.pricing import BaseRate, OrderType, Quote, quote
from orderdesk.domain.times import US_PER_SECOND, trading_day
from orderdesk.domain.traders.matching import Demand

if TYPE_CHECKING:
    from orderdesk.domain.orders.blocks import DayCount


@dataclass(frozen=True, slots=True)
class Placement:
    """A merchant's request with its price, at a time (`now_us`, Unix us).

    `identity` is the customer's, once it was verified. A sell is assigned at `assignable_from` at
    the earliest (Unix seconds); None means at once. `day` is what it adds to a limit of the day.
    """

    request: OrderRequest
    merchant: Merchant
    quote: Quote
    base_rate: BaseRate
    now_us: int
    identity: IdentityRecord | None = None
    assignable_from: int | None = None
    day: "DayCount | None" = None

    @property
    def now(self) -> int:
        """The time in Unix seconds."""
        return self.now_us // US_PER_SECOND

    @property
    def cny_fen(self) -> int:
        """The amount to pay, in fen."""
        return self.quote.cny_fen

    @property
    def discount_fen(self) -> int:
        """By how much the amount may still be lowered, in fen."""
        return self.request.max_discount_fen - (self.request.cny_fen - self.cny_fen)

    @property
    def demand(self) -> Demand:
        """What the order needs of a trader."""
        return Demand(
            order_type=self.request.order_type,
            mode=self.request.mode,
            method_type=self.request.method_type,
            cny_fen=self.cny_fen,
            usdt_micro=self.quote.trader_micro,
            day=trading_day(self.now),
            merchant_id=self.merchant.merchant_id,
            slot_share=self.merchant.terms.slot_share,
        )

    def at(self, cny_fen: int) -> Self | None:
        """Price a buy at another amount (fen); None if the merchant's terms exclude it."""
        if cny_fen == self.cny_fen:
            return self
        terms = self.merchant.terms
        most_fen = min(terms.max_cny_fen, terms.max_open_cny_fen)
        quoted = quote(OrderType.BUY, cny_fen, self.base_rate.rate_e4, terms.fees)
        if not terms.min_cny_fen <= cny_fen <= most_fen or quoted.merchant_actual_micro <= 0:
            return None
        return replace(self, quote=quoted)

    def order(self, order_id: int, balance_shard: int | None) -> Order:
        """Create the order, without a trader.

        A sell gets its trader later. The caller adds a buy's trader, with all that depends on it.
        """
        request, identity, terms = self.request, self.identity, self.merchant.terms
        match request.order_type:
            case OrderType.BUY:
                letter = BUY_LETTER
            case OrderType.SELL:
                letter = SELL_LETTER
                identity = None if identity is None else identity.masked
        status = FIRST_STATUS[request.order_type]
        return Order(
            order_id=order_id,
            order_no=numbered(letter, order_id, self.now),
            merchant_id=self.merchant.merchant_id,
            merchant_order_no=request.merchant_order_no,
            order_type=request.order_type,
            mode=request.mode,
            status=status,
            quote=self.quote,
            base_rate=self.base_rate,
            createtime=self.now,
            updatetime=self.now,
            expire_time=None,
            timeline=(TimelineEntry(status, self.now),),
            payment_method=request.payment_method,
            given=request.given,
            identity=identity,
            counted=OrderCounts(balance_shard=balance_shard, slot_share=terms.slot_share),
            offers=SellOffers(assignable_from=self.assignable_from),
            fees=terms.fees,
            sums=OrderSums(requested_fen=request.cny_fen if request.max_discount_fen else None),
        )
