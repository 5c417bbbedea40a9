"""createOrder: price, verify, match, and commit in one transaction (contract sections 4 to 6).

Before a refusal is returned, the nonce is consumed and the merchant_order_no is looked up. A
merchant that retries after a time-out must learn that its first order exists, not that no trader is
available.
"""

from dataclasses import dataclass, field, replace

from orderdesk.domain.errors import ChangedMeanwhile, Refusal, TryAgain
from orderdesk.domain.identity import VerificationOutcome, parse_identity
from orderdesk.domain.ids import IDENTITY_LINK, is_order_no, link_token, numbered
from orderdesk.domain.merchants.merchant import NonceReused
from orderdesk.domain.orders.drafts import DRAFT_LETTER, Draft, Reservation
from orderdesk.domain.orders.open_orders import OpenShare
from orderdesk.domain.orders.order import IdentityRecord, Order
from orderdesk.domain.orders.order_errors import (
    LOWERED_FEN,
    HoldLost,
    IdentityProviderUnavailable,
    IdentityVerificationFailed,
    InsufficientBalance,
    MerchantOrderNoExists,
    NumberTaken,
    OrderNotFound,
    ShareFull,
    SharesChanged,
    provoked_refusal,
    provokes_discount,
)
from orderdesk.domain.orders.requests import OrderRequest, assignable_from, fingerprint, new_draft
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.orders.match import Placement
from orderdesk.services.orders.place_buy import (
    MAX_DROPPED,
    BuyPlaced,
    MatchingPorts,
    OpenShares,
    day_of_request,
    new_order_id,
    new_order_of,
    place_buy,
    price,
    refuse_blocked,
    require_match,
)
from orderdesk.services.orders.verify_customer import CustomerCheck, VerifyPorts, verify_customer
from orderdesk.services.ports import MerchantCaller, NewOrders, NewSell, Nonce
from orderdesk.services.retrying import until_committed


@dataclass(frozen=True, slots=True)
class CreatePorts:
    """The ports of createOrder.

    A live sell is not assigned before the secret that signed it is `sell_hold_seconds` old.
    """

    book: NewOrders
    verify: VerifyPorts
    matching: MatchingPorts
    sell_hold_seconds: int


@dataclass(frozen=True, slots=True)
class SellPlaced:
    """The order exists and waits for a trader."""

    order: Order


@dataclass(frozen=True, slots=True)
class DraftHeld:
    """The buy waits for the customer's identity; the token opens the identity page."""

    draft: Draft
    identity_token: str = field(repr=False)


type Created = BuyPlaced | SellPlaced | DraftHeld


def create_order(
    request: OrderRequest,
    caller: MerchantCaller,
    ports: CreatePorts,
    now_us: int,
    *,
    verifying: bool,
    provoking: bool = False,
) -> Created:
    """Create an order, or hold a draft, for an authenticated merchant; `now_us` in Unix us.

    `verifying`: the merchant's agreement requires the customer's identity on this route.
    `provoking`: the ending of a merchant_order_no can provoke a refusal or a lowered amount
    (contract section 4).
    Raises: NonceReused, MerchantOrderNoExists, AmountOutOfRange, RateUnavailable,
    NoTraderAvailable, OpenLimitReached, InsufficientBalance, IdentityVerificationFailed,
    IdentityProviderUnavailable, OrderNotFound, NotRefundable, RefusedByDesk, TryAgain;
    TooManyRequests if it is provoked.
    """
    nonce = caller.nonce
    provoked = provoked_refusal(request.merchant_order_no) if provoking else None
    if provoked is not None:
        ports.book.consume(nonce)
        raise provoked
    unused: Nonce | None = nonce
    try:
        placed = price(request, caller.merchant, ports.matching, now_us)
        if provoking and request.max_discount_fen and provokes_discount(request.merchant_order_no):
            placed = placed.at(request.cny_fen - LOWERED_FEN) or placed
        refuse_blocked(request, ports.matching, nonce.now)
        hold_ends = caller.secret_rotated_at + ports.sell_hold_seconds
        placed = replace(placed, assignable_from=assignable_from(request, hold_ends, nonce.now))
        if verifying or request.order_type is OrderType.SELL:
            placed = replace(placed, day=day_of_request(request, ports.matching, nonce.now))
        if verifying:
            # The provider costs money and time, so neither a replay nor a used number may reach
            # it: check both first, with two more requests.
            ports.book.consume(nonce)
            unused = None
            _refuse_known_number(request, caller, ports)
            verified = _verified(placed, ports)
            if verified is None:
                return _hold_draft(placed, ports)
            placed = verified
        return _create(placed, unused, ports)
    except NumberTaken as taken:
        _consume(unused, ports)
        raise _exists(taken.owner, request, caller.key) from None
    except (NonceReused, MerchantOrderNoExists, TryAgain):
        raise
    except Refusal:
        _consume(unused, ports)
        _refuse_known_number(request, caller, ports)
        raise


def _consume(unused: Nonce | None, ports: CreatePorts) -> None:
    """Consume the nonce in a request of its own, if not done yet. Raises: NonceReused, TryAgain."""
    if unused is not None:
        ports.book.consume(unused)


def _refuse_known_number(request: OrderRequest, caller: MerchantCaller, ports: CreatePorts) -> None:
    """Look up the merchant_order_no. Raises: MerchantOrderNoExists, TryAgain."""
    number, merchant_id = request.merchant_order_no, caller.merchant.merchant_id
    taken = None if number is None else ports.book.reservation(merchant_id, number)
    if taken is not None and taken.holds_at(caller.nonce.now):
        raise _exists(taken, request, caller.key)


def _exists(owner: Reservation | None, request: OrderRequest, key: Mode) -> MerchantOrderNoExists:
    """Return the refusal of a number that an earlier order or draft has."""
    if owner is None:
        return MerchantOrderNoExists(same=None)
    same = None if owner.fingerprint is None else owner.fingerprint == fingerprint(request)
    if not key.reaches(owner.mode or Mode.LIVE):
        return MerchantOrderNoExists(same=same)
    return MerchantOrderNoExists(order_no=owner.order_no, pending_no=owner.pending_no, same=same)


def _verified(placed: Placement, ports: CreatePorts) -> Placement | None:
    """Verify the customer; return the placement with the identity, or None to hold a draft.

    Raises: NoTraderAvailable, IdentityProviderUnavailable, IdentityVerificationFailed, TryAgain.
    """
    request = placed.request
    buying = request.order_type is OrderType.BUY
    if buying:
        # A draft is held only if a trader could be matched (identity rules, 3).
        require_match(placed, ports.matching)
    identity = parse_identity(request.customer_name, request.id_card, request.mobile)
    # Missing or malformed data fails without a call of the provider.
    found: IdentityRecord | VerificationOutcome = VerificationOutcome.FAILED
    if identity is not None:
        merchant_id = placed.merchant.merchant_id
        attempt = CustomerCheck(identity, merchant_id, placed.now, mode=request.mode)
        found = verify_customer(attempt, ports.verify)
    if isinstance(found, IdentityRecord):
        return replace(placed, identity=found)
    if buying:
        return None
    if found is VerificationOutcome.UNAVAILABLE:
        raise IdentityProviderUnavailable
    raise IdentityVerificationFailed


def _create(placed: Placement, nonce: Nonce | None, ports: CreatePorts) -> Created:
    match placed.request.order_type:
        case OrderType.SELL:
            return _sell(placed, nonce, ports)
        case OrderType.BUY:
            return place_buy(
                placed, ports.matching, lambda buy, token: ports.book.commit_buy(buy, nonce, token)
            )


def _sell(placed: Placement, nonce: Nonce | None, ports: CreatePorts) -> SellPlaced:
    """Place the hold on a random shard; if it does not cover the sell, gather from the others.

    The shard also counts the sell in its share of the merchant's limits. If the share is full,
    another shard is tried. The sell is refused for lack of USDT only if one consistent read of all
    shards shows too little. If the shards keep changing, the result is TryAgain instead of a
    refusal.
    Raises: OpenSellLimitReached if all shares are full, InsufficientBalance, TryAgain.
    """
    chance, shards = ports.matching.chance, placed.merchant.terms.balance_shards
    open_shares = OpenShares(placed, ports.matching)
    method, is_scattered = placed.request.payment_method, False
    assert method is not None, "a sell has its customer's method"

    def attempt() -> SellPlaced:
        nonlocal is_scattered
        buy = _refunded_buy(placed, ports)
        for _ in range(MAX_DROPPED):
            share = open_shares.draw()
            order = _on_share(new_order_of(placed, method, chance), share, shards, buy)
            refunded = None if buy is None else _refunding(buy, order)
            gathered = ports.book.gather(order, shards) if is_scattered else None
            if is_scattered and gathered is None:
                raise InsufficientBalance
            try:
                sell = NewSell(order, share, gathered, refunded, placed.day)
                ports.book.commit_sell(sell, nonce, chance.token())
            except (ShareFull, SharesChanged) as lost:
                open_shares.lost(share, lost)
            except HoldLost as lost:
                if lost.is_whole:
                    raise InsufficientBalance from None
                is_scattered = True
                raise ChangedMeanwhile from None
            else:
                return SellPlaced(order)
        raise TryAgain

    return until_committed(attempt, ports.matching)


def _refunded_buy(placed: Placement, ports: CreatePorts) -> Order | None:
    """Return the buy that a sell refunds, by either number; None if it refunds none.

    Raises: OrderNotFound, also for another merchant's or of the other mode; TryAgain.
    """
    number, merchant_id = placed.request.refund_of, placed.merchant.merchant_id
    if number is None:
        return None
    found = ports.book.order(number) if is_order_no(number) else None
    if found is None or found.merchant_id != merchant_id:
        owner = ports.book.reservation(merchant_id, number)
        found = None
        if owner is not None and owner.order_no is not None:
            found = ports.book.order(owner.order_no)
    if found is None or found.merchant_id != merchant_id or found.mode is not placed.request.mode:
        raise OrderNotFound
    return found


def _refunding(buy: Order, sell: Order) -> tuple[Order, Order]:
    """Return a buy before and after a sell takes from it. Raises: NotRefundable."""
    # Few sells are refunds, so a cold start does not load it.
    from orderdesk.domain.orders.refunds import with_refund  # noqa: PLC0415

    return buy, with_refund(buy, sell)


def _on_share(order: Order, share: OpenShare, shards: int, buy: Order | None) -> Order:
    """Return a sell, counted and held on the shard of a share, that refunds a buy or none."""
    return replace(
        order,
        counted=replace(
            order.counted,
            open_shard=share.shard,
            balance_shard=None if shards == 1 else share.shard,
        ),
        undone=replace(order.undone, refund_of=None if buy is None else buy.order_no),
    )


def _hold_draft(placed: Placement, ports: CreatePorts) -> DraftHeld:
    """Store a draft. The nonce was already consumed. Raises: NumberTaken, TryAgain."""
    link_secret = ports.matching.directory.secrets(placed.merchant).link_secret

    def attempt() -> DraftHeld:
        draft_id = new_order_id(OrderType.BUY, placed.now_us, ports.matching.chance)
        pending_no = numbered(DRAFT_LETTER, draft_id, placed.now)
        identity_token = link_token(link_secret, IDENTITY_LINK, pending_no)
        draft = new_draft(
            placed.request,
            placed.merchant.merchant_id,
            pending_no=pending_no,
            identity_token=identity_token,
            now=placed.now,
            life_seconds=ports.matching.terms.draft_life_seconds,
        )
        ports.book.commit_draft(draft, ports.matching.chance.token())
        return DraftHeld(draft, identity_token)

    return until_committed(attempt, ports.matching)
