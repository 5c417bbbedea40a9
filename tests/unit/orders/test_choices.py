"""When a buy's amount is lowered: not before every fitting account has it (contract section 4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import batched
from random import Random

import pytest

from orderdesk.domain.orders.amounts import LOOKS_MAX, AccountAmount, AmountRecord
from orderdesk.domain.orders.order_errors import NoTraderAvailable
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.pricing import BaseRate, Mode, OrderType, quote
from orderdesk.domain.traders.matching import Demand
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.match import Candidates, Choice, Choices, Contention, Placement
from tests.support.chance import SeededChance
from tests.support.seed import BANK_METHOD, a_merchant, a_trader

ASKED, PAGE = 1000_00, 16
OPEN = AmountRecord(frozenset({"B1"}))
CHANCE = SeededChance(Random(1))


def traders(count: int) -> list[Trader]:
    return [
        a_trader(f"t{n:04d}", max_cny_fen=10**9, unique_amounts=True, methods=(BANK_METHOD,))
        for n in range(count)
    ]


@dataclass
class Amounts:
    """The rotation of some traders; the asked amount is free at `free` ones only."""

    count: int
    free: frozenset[str] = frozenset()
    reads: list[int] = field(default_factory=list)

    def rotation_pages(self, demand: Demand, at_least: int = 1) -> Iterator[Iterator[Trader]]:
        assert demand.cny_fen == ASKED
        return map(iter, batched(traders(self.count), max(at_least, PAGE), strict=False))

    def amount_records(self, amounts: Sequence[AccountAmount]) -> Sequence[AmountRecord]:
        assert len(amounts) <= LOOKS_MAX
        self.reads.append(len(amounts))
        return [AmountRecord() if self.is_free(amount) else OPEN for amount in amounts]

    def is_free(self, amount: AccountAmount) -> bool:
        return amount.cny_fen != ASKED or amount.trader_id in self.free


def chosen(amounts: Amounts, discount_fen: int = 100) -> Choice:
    """Return the choice whose claim succeeds."""
    request = OrderRequest(OrderType.BUY, Mode.LIVE, ASKED, max_discount_fen=discount_fen)
    merchant, rate = a_merchant("m1"), BaseRate(72_500, "test", 0)
    priced = quote(OrderType.BUY, ASKED, rate.rate_e4, merchant.terms.fees)
    placed = Placement(request, merchant, priced, rate, 0)
    candidates = Candidates(amounts.rotation_pages(placed.demand), placed.demand, Contention())
    choices = Choices(candidates, placed, amounts)
    while True:
        choice = choices.next(CHANCE)
        if amounts.is_free(choice.amount):
            return choice
        choices.amount_taken(choice, CHANCE)


@pytest.mark.parametrize("count", [PAGE + 1, 2 * PAGE, 5 * PAGE])
def test_a_trader_of_a_later_page_with_the_amount_free_takes_it_unchanged(count: int) -> None:
    last = f"t{count - 1:04d}"
    choice = chosen(Amounts(count, frozenset({last})))
    assert (choice.trader.trader_id, choice.placed.cny_fen) == (last, ASKED)


@pytest.mark.parametrize("count", [1, PAGE, 2 * PAGE, LOOKS_MAX])
def test_the_amount_is_lowered_where_every_account_has_it(count: int) -> None:
    assert ASKED - 100 <= chosen(Amounts(count)).placed.cny_fen < ASKED


def test_with_more_accounts_than_are_looked_up_the_amount_stays() -> None:
    with pytest.raises(NoTraderAvailable):
        chosen(Amounts(LOOKS_MAX + 1))
    last = f"t{LOOKS_MAX:04d}"
    assert chosen(Amounts(LOOKS_MAX + 1, frozenset({last}))).placed.cny_fen == ASKED
