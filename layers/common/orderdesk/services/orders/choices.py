"""Choose trader and amount of a buy: the asked amount in turn, then a lower one (section 4).

The first claim of a buy reads no amounts. Only after a trader had the amount open or reserved, the
other traders' amounts and near ones are looked up, in one read for a page of traders.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from orderdesk.domain.orders.amounts import (
    LOOKS_MAX,
    AccountAmount,
    amounts_to_look_up,
    lowering_offsets,
    near_amounts,
    nearby_offsets,
    nearest,
)
from orderdesk.domain.orders.order_errors import NoTraderAvailable
from orderdesk.domain.orders.placement import Placement
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.traders.matching import accounts_for, fits
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.match import Candidates
from orderdesk.services.ports import Chance, Rotation

_LOOK_AHEAD = LOOKS_MAX


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
            for trader in self._candidates.in_view(_LOOK_AHEAD)
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
