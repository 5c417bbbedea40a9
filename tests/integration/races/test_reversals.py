"""Reversals that meet what else takes from the same order or balances (contract section 6)."""

from functools import partial
from itertools import combinations_with_replacement

import pytest

from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from tests.integration.races.calls import Call, creation
from tests.support.depth import examples
from tests.support.money_world import FUNDS_MICRO, MoneyWorld, Step
from tests.support.schedule import Cases, Outcomes, Stage, kinds_of

# `make test` runs a third of the pairs; with three shards, which have four times as many orders, a
# ninth.
ONE_OF = {1: examples(budget=3, full=1), 3: examples(budget=9, full=1)}
BOUGHT_FEN = 10_000_00
SOLD_FEN = 9_876_54


def completed_buy(money: MoneyWorld) -> str:
    number = money.create(OrderType.BUY, BOUGHT_FEN)
    money.do(Step(number, Actor.TRADER, Move.CONFIRM, money.order(number).trader_id))
    return number


@pytest.mark.deep
@pytest.mark.parametrize("shards", [1, 3])
def test_reversals_meet_what_takes_the_same_usdt(
    money: MoneyWorld, stage: Stage, shards: int
) -> None:
    """Each pair has the outcome of one after the other, and no account is below zero."""
    money.split(0, shards, is_known=True)
    number, other = completed_buy(money), completed_buy(money)
    own = money.withdrawn_account(AccountKind.MERCHANT, Mode.LIVE)
    fees = money.withdrawn_account(AccountKind.FEE, Mode.LIVE)
    deposit = money.withdrawn_account(AccountKind.DEPOSIT, Mode.LIVE)
    money.withdraw(own, FUNDS_MICRO)  # what is left are the two buys
    has = {each: money.balance(each).available_micro for each in (own, fees, deposit)}
    calls: dict[str, Call] = {
        "reverse all": partial(money.reverse, number),
        "reverse half": partial(money.reverse, number, BOUGHT_FEN * 6_000),
        "reverse another": partial(money.reverse, other),
        "withdraw": partial(money.withdraw, own, has[own] * 6 // 10),
        "withdraw fees": partial(money.withdraw, fees, has[fees] * 6 // 10),
        "release deposit": partial(money.withdraw, deposit, has[deposit] * 6 // 10),
        "sell": creation(money, OrderType.SELL, fen=SOLD_FEN),
    }

    def end_of(outcomes: Outcomes) -> str:
        trader = Account(AccountKind.TRADER, money.order(number).trader_id or "", Mode.LIVE)
        left = [money.balance(each) for each in (own, fees, deposit, trader)]
        parts = [money.order(each).reversed_micro for each in (number, other)]
        return "\n".join((kinds_of(outcomes), *map(str, (*left, *parts))))

    pairs = [
        pair
        for pair in combinations_with_replacement(calls, 2)
        if any(name.startswith("reverse") for name in pair)
    ]
    for one, two in pairs[:: ONE_OF[shards]]:

        def begin(one: str = one, two: str = two) -> Cases:
            return {f"a-{one}": calls[one], f"b-{two}": calls[two]}

        stage.serial(begin, lambda _: money.check(), end_of)
