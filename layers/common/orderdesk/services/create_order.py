"""createOrder: price, verify, match, and commit in one transaction (contract sections 4 to 6).

A refusal is told only after the nonce is consumed and the merchant_order_no looked up: a merchant
that retries after a time-out must learn that its first order exists, not that nobody is free.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from orderdesk.domain.drafts import DRAFT_LETTER, Draft
from orderdesk.domain.errors import (
    AmountOutOfRange,
    ClaimLost,
    Contended,
    HoldLost,
    IdentityProviderUnavailable,
    IdentityVerificationFailed,
    InsufficientBalance,
    MerchantOrderNoExists,
    NoTraderAvailable,
    NumberTaken,
    RateUnavailable,
)
from orderdesk.domain.identity import IdentityVerifier, VerificationOutcome
from orderdesk.domain.ids import (
    IDENTITY_LINK,
    PAY_LINK,
    RANDOM_BITS,
    link_token,
    numbered,
    time_ordered_id,
)
from orderdesk.domain.merchants import Merchant
from orderdesk.domain.money import format_cny
from orderdesk.domain.order_requests import OrderRequest, Pricing, new_buy, new_draft, new_sell
from orderdesk.domain.orders import BUY_LETTER, IdentityRecord, Order
from orderdesk.domain.pricing import OrderType, merchant_rate_e4, quote
from orderdesk.domain.traders import Demand, trading_day
from orderdesk.services.match_buy import Candidates, Contention
from orderdesk.services.ports import Chance, Claim, MerchantDirectory, Nonce, OrderDesk
from orderdesk.services.retrying import PauseMs, until_committed
from orderdesk.services.verify_customer import verify_customer


@dataclass(frozen=True, slots=True)
class Terms:
    """The deployment's time limits."""

    pay_window_seconds: int
    draft_life_seconds: int
    rate_max_age_seconds: int


@dataclass(frozen=True, slots=True)
class Desk:
    """What createOrder works with; the verifier is made when the first customer needs it."""

    book: OrderDesk
    directory: MerchantDirectory
    verifier: Callable[[], IdentityVerifier]
    contention: Contention
    chance: Chance
    pause_ms: PauseMs
    terms: Terms


@dataclass(frozen=True, slots=True)
class OrderCreated:
    """The order exists; a buy comes with the token of its pay page."""

    order: Order
    pay_token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class DraftHeld:
    """The buy waits for the customer's identity, to be given on the page with this token."""

    draft: Draft
    identity_token: str = field(repr=False)


def create_order(
    request: OrderRequest,
    merchant: Merchant,
    nonce: Nonce,
    desk: Desk,
    now_us: int,
    *,
    verifying: bool,
) -> OrderCreated | DraftHeld:
    """Create an order, or hold a draft, for an authenticated merchant; `now_us` in Unix us.

    `verifying`: the merchant's agreement asks for the customer's identity at this door.

    Raises: NonceReused, MerchantOrderNoExists, AmountOutOfRange, RateUnavailable,
    NoTraderAvailable, InsufficientBalance, IdentityVerificationFailed,
    IdentityProviderUnavailable, TryAgain.
    """
    creation = _Creation(request, merchant, nonce, desk, now_us)
    try:
        creation.price()
        if verifying:
            return creation.run_verified()
        return creation.run(identity=None)
    except NumberTaken as taken:
        creation.consume_nonce()
        raise MerchantOrderNoExists(order_no=taken.order_no, pending_no=taken.pending_no) from None
    except (
        AmountOutOfRange,
        RateUnavailable,
        NoTraderAvailable,
        InsufficientBalance,
        IdentityVerificationFailed,
        IdentityProviderUnavailable,
    ):
        creation.consume_nonce()
        creation.refuse_known_number()
        raise


class _Creation:
    """One call on its way; knows whether its nonce is still to be consumed."""

    def __init__(
        self, request: OrderRequest, merchant: Merchant, nonce: Nonce, desk: Desk, now_us: int
    ) -> None:
        self.request = request
        self.merchant = merchant
        self.desk = desk
        self.now_us = now_us
        self.now = now_us // 1_000_000
        self.nonce: Nonce | None = nonce
        self.pricing: Pricing

    def consume_nonce(self) -> None:
        """Consume the nonce on its own, unless that was done. Raises: NonceReused."""
        if self.nonce is not None:
            self.desk.book.consume(self.nonce)
            self.nonce = None

    def refuse_known_number(self) -> None:
        """Look the merchant_order_no up. Raises: MerchantOrderNoExists."""
        number = self.request.merchant_order_no
        if number is None:
            return
        taken = self.desk.book.reservation(self.merchant.merchant_id, number)
        if taken is not None and taken.holds_at(self.now):
            raise MerchantOrderNoExists(order_no=taken.order_no, pending_no=taken.pending_no)

    def price(self) -> None:
        """Quote the order. Raises: AmountOutOfRange, RateUnavailable."""
        merchant, request = self.merchant, self.request
        out_of_range = AmountOutOfRange(
            format_cny(merchant.min_cny_fen), format_cny(merchant.max_cny_fen)
        )
        if not merchant.min_cny_fen <= request.cny_fen <= merchant.max_cny_fen:
            raise out_of_range
        base = self.desk.directory.base_rate(request.order_type)
        if base is None or self.now - base.set_at > self.desk.terms.rate_max_age_seconds:
            raise RateUnavailable
        if merchant_rate_e4(request.order_type, base.rate_e4, merchant.fees.spread_bps) <= 0:
            raise RateUnavailable
        quoted = quote(request.order_type, request.cny_fen, base.rate_e4, merchant.fees)
        if quoted.merchant_actual_micro <= 0:
            raise out_of_range
        self.pricing = Pricing(quoted, base)

    def run_verified(self) -> OrderCreated | DraftHeld:
        """Verify the customer first.

        The provider costs money and time, so neither a replay nor a number already used reaches
        it: the nonce and the number are checked on their own before, at two requests more.
        """
        self.consume_nonce()
        self.refuse_known_number()
        if self.request.order_type is OrderType.BUY:
            # A draft is held only where a trader could be matched (identity rules, 3).
            self._candidates().pick(self.desk.contention.window(self.now_us), self.desk.chance)
        verification, record = verify_customer(self.request, self.desk.verifier())
        if record is not None:
            return self.run(record)
        if self.request.order_type is OrderType.BUY:
            return self._hold_draft()
        if verification.outcome is VerificationOutcome.UNAVAILABLE:
            raise IdentityProviderUnavailable
        raise IdentityVerificationFailed

    def run(self, identity: IdentityRecord | None) -> OrderCreated:
        """Commit the order."""
        if self.request.order_type is OrderType.BUY:
            return self._buy(identity)
        return self._sell(identity)

    def _buy(self, identity: IdentityRecord | None) -> OrderCreated:
        desk, candidates, day = self.desk, self._candidates(), trading_day(self.now)

        def attempt() -> OrderCreated:
            trader = candidates.pick(desk.contention.window(self.now_us), desk.chance)
            order_id = self._new_id()
            pay_token = self._link_token(PAY_LINK, numbered(BUY_LETTER, order_id, self.now))
            order = new_buy(
                self.request,
                self.merchant.merchant_id,
                self.pricing,
                trader,
                order_id=order_id,
                pay_token=pay_token,
                now=self.now,
                pay_window_seconds=desk.terms.pay_window_seconds,
                identity=identity,
            )
            claim = Claim(trader, day, self.now_us)
            try:
                desk.book.commit_buy(order, claim, self.nonce, desk.chance.token())
            except ClaimLost as lost:
                desk.contention.conflicted(self.now_us)
                candidates.lost(trader, lost.trader)
                raise
            except Contended:
                desk.contention.conflicted(self.now_us)
                raise
            return OrderCreated(order, pay_token)

        created = until_committed(attempt, desk.chance, desk.pause_ms)
        desk.contention.succeeded()
        return created

    def _sell(self, identity: IdentityRecord | None) -> OrderCreated:
        def attempt() -> OrderCreated:
            order = new_sell(
                self.request,
                self.merchant.merchant_id,
                self.pricing,
                order_id=self._new_id(),
                now=self.now,
                identity=identity,
            )
            try:
                self.desk.book.commit_sell(order, self.nonce, self.desk.chance.token())
            except HoldLost:
                raise InsufficientBalance from None
            return OrderCreated(order)

        return until_committed(attempt, self.desk.chance, self.desk.pause_ms)

    def _hold_draft(self) -> DraftHeld:
        def attempt() -> DraftHeld:
            pending_no = numbered(DRAFT_LETTER, self._new_id(), self.now)
            identity_token = self._link_token(IDENTITY_LINK, pending_no)
            draft = new_draft(
                self.request,
                self.merchant.merchant_id,
                pending_no=pending_no,
                identity_token=identity_token,
                now=self.now,
                life_seconds=self.desk.terms.draft_life_seconds,
            )
            self.desk.book.commit_draft(draft, self.nonce, self.desk.chance.token())
            return DraftHeld(draft, identity_token)

        return until_committed(attempt, self.desk.chance, self.desk.pause_ms)

    def _candidates(self) -> Candidates:
        request = self.request
        demand = Demand(
            mode=request.mode,
            method_type=request.method_type,
            cny_fen=request.cny_fen,
            usdt_micro=self.pricing.quote.usdt_micro,
            day=trading_day(self.now),
        )
        return Candidates(self.desk.book.rotation_pages(request.mode), demand)

    def _new_id(self) -> int:
        return time_ordered_id(self.now_us // 1000, self.desk.chance.below(1 << RANDOM_BITS))

    def _link_token(self, purpose: str, number: str) -> str:
        secrets = self.desk.directory.secrets(self.merchant)
        return link_token(secrets.link_secret, purpose, number)
