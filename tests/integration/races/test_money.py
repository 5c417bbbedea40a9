"""Two moves of money of one account at the same time: no balance is used twice, none is lost."""

from collections.abc import Callable
from functools import partial
from itertools import combinations_with_replacement

import pytest

from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.services.merchants.withdrawals import draw_request_no
from tests.integration.races.calls import creation, off_duty
from tests.support.depth import examples
from tests.support.money_world import FUNDS_MICRO, MoneyWorld, Step
from tests.support.schedule import Cases, Outcomes, Stage, kinds_of

BUY, SELL = OrderType.BUY, OrderType.SELL
ONE_OF = examples(budget=9, full=1)
# Of what an account has, two of these do not fit.
MOST_OF_IT = FUNDS_MICRO * 6 // 10
MOST_OF_IT_FEN = 8_000_00

type Calls = dict[str, Callable[[], object]]


def of_merchant(money: MoneyWorld) -> Calls:
    """Return moves of the first merchant's live account."""
    account = Account(AccountKind.MERCHANT, money.merchants[0].merchant_id, Mode.LIVE)
    bought, sold = money.create(BUY, 333_33), money.create(SELL, 333_33)
    request_no = draw_request_no(money.person.ports)
    confirm = Step(bought, Actor.TRADER, Move.CONFIRM, money.order(bought).trader_id)
    return of_account(money, account) | {
        "sell": creation(money, SELL, fen=MOST_OF_IT_FEN),
        "confirm a buy": partial(money.do, confirm),
        "cancel a sell": partial(money.do, Step(sold, Actor.MERCHANT, Move.CANCEL)),
        "request": partial(money.request_withdrawal, MOST_OF_IT, request_no),
    }


def of_trader(money: MoneyWorld) -> Calls:
    """Return moves of the only trader on duty."""
    off_duty(money, 1)
    account = Account(AccountKind.TRADER, money.traders[0].trader_id, Mode.LIVE)
    bought, cancelled, sold = (money.create(kind, 333_33) for kind in (BUY, BUY, SELL))
    money.do(Step(sold, Actor.OPERATOR, Move.ASSIGN, account.owner))
    money.prove(sold, account.owner)
    return of_account(money, account) | {
        "buy": creation(money, BUY, fen=MOST_OF_IT_FEN),
        "confirm a buy": partial(money.do, Step(bought, Actor.TRADER, Move.CONFIRM, account.owner)),
        "cancel a buy": partial(money.do, Step(cancelled, Actor.MERCHANT, Move.CANCEL)),
        "confirm a sell": partial(money.do, Step(sold, Actor.TRADER, Move.CONFIRM, account.owner)),
    }


def of_account(money: MoneyWorld, account: Account) -> Calls:
    return {
        "fund": lambda: money.fund(account.kind, account.owner, account.mode, MOST_OF_IT),
        "withdraw": lambda: money.withdraw(account, MOST_OF_IT),
        "propose": lambda: money.propose(account, MOST_OF_IT, "ann"),
    }


def assert_pairs(money: MoneyWorld, stage: Stage, calls: Calls) -> None:
    """Check each pair: as one after the other, and with correct books."""

    def end_of(outcomes: Outcomes) -> str:
        return "\n".join((kinds_of(outcomes), *map(str, balances())))

    def balances() -> list[object]:
        merchant = Account(AccountKind.MERCHANT, money.merchants[0].merchant_id, Mode.LIVE)
        trader = money.trader(0)
        return [money.balance(merchant), trader.counts.available_micro, trader.counts.held_micro]

    def succeeds(outcomes: Outcomes) -> None:
        assert not any(isinstance(each, Exception) for each in outcomes.values())

    for name, call in calls.items():
        stage.every_order(partial(dict, {name: call}), succeeds)
    for one, two in [*combinations_with_replacement(calls, 2)][::ONE_OF]:

        def begin(one: str = one, two: str = two) -> Cases:
            return {f"a-{one}": calls[one], f"b-{two}": calls[two]}

        stage.serial(begin, lambda _: money.check(), end_of)


@pytest.mark.deep
@pytest.mark.parametrize("shards", [1, 3])
def test_two_moves_of_a_merchants_money(money: MoneyWorld, stage: Stage, shards: int) -> None:
    money.split(0, shards, is_known=True)
    assert_pairs(money, stage, of_merchant(money))


@pytest.mark.deep
def test_two_moves_of_a_traders_money(money: MoneyWorld, stage: Stage) -> None:
    assert_pairs(money, stage, of_trader(money))
