"""The model's merchant, with the fees of the contract's worked example, and its traders."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random

from bench.model.store import TABLES, Store
from bench.model.timeline import Timeline
from bench.model.timing import ASSUMED, Timing
from orderdesk.adapters.dynamodb.ledger import credit_write, listing_writes
from orderdesk.adapters.dynamodb.traders.items import trader_item
from orderdesk.domain.accounts import Account, AccountKind, Posting
from orderdesk.domain.merchants.merchant import Merchant, MerchantSecrets
from orderdesk.domain.orders.order import GivenValues, Order, OrderStatus
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.pricing import BaseRate, Mode, OrderType
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import Trader, TraderTerms
from orderdesk.services.orders.place_buy import Terms
from tests.support.chance import seeded
from tests.support.orders import order_in
from tests.support.seed import ALIPAY_METHOD, BANK_METHOD, WECHAT_METHOD, a_merchant, a_trader

AMPLE_MICRO = 10**15
PLAIN_CNY_FEN = 1_000_37
TERMS = Terms(pay_window_seconds=900, draft_life_seconds=7200, rate_max_age_seconds=86_400)

# The size of an item matters here, so the card number has the usual length.
_BANK = replace(BANK_METHOD, sub_bank="深圳测试支行", card_number="62" + "0" * 17)
METHODS = {method.method_type: method for method in (_BANK, WECHAT_METHOD, ALIPAY_METHOD)}


@dataclass(frozen=True, slots=True)
class Directory:
    """Implements the port `MerchantDirectory` without requests, like a warm container's cache."""

    merchant: Merchant
    rate: BaseRate

    def find(self, merchant_id: str) -> Merchant | None:
        return self.merchant if merchant_id == self.merchant.merchant_id else None

    find_fresh = find

    def secrets(self, merchant: Merchant) -> MerchantSecrets:  # noqa: ARG002 -- the port's
        """Return secrets that are valid for links."""
        return MerchantSecrets(("sk",), link_secret=b"k" * 32)

    def blocks(self) -> Mapping[str, int]:
        return {}

    day_limits = blocks

    def base_rate(self, side: OrderType) -> BaseRate | None:  # noqa: ARG002 -- the port's
        """Return a rate that is fresh during a whole run."""
        return self.rate


def open_directory(now_us: int, balance_shards: int = 1) -> Directory:
    """Create the merchant and the rate as of a time."""
    # High enough for a whole run, and for ten counters like those of the demo's merchants.
    wide = {"max_open_buys": 1_000_000, "max_open_cny_fen": 100_000_000_00}
    wide |= {"max_open_sells": 1_000_000, "max_open_sell_cny_fen": 100_000_000_00}
    merchant = a_merchant("m000000000001", balance_shards=balance_shards, **wide)
    return Directory(merchant, BaseRate(7_2360, "model", now_us // US_PER_SECOND))


def trader(number: int, low_fen: int = 1_00, high_fen: int = 1_000_000_00) -> Trader:
    """Create a trader who accepts any bank order; it last accepted `number` us after the first."""
    return a_trader(
        f"t{number:012d}",
        name=f"trader {number:06d}",
        available_micro=AMPLE_MICRO,
        terms=TraderTerms(low_fen, high_fen, 10_000),  # counts each merchant's slots
        methods=(_BANK,),
        last_accepted_us=number + 1,
        created_at=1_790_000_000,
        access_code_hash=f"{number:064x}",
    )


def mixed_trader(number: int, random: Random) -> Trader:
    """Create a trader with some of the methods and one of twelve ranges."""
    kinds = random.sample(list(METHODS), random.randint(1, len(METHODS)))
    methods = tuple(METHODS[kind] for kind in kinds)
    low_fen = random.choice([1, 100, 1000, 5000]) * 100
    high_fen = low_fen * random.choice([2, 20, 200])
    return replace(trader(number, low_fen, high_fen), methods=methods)


def store_of(traders: Iterable[Trader], seed: int = 1, timing: Timing = ASSUMED) -> Store:
    """Create a store with traders, and a timeline of its own."""
    store = Store(Timeline(), timing, seeded(seed, "store"))
    for one in traders:
        store.put(TABLES.traders, trader_item(one, shard=0))
    return store


def waiting_sell(number: int, now_us: int) -> Order:
    """Create a sell that waits for a trader."""
    now = now_us // US_PER_SECOND
    one = order_in(OrderType.SELL, OrderStatus.MATCHING, since=now - 60)
    return replace(one, order_id=number, order_no=f"S{number:024d}", receipts=())


def fund(store: Store, merchant: Merchant, micro: int) -> None:
    """Split a merchant's account as an operator does, and store its balance on shard 0."""
    account = Account(AccountKind.MERCHANT, merchant.merchant_id, Mode.LIVE)
    credit = credit_write(TABLES.ledger, Posting(account, micro), 0)
    listing = listing_writes(TABLES.ledger, merchant)
    for write in [credit, *listing]:
        store.write_before(write.action)


def sell(number: int) -> OrderRequest:
    """Create a merchant's request for a sell."""
    return replace(buy(number), order_type=OrderType.SELL, payment_method=_BANK)


def buy(
    number: int, cny_fen: int = PLAIN_CNY_FEN, kind: MethodType = MethodType.BANK
) -> OrderRequest:
    """Create a usual request of a merchant, with an order number and a callback address."""
    return OrderRequest(
        order_type=OrderType.BUY,
        mode=Mode.LIVE,
        cny_fen=cny_fen,
        method_type=kind,
        merchant_order_no=f"A-20261121-{number:08d}",
        given=GivenValues(callback_url="https://merchant.example.com/callbacks/orders"),
    )
