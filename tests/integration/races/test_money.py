"""Two calls that take from one account or order at once: nothing is used twice, none is lost."""

from functools import partial
from itertools import combinations_with_replacement

import pytest

from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.merchants.withdrawals import draw_request_no
from orderdesk.services.operator.reversals import Verdict
from tests.integration.races.calls import Call, creation, meet, off_duty
from tests.support.depth import examples
from tests.support.money_world import FUNDS_MICRO, MoneyWorld, Step
from tests.support.schedule import Outcomes, Stage, kinds_of

BUY, SELL = OrderType.BUY, OrderType.SELL
ONE_OF = examples(budget=9, full=1)
# Of what an account has, two of these do not fit.
MOST_OF_IT = FUNDS_MICRO * 6 // 10
MOST_OF_IT_FEN = 8_000_00
CLAIMED_FEN = 4_876_54

type Calls = dict[str, Call]


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
    meet(money, stage, calls, [*combinations_with_replacement(calls, 2)][::ONE_OF], end_of)


@pytest.mark.deep
@pytest.mark.parametrize("shards", [1, 3])
def test_two_moves_of_a_merchants_money(money: MoneyWorld, stage: Stage, shards: int) -> None:
    money.split(0, shards, is_known=True)
    assert_pairs(money, stage, of_merchant(money))


@pytest.mark.deep
def test_two_moves_of_a_traders_money(money: MoneyWorld, stage: Stage) -> None:
    assert_pairs(money, stage, of_trader(money))


@pytest.mark.deep
@pytest.mark.parametrize("completed", [True, False], ids=["completed", "cancelled"])
def test_claims_meet_what_takes_the_same_usdt(
    money: MoneyWorld, stage: Stage, *, completed: bool
) -> None:
    """Each pair has the outcome of one after the other, and the order is paid once."""
    former, other = money.traders[0].trader_id, money.traders[1].trader_id
    number = money.claimed_sell(money.create(OrderType.SELL, CLAIMED_FEN), completed=completed)
    own = money.withdrawn_account(AccountKind.MERCHANT, Mode.LIVE)
    payer = Account(AccountKind.TRADER, other, Mode.LIVE) if completed else own
    takes = money.balance(payer).available_micro - 1_000_000
    calls: dict[str, Call] = {
        "claim": partial(money.claim, number, former),
        "reject": partial(money.claim, number, former, Verdict.REJECTED),
        "withdraw": partial(money.withdraw, payer, takes),
        **({"reverse": partial(money.reverse, number)} if completed else {}),
    }

    def end_of(outcomes: Outcomes) -> str:
        order = money.order(number)
        left = (money.balance(payer), order.paid_claim is None, order.reversed_micro)
        return "\n".join((kinds_of(outcomes), *map(str, left)))

    pairs = [pair for pair in combinations_with_replacement(calls, 2) if "claim" in pair]
    meet(money, stage, calls, pairs[:: examples(budget=2, full=1)], end_of)


@pytest.mark.deep
def test_refunds_meet_refunds_cancellations_and_reversals(money: MoneyWorld, stage: Stage) -> None:
    """Each pair has the outcome of one after the other."""
    buy = money.create(OrderType.BUY, 1000_00)
    money.do(Step(buy, Actor.TRADER, Move.CONFIRM, money.order(buy).trader_id))
    sold = money.refund(money.order(buy), 300_00)
    calls: dict[str, Call] = {
        "refund most": creation(money, OrderType.SELL, fen=600_00, refund_of=buy),
        "refund again": creation(money, OrderType.SELL, fen=400_00, refund_of=buy),
        "cancel": partial(money.do, Step(sold, Actor.MERCHANT, Move.CANCEL)),
        "reverse a part": partial(money.reverse, buy, 50_000_000),
    }

    def end_of(outcomes: Outcomes) -> str:
        order = money.order(buy)
        refunded = sorted(each.cny_fen for each in order.undone.refunds)
        return "\n".join((kinds_of(outcomes), str(refunded), str(order.reversed_micro)))

    meet(money, stage, calls, combinations_with_replacement(calls, 2), end_of)
