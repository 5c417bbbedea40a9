"""createOrder: price, verify, match, and commit in one transaction (contract sections 4 to 6).

Before a refusal is returned, the nonce is consumed and the merchant_order_no is looked up. A
merchant that retries after a time-out must learn that its first order exists, not that no trader is
available.
"""

from dataclasses import dataclass, field

from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.identity import VerificationOutcome, parse_identity
from orderdesk.domain.ids import IDENTITY_LINK, link_token, numbered
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.orders.drafts import DRAFT_LETTER, Draft
from orderdesk.domain.orders.errors import (
    AmountOutOfRange,
    HoldLost,
    IdentityProviderUnavailable,
    IdentityVerificationFailed,
    InsufficientBalance,
    MerchantOrderNoExists,
    NoTraderAvailable,
    NumberTaken,
    OpenLimitReached,
    RateUnavailable,
)
from orderdesk.domain.orders.order import IdentityRecord, Order
from orderdesk.domain.orders.requests import OrderRequest, fingerprint, new_draft, new_sell
from orderdesk.domain.pricing import OrderType
from orderdesk.services.orders.place_buy import (
    BuyPlaced,
    MatchingPorts,
    Placement,
    candidates_for,
    draw_balance_shard,
    new_order_id,
    place_buy,
    price,
)
from orderdesk.services.orders.verify_customer import MISSING, Attempt, VerifyPorts, verify_customer
from orderdesk.services.ports import NewOrders, Nonce, Reservation
from orderdesk.services.retrying import until_committed


@dataclass(frozen=True, slots=True)
class CreatePorts:
    book: NewOrders
    verify: VerifyPorts
    matching: MatchingPorts


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
    merchant: Merchant,
    nonce: Nonce,
    ports: CreatePorts,
    now_us: int,
    *,
    verifying: bool,
) -> Created:
    """Create an order, or hold a draft, for an authenticated merchant; `now_us` in Unix us.

    `verifying`: the merchant's agreement requires the customer's identity on this route.
    Raises: NonceReused, MerchantOrderNoExists, AmountOutOfRange, RateUnavailable,
    NoTraderAvailable, OpenLimitReached, InsufficientBalance, IdentityVerificationFailed,
    IdentityProviderUnavailable, TryAgain.
    """
    guards = _Guards(request, merchant, nonce, ports)
    try:
        placed = price(request, merchant, ports.matching, now_us)
        if verifying:
            return _create_verified(placed, guards, ports)
        return _create(placed, None, guards, ports)
    except NumberTaken as taken:
        guards.consume_nonce()
        raise _exists(taken, request) from None
    except (
        AmountOutOfRange,
        RateUnavailable,
        NoTraderAvailable,
        OpenLimitReached,
        InsufficientBalance,
        IdentityVerificationFailed,
        IdentityProviderUnavailable,
    ):
        guards.consume_nonce()
        guards.refuse_known_number()
        raise


class _Guards:
    """The call's nonce and merchant_order_no; `nonce` is None once it was consumed."""

    def __init__(
        self, request: OrderRequest, merchant: Merchant, nonce: Nonce, ports: CreatePorts
    ) -> None:
        self._request = request
        self._merchant = merchant
        self._ports = ports
        self._now = nonce.now
        self.nonce: Nonce | None = nonce

    def consume_nonce(self) -> None:
        """Consume the nonce in a request of its own, if not done yet. Raises: NonceReused."""
        if self.nonce is not None:
            self._ports.book.consume(self.nonce)
            self.nonce = None

    def refuse_known_number(self) -> None:
        """Look up the merchant_order_no. Raises: MerchantOrderNoExists."""
        number = self._request.merchant_order_no
        if number is None:
            return
        taken = self._ports.book.reservation(self._merchant.merchant_id, number)
        if taken is not None and taken.holds_at(self._now):
            raise _exists(taken, self._request)


def _exists(taken: NumberTaken | Reservation, request: OrderRequest) -> MerchantOrderNoExists:
    """Return the refusal of a number that an earlier order or draft has."""
    first = taken.fingerprint
    same = None if first is None else first == fingerprint(request)
    return MerchantOrderNoExists(order_no=taken.order_no, pending_no=taken.pending_no, same=same)


def _create_verified(placed: Placement, guards: _Guards, ports: CreatePorts) -> Created:
    """Verify the customer, then create the order.

    The provider costs money and time, so neither a replay nor a used number may reach it. The nonce
    and the number are therefore checked first, with two more requests.
    """
    guards.consume_nonce()
    guards.refuse_known_number()
    buying = placed.request.order_type is OrderType.BUY
    if buying:
        # A draft is held only if a trader could be matched (identity rules, 3).
        candidates_for(placed, ports.matching).pick(ports.matching.chance, placed.now_us)
    request = placed.request
    identity = parse_identity(request.customer_name, request.id_card, request.mobile)
    verification, record = MISSING, None
    if identity is not None:
        attempt = Attempt(identity, placed.merchant.merchant_id, placed.now)
        verification, record = verify_customer(attempt, ports.verify)
    if record is not None:
        return _create(placed, record, guards, ports)
    if buying:
        return _hold_draft(placed, guards, ports)
    if verification.outcome is VerificationOutcome.UNAVAILABLE:
        raise IdentityProviderUnavailable
    raise IdentityVerificationFailed


def _create(
    placed: Placement, identity: IdentityRecord | None, guards: _Guards, ports: CreatePorts
) -> Created:
    match placed.request.order_type:
        case OrderType.SELL:
            return _sell(placed, identity, guards, ports)
        case OrderType.BUY:
            return place_buy(
                placed,
                identity,
                ports.matching,
                lambda buy, token: ports.book.commit_buy(buy, guards.nonce, token),
            )


def _sell(
    placed: Placement, identity: IdentityRecord | None, guards: _Guards, ports: CreatePorts
) -> SellPlaced:
    """Place the hold on a random shard; if it does not cover the sell, gather from the others.

    The sell is refused only if one consistent read of all shards shows too little. If the shards
    keep changing, the result is TryAgain instead of a refusal.
    """
    merchant, is_scattered = placed.merchant, False

    def attempt() -> SellPlaced:
        nonlocal is_scattered
        order = new_sell(
            placed.request,
            merchant.merchant_id,
            placed.pricing,
            order_id=new_order_id(OrderType.SELL, placed.now_us, ports.matching.chance),
            now=placed.now,
            identity=identity,
            balance_shard=draw_balance_shard(merchant, ports.matching.chance),
        )
        gathered = ports.book.gather(order, merchant.terms.balance_shards) if is_scattered else None
        if is_scattered and gathered is None:
            raise InsufficientBalance
        try:
            ports.book.commit_sell(order, gathered, guards.nonce, ports.matching.chance.token())
        except HoldLost as lost:
            if lost.is_whole:
                raise InsufficientBalance from None
            is_scattered = True
            raise ChangedMeanwhile from None
        return SellPlaced(order)

    return until_committed(attempt, ports.matching.chance, ports.matching.pause_ms)


def _hold_draft(placed: Placement, guards: _Guards, ports: CreatePorts) -> DraftHeld:
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
        ports.book.commit_draft(draft, guards.nonce, ports.matching.chance.token())
        return DraftHeld(draft, identity_token)

    return until_committed(attempt, ports.matching.chance, ports.matching.pause_ms)
