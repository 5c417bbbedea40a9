"""Place a buy: price it, match a trader, commit; used by createOrder and by verified drafts."""

from collections.abc import Callable
from dataclasses import dataclass, field

from orderdesk.domain.errors import Contended, TryAgain
from orderdesk.domain.ids import PAY_LINK, RANDOM_BITS, link_token, numbered, time_ordered_id
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.money import format_cny
from orderdesk.domain.orders.errors import (
    AmountOutOfRange,
    OpenLimitReached,
    RateUnavailable,
    ShareFull,
)
from orderdesk.domain.orders.open_buys import OpenLimit, OpenShare, open_shares
from orderdesk.domain.orders.order import BUY_LETTER, IdentityRecord, Order
from orderdesk.domain.orders.requests import OrderRequest, Pricing, new_buy
from orderdesk.domain.pricing import OrderType, merchant_rate_e4, quote
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.errors import ClaimLost
from orderdesk.domain.traders.matching import CROWD_REACH
from orderdesk.domain.traders.trader import Demand, trading_day
from orderdesk.services.orders.match import Candidates, Contention
from orderdesk.services.ports import Chance, Claim, MerchantDirectory, NewBuy, Rotation
from orderdesk.services.retrying import PauseMs, until_committed

# Dropping a trader that no longer fits always makes progress, so it does not count as an attempt;
# at most 64.
MAX_DROPPED = 64


@dataclass(frozen=True, slots=True)
class Terms:
    """The deployment's time limits, in seconds."""

    pay_window_seconds: int
    draft_life_seconds: int
    rate_max_age_seconds: int


@dataclass(frozen=True, slots=True)
class MatchingPorts:
    """The ports of pricing an order and matching a trader."""

    rotation: Rotation
    directory: MerchantDirectory
    contention: Contention
    chance: Chance
    pause_ms: PauseMs
    terms: Terms


@dataclass(frozen=True, slots=True)
class Placement:
    """A merchant's request with its price, at a time (`now_us`, Unix us)."""

    request: OrderRequest
    merchant: Merchant
    pricing: Pricing
    now_us: int

    @property
    def now(self) -> int:
        """The time in Unix seconds."""
        return self.now_us // US_PER_SECOND


@dataclass(frozen=True, slots=True)
class BuyPlaced:
    """The order exists; the token opens its pay page."""

    order: Order
    pay_token: str = field(repr=False)


def price(
    request: OrderRequest, merchant: Merchant, ports: MatchingPorts, now_us: int
) -> Placement:
    """Price an order by the merchant's terms.

    Raises: AmountOutOfRange, OpenLimitReached for a buy above the whole limit, RateUnavailable.
    """
    if not merchant.terms.min_cny_fen <= request.cny_fen <= merchant.terms.max_cny_fen:
        allowed = format_cny(merchant.terms.min_cny_fen), format_cny(merchant.terms.max_cny_fen)
        raise AmountOutOfRange(allowed)
    if request.order_type is OrderType.BUY and request.cny_fen > merchant.terms.max_open_cny_fen:
        raise OpenLimitReached(OpenLimit.CNY)
    base = ports.directory.base_rate(request.order_type)
    too_old = ports.terms.rate_max_age_seconds
    if base is None or now_us // US_PER_SECOND - base.set_at > too_old:
        raise RateUnavailable
    if merchant_rate_e4(request.order_type, base.rate_e4, merchant.terms.fees.spread_bps) <= 0:
        raise RateUnavailable
    quoted = quote(request.order_type, request.cny_fen, base.rate_e4, merchant.terms.fees)
    if quoted.merchant_actual_micro <= 0:
        raise AmountOutOfRange
    return Placement(request, merchant, Pricing(quoted, base), now_us)


def candidates_for(placed: Placement, ports: MatchingPorts) -> Candidates:
    """Start the search for the order's trader; nothing is read yet."""
    request = placed.request
    demand = Demand(
        order_type=request.order_type,
        mode=request.mode,
        method_type=request.method_type,
        cny_fen=request.cny_fen,
        usdt_micro=placed.pricing.quote.usdt_micro,
        day=trading_day(placed.now),
    )
    crowded = ports.contention.crowded(placed.now_us)
    pages = ports.rotation.rotation_pages(demand, CROWD_REACH if crowded else 1)
    return Candidates(pages, demand, ports.contention, is_deep=crowded)


def new_order_id(order_type: OrderType, now_us: int, chance: Chance) -> int:
    """Draw a time-ordered order id.

    Order numbers are unique by a condition on their item, and begin with a letter. The id has no
    letter, so its highest random bit distinguishes a sell from a buy.
    """
    half = 1 << (RANDOM_BITS - 1)
    match order_type:
        case OrderType.BUY:
            drawn = chance.below(half)
        case OrderType.SELL:
            drawn = half + chance.below(half)
    return time_ordered_id(now_us // 1000, drawn)


def place_buy(
    placed: Placement,
    identity: IdentityRecord | None,
    ports: MatchingPorts,
    commit: Callable[[NewBuy, str], None],
) -> BuyPlaced:
    """Match a trader and commit; `commit` writes all of the buy under a request token.

    The share of the merchant's limits is drawn at random. If it is full, another one is tried.
    Raises: OpenLimitReached if all are full, NoTraderAvailable, TryAgain, and what `commit` raises,
    apart from what is retried.
    """
    merchant = placed.merchant
    shares = OpenShares(merchant)
    candidates = candidates_for(placed, ports)
    link_secret = ports.directory.secrets(merchant).link_secret

    def attempt() -> BuyPlaced:
        for _ in range(MAX_DROPPED):
            try:
                return claim_next()
            except ClaimLost as lost:
                if lost.trader is not None and candidates.has(lost.trader):
                    raise
            except ShareFull:
                continue
        raise TryAgain

    def claim_next() -> BuyPlaced:
        trader = candidates.pick(ports.chance, placed.now_us)
        share = shares.draw(ports.chance)
        claim = Claim(trader, trading_day(placed.now), placed.now_us)
        buy = _buy(placed, identity, ports, claim, share, link_secret=link_secret)
        try:
            commit(NewBuy(buy.order, claim, share), ports.chance.token())
        except ShareFull as full:
            shares.drop(share, full.limit)
            raise
        except ClaimLost as lost:
            ports.contention.lost(lost.trader, placed.now_us)
            candidates.lost(trader, lost.trader)
            raise
        except Contended:
            ports.contention.conflicted(placed.now_us)
            raise
        ports.contention.succeeded(claim)
        return buy

    return until_committed(attempt, ports.chance, ports.pause_ms)


def _buy(
    placed: Placement,
    identity: IdentityRecord | None,
    ports: MatchingPorts,
    claim: Claim,
    share: OpenShare,
    *,
    link_secret: bytes,
) -> BuyPlaced:
    """Make the order of the trader and the share that are tried, and its pay token."""
    order_id = new_order_id(OrderType.BUY, placed.now_us, ports.chance)
    token = link_token(link_secret, PAY_LINK, numbered(BUY_LETTER, order_id, placed.now))
    order = new_buy(
        placed.request,
        placed.merchant.merchant_id,
        placed.pricing,
        claim.trader,
        order_id=order_id,
        pay_token=token,
        now=placed.now,
        pay_window_seconds=ports.terms.pay_window_seconds,
        identity=identity,
        open_shard=share.shard,
        balance_shard=draw_balance_shard(placed.merchant, ports.chance),
        receipt_required=placed.merchant.terms.require_receipt,
    )
    return BuyPlaced(order, token)


def draw_balance_shard(merchant: Merchant, chance: Chance) -> int | None:
    """Draw the shard of a new order's money; None if the merchant's balances are not split."""
    shards = merchant.terms.balance_shards
    return None if shards == 1 else chance.below(shards)


class OpenShares:
    """The shares of a merchant's limits that may still have room for one order."""

    def __init__(self, merchant: Merchant) -> None:
        self._left = list(
            open_shares(
                max_buys=merchant.terms.max_open_buys,
                max_fen=merchant.terms.max_open_cny_fen,
                largest_fen=merchant.terms.max_cny_fen,
            )
        )

    def draw(self, chance: Chance) -> OpenShare:
        """Draw a share at random."""
        return self._left[chance.below(len(self._left))]

    def drop(self, share: OpenShare, limit: OpenLimit) -> None:
        """Drop a share that is full by a limit. Raises: OpenLimitReached if it was the last."""
        self._left.remove(share)
        if not self._left:
            raise OpenLimitReached(limit)
