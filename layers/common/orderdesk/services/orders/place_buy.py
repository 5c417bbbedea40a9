"""Place a buy: price it, match a trader, commit; used by createOrder and by verified drafts.

An order that the desk's block list or a limit of a day is about is refused. Both are read with the
merchants' cache, without a request of the store. The key of their hashes is read once by a
container, and only if there is a block or a limit.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from orderdesk.domain.errors import Contended, TryAgain
from orderdesk.domain.ids import PAY_LINK, RANDOM_BITS, link_token, time_ordered_id, token_hash
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.money import format_cny
from orderdesk.domain.orders.open_orders import CNY_LIMIT, NeedsRoom, OpenShare
from orderdesk.domain.orders.order import Order, PayPage
from orderdesk.domain.orders.order_errors import (
    AmountOutOfRange,
    DeskRule,
    NoTraderAvailable,
    RateUnavailable,
    RefusedByDesk,
    ShareFull,
    SharesChanged,
    limit_refusal,
)
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.pricing import OrderType, merchant_rate_e4, quote
from orderdesk.domain.times import US_PER_MS, US_PER_SECOND, trading_day
from orderdesk.domain.traders.matching import CROWD_REACH
from orderdesk.domain.traders.trader import AmountTaken, Claim, ClaimLost
from orderdesk.services.orders.match import Candidates, Choice, Choices, Contention, Placement
from orderdesk.services.ports import Chance, LimitsRoom, MerchantDirectory, NewBuy, Rotation
from orderdesk.services.retrying import PauseMs, until_committed

if TYPE_CHECKING:
    from orderdesk.domain.identity import Identity
    from orderdesk.domain.orders.blocks import DayCount


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
    """The ports of pricing an order and matching a trader; `block_key` hashes blocked values."""

    rotation: Rotation
    limits: LimitsRoom
    directory: MerchantDirectory
    contention: Contention
    chance: Chance
    pause_ms: PauseMs
    terms: Terms
    block_key: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class BuyPlaced:
    """The order exists; the token opens its pay page."""

    order: Order
    pay_token: str = field(repr=False)


class OpenShares:
    """The shares of a merchant's limits that may still have room for one order.

    An order is refused by the only counter that the merchant ever had, or after one read of all
    counters. Until then, shares that are full, or of other limits, are shared out anew.
    """

    def __init__(self, placed: Placement, ports: MatchingPorts) -> None:
        request, merchant = placed.request, placed.merchant
        self._wanted = NeedsRoom(
            merchant.merchant_id, request.mode, request.order_type, placed.quote.cny_fen
        )
        self._refusal = limit_refusal(request.order_type)
        self._ports = ports
        self._left = list(merchant.terms.open_shares(request.order_type))
        self._is_only = len(self._left) == 1 and merchant.terms.limits_epoch == 0

    def draw(self) -> OpenShare:
        """Draw a share at random. Raises: OpenLimitReached, ChangedMeanwhile, Contended, TryAgain.

        If none is left, the room is shared out anew.
        """
        chance = self._ports.chance
        if not self._left:
            self._is_only = False
            try:
                shared = self._ports.limits.share_room_out(self._wanted, chance.token())
            except ShareFull as full:
                raise self._refusal(full.limit) from None
            self._left = list(shared)
        return self._left[chance.below(len(self._left))]

    def lost(self, share: OpenShare, why: ShareFull | SharesChanged) -> None:
        """Drop a share that is full, or all of them if the limits have changed.

        Raises: OpenLimitReached.
        """
        match why:
            case SharesChanged():
                self._left = []
            case ShareFull():
                self._left.remove(share)
                if self._is_only:
                    raise self._refusal(why.limit)


def price(
    request: OrderRequest, merchant: Merchant, ports: MatchingPorts, now_us: int
) -> Placement:
    """Price an order by the merchant's terms.

    Raises: AmountOutOfRange, OpenLimitReached for an order above the whole limit, RateUnavailable.
    """
    terms, side = merchant.terms, request.order_type
    if not terms.min_cny_fen <= request.cny_fen <= terms.max_cny_fen:
        raise AmountOutOfRange(format_cny(terms.min_cny_fen), format_cny(terms.max_cny_fen))
    if request.cny_fen > terms.open_limits(side)[1]:
        raise limit_refusal(side)(CNY_LIMIT[side])
    base = ports.directory.base_rate(side)
    too_old = ports.terms.rate_max_age_seconds
    if base is None or now_us // US_PER_SECOND - base.set_at > too_old:
        raise RateUnavailable
    if merchant_rate_e4(side, base.rate_e4, terms.fees.spread_bps) <= 0:
        raise RateUnavailable
    quoted = quote(side, request.cny_fen, base.rate_e4, terms.fees)
    if quoted.merchant_actual_micro <= 0:
        raise AmountOutOfRange
    return Placement(request, merchant, quoted, base, now_us)


def require_match(placed: Placement, ports: MatchingPorts) -> None:
    """Check that a trader could be matched with a buy now. Raises: NoTraderAvailable, TryAgain."""
    _choices_for(placed, ports).require_one(ports.chance)


def would_match(placed: Placement, ports: MatchingPorts) -> bool | None:
    """Return whether a trader could be matched with a buy now; None for a sell. Raises: TryAgain.

    Nothing is stored or held.
    """
    match placed.request.order_type:
        case OrderType.SELL:
            return None
        case OrderType.BUY:
            try:
                require_match(placed, ports)
            except NoTraderAvailable:
                return False
            return True


def _choices_for(placed: Placement, ports: MatchingPorts) -> Choices:
    """Start the search for a buy's trader and amount; nothing is read yet."""
    demand, crowded = placed.demand, ports.contention.crowded(placed.now_us)
    pages = ports.rotation.rotation_pages(demand, CROWD_REACH if crowded else 1)
    candidates = Candidates(pages, demand, ports.contention, is_deep=crowded)
    return Choices(candidates, placed, ports.rotation)


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
    return time_ordered_id(now_us // US_PER_MS, drawn)


def place_buy(
    placed: Placement, ports: MatchingPorts, commit: Callable[[NewBuy, str], None]
) -> BuyPlaced:
    """Match a trader and commit; `commit` writes all of the buy under a request token.

    The share of the merchant's limits is drawn at random. If it is full, another one is tried. A
    trader that no longer fits, or has the amount open or reserved, is dropped, and the next one is
    tried in the same attempt.
    Raises: OpenLimitReached if all shares are full, NoTraderAvailable, TryAgain, and whatever
    `commit` raises and is not retried.
    """
    shares = OpenShares(placed, ports)
    choices = _choices_for(placed, ports)
    link_secret = ports.directory.secrets(placed.merchant).link_secret

    def attempt() -> BuyPlaced:
        for _ in range(MAX_DROPPED):
            choice = choices.next(ports.chance)
            share = shares.draw()
            claim = Claim(choice.trader, trading_day(placed.now), placed.now_us)
            buy = _buy(choice, ports, share, link_secret)
            try:
                commit(NewBuy(buy.order, claim, share, placed.day), ports.chance.token())
            except (ShareFull, SharesChanged) as lost:
                shares.lost(share, lost)
            except AmountTaken:
                choices.amount_taken(choice, ports.chance)
            except ClaimLost as lost:
                ports.contention.lost(lost.trader, placed.now_us)
                if choices.claim_lost(choice, lost.trader):
                    raise
            except Contended:
                ports.contention.conflicted(placed.now_us)
                raise
            else:
                ports.contention.succeeded(claim)
                return buy
        raise TryAgain

    return until_committed(attempt, ports)


def _buy(choice: Choice, ports: MatchingPorts, share: OpenShare, link_secret: bytes) -> BuyPlaced:
    """Create the order for the account, amount and share of this attempt, and its pay token."""
    trader, placed = choice.trader, choice.placed
    order = new_order_of(placed, choice.account, ports.chance)
    token = link_token(link_secret, PAY_LINK, order.order_no)
    bought = replace(
        order,
        expire_time=placed.now + ports.terms.pay_window_seconds,
        trader_id=trader.trader_id,
        pay_page=PayPage(token_hash(token), placed.merchant.terms.require_receipt),
        counted=replace(
            order.counted,
            open_shard=share.shard,
            unique_amount=trader.terms.unique_amounts,
            in_slot=trader.most_open is not None,
        ),
    )
    return BuyPlaced(bought, token)


def new_order_of(placed: Placement, method: PaymentMethod, chance: Chance) -> Order:
    """Create the order of a placement, with a new id and a random shard for its money."""
    order_id = new_order_id(placed.request.order_type, placed.now_us, chance)
    shards = placed.merchant.terms.balance_shards
    return placed.order(order_id, method, None if shards == 1 else chance.below(shards))


def refuse_blocked(asked: "OrderRequest | Identity", ports: MatchingPorts, now: int) -> None:
    """Check a request or a customer at a time (Unix seconds). Raises: RefusedByDesk, TryAgain."""
    blocks = ports.directory.blocks()
    if not blocks:
        return
    # Most stacks block nobody, so a cold start does not load it.
    from orderdesk.domain.orders.blocks import digest_of, holds, subjects_of  # noqa: PLC0415

    key = ports.block_key()
    for subject in subjects_of(asked):
        until = blocks.get(digest_of(key, subject))
        if until is not None and holds(until, now):
            raise RefusedByDesk(DeskRule(subject[0].value))


def day_of_request(request: OrderRequest, ports: MatchingPorts, now: int) -> "DayCount | None":
    """Return what an order adds to its customer's or payee's day; None without a limit.

    Raises: RefusedByDesk, TryAgain.
    """
    digest = day_digest(request.order_type, request, ports)
    return count_of(digest, request, ports, now)


def count_of(
    digest: str | None, request: OrderRequest, ports: MatchingPorts, now: int
) -> "DayCount | None":
    """Return what an order adds to the day of a hash. Raises: RefusedByDesk, TryAgain."""
    if digest is None:
        return None
    from orderdesk.domain.orders.blocks import day_count, limits_of  # noqa: PLC0415

    limits = limits_of(ports.directory.day_limits(), request.order_type)
    count = day_count(limits, digest, request.mode, request.cny_fen, now)
    if count.is_too_large:
        raise RefusedByDesk(DeskRule.DAY)
    return count if any(limits) else None


def day_digest(
    order_type: OrderType, asked: "OrderRequest | Identity", ports: MatchingPorts
) -> str | None:
    """Return the hash of whom a limit of a day counts; None without one. Raises: TryAgain.

    A draft keeps its customer's until its buy is created.
    """
    limits = ports.directory.day_limits()
    if not limits:
        return None
    from orderdesk.domain.orders.blocks import counted_subject, digest_of, limits_of, subjects_of  # noqa: PLC0415

    if not any(limits_of(limits, order_type)):
        return None
    subject = counted_subject(order_type, subjects_of(asked))
    return None if subject is None else digest_of(ports.block_key(), subject)
