"""Matching: choose a priced order's trader from the rotation, page by page.

A buy's amount is chosen, too: the asked one in turn, then a lower one (contract section 4). The
first claim of a buy reads no amounts. Only after a trader had the amount open or reserved, the
other traders' amounts and near ones are looked up, in one read for a page of traders.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Self

from orderdesk.domain.ids import numbered
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.orders.amounts import (
    LOOKS_MAX,
    AccountAmount,
    amounts_to_look_up,
    lowering_offsets,
    near_amounts,
    nearby_offsets,
    nearest,
)
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
from orderdesk.domain.orders.order_errors import NoTraderAvailable
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.pricing import BaseRate, OrderType, Quote, quote
from orderdesk.domain.times import US_PER_SECOND, trading_day
from orderdesk.domain.traders import matching
from orderdesk.domain.traders.matching import Demand, accounts_for, fits
from orderdesk.domain.traders.trader import Claim, Trader, without_account
from orderdesk.services.ports import Chance, Rotation

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

    def order(self, order_id: int, method: PaymentMethod, balance_shard: int | None) -> Order:
        """Create the order with a payment method, without a trader.

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
            payment_method=method,
            given=request.given,
            identity=identity,
            counted=OrderCounts(balance_shard=balance_shard, slot_share=terms.slot_share),
            offers=SellOffers(assignable_from=self.assignable_from),
            fees=terms.fees,
            sums=OrderSums(requested_fen=request.cny_fen if request.max_discount_fen else None),
        )


MAX_REMEMBERED = 1_000


class Contention:
    """Recent conflicts, and acceptances that the index may not show yet.

    There is one object for each process. It outlives an order, so it stores only times; `Learned`
    (domain/traders/line.py) stores whole traders during one run of the assigner.
    """

    def __init__(self) -> None:
        self._met_us: int | None = None
        self._accepted_us: dict[str, int] = {}

    def crowded(self, now_us: int) -> bool:
        """Return whether other orders competed recently, as of a time (Unix us)."""
        return self._met_us is not None and now_us - self._met_us <= matching.CROWD_MEMORY_US

    def refreshed(self, trader: Trader) -> Trader:
        """Return a trader with its last acceptance, if that is later than the one read."""
        known_us = self._accepted_us.get(trader.trader_id, 0)
        if known_us <= trader.counts.last_accepted_us:
            return trader
        return replace(trader, counts=replace(trader.counts, last_accepted_us=known_us))

    def conflicted(self, now_us: int) -> None:
        """Record that another order was writing the same trader."""
        self._met_us = now_us

    def lost(self, trader: Trader | None, now_us: int) -> None:
        """Record a lost claim of an order that began at `now_us`, and the trader's present state.

        If the other acceptance ended before this order began, the two were not concurrent: the
        index lagged. This is no conflict, and the rotation stays exact.
        """
        if trader is None:
            return
        self._remember(trader.trader_id, trader.counts.last_accepted_us)
        if now_us - trader.counts.last_accepted_us < matching.OVERLAP_US:
            self.conflicted(now_us)

    def succeeded(self, claim: Claim) -> None:
        """Record a committed claim."""
        self._remember(claim.trader.trader_id, claim.accepts_us)

    def _remember(self, trader_id: str, accepted_us: int) -> None:
        self._accepted_us.pop(trader_id, None)
        if len(self._accepted_us) >= MAX_REMEMBERED:
            self._accepted_us.pop(next(iter(self._accepted_us)))
        self._accepted_us[trader_id] = accepted_us


class Candidates:
    """The traders that are still to be tried for one order.

    Traders that accepted an order after the index entry was written go last.
    """

    def __init__(
        self,
        pages: Iterator[Iterable[Trader]],
        demand: Demand,
        contention: Contention,
        *,
        is_deep: bool = False,
    ) -> None:
        """Read nothing yet; `is_deep`: the first page is long enough for competing orders."""
        self._pages = pages
        self._page: Iterator[Trader] = iter(())
        self._demand = demand
        self._contention = contention
        self._eligible: list[Trader] = []
        self._behind: dict[str, Trader] = {}
        self._drew = False
        self._is_deep = is_deep

    def pick(self, chance: Chance, now_us: int) -> Trader:
        """Choose the next trader at a time (Unix us). Raises: NoTraderAvailable.

        Without competitors it is the first: the exact rotation. With competitors all orders would
        claim the first, so the trader is drawn at random: first the less-used of two, then a plain
        draw, because the least used are probably taken by then.

        Each page is read only as far as needed, and the next page only when the last one is used
        up.
        """
        crowded = self._contention.crowded(now_us)
        wanted = matching.CROWD_REACH if crowded else 1
        if self._look(wanted) < wanted and crowded and not self._is_deep:
            self._is_deep = True
            self._turn_page()  # the competitors were met after the first page, which is short
        while not self._look(wanted):
            if not self._turn_page():
                raise NoTraderAvailable
        if not crowded:
            return self._eligible[0]
        if self._drew:
            return matching.draw(self._eligible, chance.below)
        self._drew = True
        return matching.draw_fair(self._eligible, self._demand.day, chance.below)

    def in_view(self, count: int) -> list[Trader]:
        """Return up to `count` traders that can be picked without a further request."""
        self._look(count)
        return self._eligible[:count]

    def drop(self, trader_id: str, account_key: str) -> None:
        """Drop an account that cannot take the order's amount; its trader may have another one."""
        narrowed = (
            without_account(t, account_key) if t.trader_id == trader_id else t
            for t in self._eligible
        )
        self._eligible = [t for t in narrowed if fits(t, self._demand)]

    def lost(self, trader: Trader, now: Trader | None) -> None:
        """Replace a trader whose claim was lost by its present state, if that still fits."""
        others = [t for t in self._eligible if t.trader_id != trader.trader_id]
        if now is not None and fits(now, self._demand):
            if now.counts.last_accepted_us > trader.counts.last_accepted_us:
                self._behind[now.trader_id] = now
            else:
                others.append(now)
        self._eligible = matching.rotation(others, self._demand)

    def has(self, trader: Trader) -> bool:
        """Return whether a trader whose claim was lost is still to be tried."""
        return trader.trader_id in self._behind or any(
            other.trader_id == trader.trader_id for other in self._eligible
        )

    def _turn_page(self) -> bool:
        page = next(self._pages, None)
        if page is not None:
            self._page = iter(page)
            return True
        self._eligible += matching.rotation(list(self._behind.values()), self._demand)
        self._behind = {}
        return bool(self._eligible)

    def _look(self, width: int) -> int:
        """Collect up to `width` of the page's traders that fit; return their number."""
        missing = max(0, width - len(self._eligible))
        self._eligible.extend(islice(self._still_in_place(), missing))
        return len(self._eligible)

    def _still_in_place(self) -> Iterator[Trader]:
        for trader in self._page:
            now = self._contention.refreshed(trader)
            if now is trader:
                self._behind.pop(trader.trader_id, None)  # the index has caught up
                if fits(trader, self._demand):
                    yield trader
            elif fits(now, self._demand):
                self._behind[trader.trader_id] = now


@dataclass(frozen=True, slots=True)
class Choice:
    """The trader, its account and the buy at the amount that the next claim tries."""

    trader: Trader
    account: PaymentMethod
    placed: Placement

    @property
    def amount(self) -> AccountAmount:
        """The amount on its account."""
        trader_id, key = self.trader.trader_id, self.account.account_key
        return AccountAmount(trader_id, key, self.placed.cny_fen)


class Choices:
    """The traders and amounts that are still to be tried for one buy."""

    def __init__(self, candidates: Candidates, asked: Placement, rotation: Rotation) -> None:
        """Read nothing yet."""
        self._candidates, self._asked, self._demand = candidates, asked, asked.demand
        self._rotation = rotation
        self._looked_up: set[AccountAmount] = set()
        self._near_free: dict[AccountAmount, Choice] | None = None

    def next(self, chance: Chance) -> Choice:
        """Choose the next trader and amount. Raises: NoTraderAvailable, TryAgain.

        The amount is lowered only after the whole rotation, where every fitting account has it open
        or reserved, and these are few enough to be looked up.
        """
        try:
            trader = self._candidates.pick(chance, self._asked.now_us)
        except NoTraderAvailable:
            lowered = self._lowered()
            if lowered is not None:
                return lowered
            if self._near_free is None:
                raise
            free = (amount.cny_fen for amount in self._near_free)
            raise NoTraderAvailable(nearest(self._demand.cny_fen, free)) from None
        return Choice(trader, accounts_for(trader, self._demand)[0], self._asked)

    def amount_taken(self, choice: Choice, chance: Chance) -> None:
        """Drop an amount that was open or reserved, and look up others. Raises: TryAgain."""
        if choice.placed is self._asked:
            self._candidates.drop(choice.trader.trader_id, choice.account.account_key)
            self._looked_up.add(choice.amount)
            self._look_up(chance, [choice])
        elif self._near_free is not None:
            self._near_free.pop(choice.amount, None)

    def require_one(self, chance: Chance) -> None:
        """Check that an amount is free at a trader, before a claim is tried.

        Raises: NoTraderAvailable, TryAgain.
        """
        while True:
            choice = self.next(chance)
            is_known = choice.amount in self._looked_up
            if is_known or not choice.trader.terms.unique_amounts:
                return
            self._look_up(chance)

    def claim_lost(self, choice: Choice, now: Trader | None) -> bool:
        """Note the state of a trader whose claim was lost; return whether it is still to be tried.

        None is an unknown state.
        """
        if choice.placed is self._asked:
            self._candidates.lost(choice.trader, now)
            return now is not None and self._candidates.has(now)
        near = self._near_free or {}
        same = [amount for amount in near if amount.trader_id == choice.trader.trader_id]
        for amount in same:
            found = None if now is None else self._near_choice(now, amount)
            if found is None:
                near.pop(amount)
            else:
                near[amount] = found
        return now is not None and any(amount in near for amount in same)

    def _lowered(self) -> Choice | None:
        """Return the least lowered amount that was free; of equal ones, the first trader's."""
        taken = sum(amount.cny_fen == self._demand.cny_fen for amount in self._looked_up)
        if taken > LOOKS_MAX:
            return None
        least = self._demand.cny_fen - self._asked.discount_fen
        allowed = [
            choice
            for amount, choice in (self._near_free or {}).items()
            if least <= amount.cny_fen < self._demand.cny_fen
        ]
        return max(allowed, key=lambda choice: choice.placed.cny_fen, default=None)

    def _look_up(self, chance: Chance, taken: Sequence[Choice] = ()) -> None:
        """Read which accounts in view have the asked amount free, and which near ones are.

        `taken`: those of which the asked amount is known to be taken.
        """
        fen = self._demand.cny_fen
        others = [
            choice
            for trader in self._candidates.in_view(LOOKS_MAX)
            if trader.terms.unique_amounts
            for account in accounts_for(trader, self._demand)
            if (choice := Choice(trader, account, self._asked)).amount not in self._looked_up
        ]
        choices = {choice.amount: choice for choice in [*taken, *others]}
        near = [] if self._near_free is not None else self._near(choices)
        asked = [*choices][len(taken) :]
        amounts = amounts_to_look_up(asked, [[*group] for group in near], chance.below)
        records = self._rotation.amount_records(amounts) if amounts else ()
        if self._near_free is None:
            self._near_free = {}
        fitting = {amount: choice for group in near for amount, choice in group.items()}
        for amount, record in zip(amounts, records, strict=True):
            self._looked_up.add(amount)
            is_free = record.is_free(self._demand.merchant_id, self._asked.now)
            if is_free and amount in fitting:
                self._near_free[amount] = fitting[amount]
            elif not is_free and amount.cny_fen == fen:
                self._candidates.drop(amount.trader_id, amount.account_key)

    def _near(self, asked: Mapping[AccountAmount, Choice]) -> list[dict[AccountAmount, Choice]]:
        """Return the near amounts that fit, so that no other ones take up the room of the read."""
        fen, discount = self._demand.cny_fen, self._asked.discount_fen
        groups = []
        for offsets in (lowering_offsets(discount), nearby_offsets(discount)):
            near = near_amounts([*asked], offsets)
            beside = ((amount, asked[replace(amount, cny_fen=fen)].trader) for amount in near)
            found = ((amount, self._near_choice(trader, amount)) for amount, trader in beside)
            groups.append({amount: choice for amount, choice in found if choice is not None})
        return groups

    def _near_choice(self, trader: Trader, amount: AccountAmount) -> Choice | None:
        """Return the choice of a near amount on an account; None if it cannot take it."""
        placed = self._asked.at(amount.cny_fen)
        if placed is None or not fits(trader, demand := placed.demand):
            return None
        accounts = accounts_for(trader, demand)
        found = next((one for one in accounts if one.account_key == amount.account_key), None)
        return None if found is None else Choice(trader, found, placed)
