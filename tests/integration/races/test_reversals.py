"""Reversals that meet what else takes from the same order or balances (contract section 6)."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import combinations_with_replacement
from random import Random

import pytest

from orderdesk.domain.accounts import WINDOW_SECONDS, Account, AccountKind
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ledger.settlement import settlement
from orderdesk.domain.operators import BalanceTooLow, OperatorRefusal
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import InsufficientBalance, NotRefundable
from orderdesk.domain.orders.refunds import refundable_fen
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from tests.integration.races.calls import Call, creation, meet
from tests.support.depth import examples
from tests.support.money_world import FUNDS_MICRO, MoneyWorld, Step
from tests.support.schedule import Outcomes, Stage, kinds_of
from tests.support.sealing import Sealer
from tests.support.world import World

# `make test` runs a third of the pairs; with three shards, which have four times as many orders, a
# ninth.
ONE_OF = {1: examples(budget=3, full=1), 3: examples(budget=9, full=1)}
THREADS = 32
REFUSED = (BalanceTooLow, OperatorRefusal, NotRefundable, InsufficientBalance, TryAgain)
BOUGHT_FEN = 10_000_00
SOLD_FEN = 9_876_54


def completed_buy(money: MoneyWorld, fen: int = BOUGHT_FEN) -> str:
    number = money.create(OrderType.BUY, fen)
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
    meet(money, stage, calls, pairs[:: ONE_OF[shards]], end_of)


def returned(orders: list[Order]) -> Counter[Account]:
    """Return what reversals took from each account but the traders', by section 6."""
    taken = Counter[Account]()
    for order in orders:
        for each in settlement(order, 0).postings:
            if each.account.kind is not AccountKind.TRADER:
                share = each.amount_micro * order.reversed_micro // order.quote.usdt_micro
                taken[each.account] += share
    return taken


@pytest.mark.parametrize("shards", [1, 3])
def test_32_threads_reverse_refund_and_withdraw_one_balance(world: World, shards: int) -> None:
    """What is left is exact, and a seal of it has no finding."""
    money = MoneyWorld(world)
    money.split(0, shards, is_known=True)
    numbers = [completed_buy(money, 1000_00) for _ in range(THREADS // 4)]
    own = money.withdrawn_account(AccountKind.MERCHANT, Mode.LIVE)
    money.withdraw(own, FUNDS_MICRO)  # what is left are the buys; the calls want twice as much
    kinds = (AccountKind.MERCHANT, AccountKind.DEPOSIT, AccountKind.FEE)
    accounts = [money.withdrawn_account(kind, Mode.LIVE) for kind in kinds]
    before = {each: money.balance(each).available_micro for each in accounts}
    withdrawn = list[tuple[Account, int]]()

    def withdraw(account: Account, micro: int) -> None:
        money.withdraw(account, micro)
        withdrawn.append((account, micro))

    calls: list[Call] = []
    for index, number in enumerate(numbers):
        buy, account = money.order(number), accounts[index % len(accounts)]
        calls += [
            partial(money.reverse, number),
            partial(money.reverse, number, buy.quote.usdt_micro * 6 // 10),
            partial(money.refund, buy, 600_00),
            partial(withdraw, account, before[account] // 4),
        ]
    Random(0).shuffle(calls)

    def outcome(call: Call) -> object:
        try:
            return call()
        except REFUSED as refusal:
            return refusal

    with ThreadPoolExecutor(THREADS) as pool:
        outcomes = list(pool.map(outcome, calls))
    orders = [money.order(number) for number in numbers]
    sells = [money.order(each) for each in outcomes if isinstance(each, str)]
    taken = returned(orders)
    for account, micro in withdrawn:
        taken[account] += micro
        if account.kind is AccountKind.DEPOSIT:
            taken[own] -= micro  # deposit.release moves it there
    held = sum(each.quote.merchant_actual_micro for each in sells)
    for account in accounts:
        left = money.balance(account)
        assert left.available_micro + left.held_micro == before[account] - taken[account], account
        assert left.held_micro == (held if account == own else 0), account
    refunded = sorted(each.order_no for each in sells)
    assert sorted(each.order_no for buy in orders for each in buy.undone.refunds) == refunded
    assert all(refundable_fen(buy) >= 0 for buy in orders)
    assert any(order.reversed_micro for order in orders)
    assert sells
    assert withdrawn
    money.check()
    money.now += 2 * WINDOW_SECONDS
    assert Sealer(world, lambda: money.now).found() == []
