"""A different sum arrived: reported, answered, decided, priced again (contract section 6)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

import pytest

from orderdesk.adapters.dynamodb.operator.parties import OperatorMerchants
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.money import parse_usdt
from orderdesk.domain.operators import OperatorRefusal, SumNotCovered, UnacceptableTerms
from orderdesk.domain.orders.moves import By, takes_report
from orderdesk.domain.orders.notes import TooManyNotes
from orderdesk.domain.orders.order import Order, OrderStatus, SumAnswer
from orderdesk.domain.orders.order_errors import (
    OrderNotFound,
    StateConflict,
    SumUncovered,
    UnfitSum,
)
from orderdesk.domain.orders.other_sums import OtherSums, SumRule, other_sums_of
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType, quote
from orderdesk.domain.times import trading_day
from orderdesk.services.orders.late_receipts import ReopenPorts
from orderdesk.services.orders.other_sums import Report, answer_sum, report_sum
from tests.support.commands import resolve
from tests.support.money_world import REASON, MoneyWorld, Step
from tests.support.world import World

FEN = 1000_00
S = OrderStatus


@pytest.fixture
def money(world: World) -> MoneyWorld:
    """Return a world with one trader in the rotation, whose merchant allows up to 100 %."""
    money = MoneyWorld(world)
    money.suspend(0)
    return money


def with_term(money: MoneyWorld, term: str) -> ReopenPorts:
    """Return ports that read a merchant's term as this one."""
    ports = money.reopening()

    class Terms:
        def find(self, merchant_id: str) -> Merchant:
            merchant = ports.merchants.find(merchant_id)
            assert merchant is not None
            return replace(merchant, terms=replace(merchant.terms, other_sums=term))

    return replace(ports, merchants=Terms())


def reported(money: MoneyWorld, percent: int = 90, *, paid: bool = True) -> Order:
    number = money.create(OrderType.BUY, FEN)
    if paid:
        money.do(Step(number, Actor.PAYER, Move.PAY))
    order = money.order(number)
    return money.do(Step(number, Actor.TRADER, Move.REPORT_SUM, order.trader_id, percent))


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("no", OtherSums(SumRule.NO)),
        ("operator", OtherSums(SumRule.OPERATOR)),
        ("agreed:1", OtherSums(SumRule.AGREED, 1)),
        ("agreed:100", OtherSums(SumRule.AGREED, 100)),
        *((bad, None) for bad in ("", "agreed", "agreed:0", "agreed:101", "agreed:1.5", "no:3")),
    ],
)
def test_the_term(text: str, term: OtherSums | None) -> None:
    assert other_sums_of(text) == term


@pytest.mark.parametrize("paid", [False, True])
def test_a_report_disputes_and_keeps_the_sum(money: MoneyWorld, *, paid: bool) -> None:
    order = reported(money, paid=paid)
    assert order.status is S.DISPUTED
    assert (order.sums.reported_fen, order.sums.sum_answer) == (900_00, None)
    assert (order.timeline[-1].by, order.quote.cny_fen) == ("trader", FEN)
    again = money.do(Step(order.order_no, Actor.TRADER, Move.REPORT_SUM, order.trader_id, 90))
    assert again == order
    with pytest.raises(StateConflict):
        money.do(Step(order.order_no, Actor.TRADER, Move.REPORT_SUM, order.trader_id, 80))


@pytest.mark.parametrize("percent", [90, 130])
@pytest.mark.parametrize("who", ["operator", "payer"])
def test_the_sum_completes_the_order(money: MoneyWorld, percent: int, who: str) -> None:
    """It is priced again; all accounts, the counter and the trader's day follow from the sum."""
    before = money.trader(1)
    order = reported(money, percent)
    fen, fees = FEN * percent // 100, order.fees
    assert fees is not None
    if who == "operator":
        step = Step(order.order_no, Actor.OPERATOR, Move.RESOLVE_COMPLETED, None, percent)
    else:
        step = Step(order.order_no, Actor.PAYER, Move.AGREE)
    after = money.do(step)
    assert (after.status, after.timeline[-1].by) == (S.COMPLETED, who)
    assert after.quote == quote(OrderType.BUY, fen, order.base_rate.rate_e4, fees)
    assert (after.sums.requested_fen, after.sums.held_fen) == (FEN, FEN)
    trader = money.trader(1)
    assert (trader.counts.held_micro, trader.counts.open_orders) == (0, 0)
    assert before.counts.available_micro - trader.counts.available_micro == after.quote.trader_micro
    assert trader.used_on(trading_day(money.now)) == fen
    merchant = money.merchants[0].merchant_id
    for kind, micro in (
        (AccountKind.DEPOSIT, after.quote.deposit_micro),
        (
            AccountKind.FEE,
            after.quote.service_micro + abs(after.quote.usdt_micro - after.quote.trader_micro),
        ),
    ):
        assert money.balance(Account(kind, merchant, order.mode)).available_micro == micro
    assert money.open_of(OrderType.BUY, order.mode, 0) == (0, 0)
    assert money.do(step) == after
    money.check()


def test_the_day_after_counts_no_sum_of_yesterday(money: MoneyWorld) -> None:
    order = reported(money)
    money.now += 86_400
    after = money.do(Step(order.order_no, Actor.PAYER, Move.AGREE))
    assert after.status is S.COMPLETED
    assert money.trader(1).used_on(trading_day(money.now)) == 0


def test_what_is_missing_is_held_or_named(money: MoneyWorld) -> None:
    order = reported(money, 200)
    free = money.trader(1).counts.available_micro
    money.withdraw(Account(AccountKind.TRADER, order.trader_id or "", order.mode), free - 1)
    missing = 2 * order.quote.trader_micro
    with pytest.raises(SumNotCovered) as refused:
        resolve(order.order_no, S.COMPLETED, money.command_ports, reason=REASON, sum_fen=2 * FEN)
    assert abs(parse_usdt(str(refused.value.data["missing_usdt"])) - missing // 2) <= 1
    with pytest.raises(SumUncovered) as conflict:
        money.do(Step(order.order_no, Actor.PAYER, Move.AGREE))
    assert conflict.value.data["status"] == "disputed"
    stored = money.order(order.order_no)
    assert (stored.status, stored.sums.sum_answer) == (S.DISPUTED, SumAnswer.AGREED)
    money.check()


@pytest.mark.parametrize("fen", [0, 2 * FEN + 1])
def test_a_sum_out_of_its_range(money: MoneyWorld, fen: int) -> None:
    order, by = reported(money), partial(resolve, ports=money.command_ports, reason=REASON)
    with pytest.raises(UnacceptableTerms):
        by(order.order_no, S.COMPLETED, sum_fen=fen)
    with pytest.raises(UnacceptableTerms):
        by(order.order_no, S.CANCELLED, sum_fen=FEN)
    number = money.create(OrderType.BUY, FEN - 1)
    own = money.order(number)
    with pytest.raises(UnfitSum):
        report_sum(own, Report(fen, ""), By(Actor.TRADER, own.trader_id), money.reopening(), 0)
    with pytest.raises(OrderNotFound):
        report_sum(own, Report(FEN, ""), By(Actor.TRADER, "other"), money.reopening(), 0)


def test_a_sell_has_no_different_sum(money: MoneyWorld) -> None:
    """The refusal names the status that the sell has, not the one that it would have."""
    number = money.create(OrderType.SELL, FEN)
    assigned = money.do(Step(number, Actor.CLOCK, Move.ASSIGN))
    money.do(Step(number, Actor.OPERATOR, Move.DISPUTE, assigned.trader_id))
    with pytest.raises(StateConflict, match="disputed"):
        resolve(number, S.COMPLETED, money.command_ports, reason=REASON, sum_fen=FEN - 1)


def test_the_asked_sum_is_no_different_one(money: MoneyWorld) -> None:
    order = money.order(money.create(OrderType.BUY, FEN))
    with pytest.raises(UnfitSum):
        money.do(Step(order.order_no, Actor.TRADER, Move.REPORT_SUM, order.trader_id, 100))


@pytest.mark.parametrize(
    ("term", "answer", "status"),
    [
        ("agreed:10", SumAnswer.AGREED, S.COMPLETED),
        ("agreed:9", SumAnswer.AGREED, S.DISPUTED),
        ("operator", SumAnswer.AGREED, S.DISPUTED),
        ("agreed:100", SumAnswer.OBJECTED, S.DISPUTED),
    ],
)
def test_whom_the_term_lets_decide(
    money: MoneyWorld, term: str, answer: SumAnswer, status: OrderStatus
) -> None:
    order = reported(money)
    after = answer_sum(order, answer, with_term(money, term), money.now)
    assert (after.status, after.sums.sum_answer) == (status, answer)
    if status is S.DISPUTED:
        assert answer_sum(order, answer, with_term(money, term), money.now) == after
    else:
        with pytest.raises(StateConflict):
            answer_sum(order, SumAnswer.OBJECTED, with_term(money, term), money.now)
    money.check()


def test_an_objection_may_become_an_agreement(money: MoneyWorld) -> None:
    order, ports = reported(money), with_term(money, "operator")
    for answer in (SumAnswer.OBJECTED, SumAnswer.AGREED):
        assert answer_sum(order, answer, ports, money.now).sums.sum_answer is answer
    objected = answer_sum(order, SumAnswer.OBJECTED, ports, money.now)
    assert objected.sums.sum_answer is SumAnswer.AGREED


def test_a_merchant_that_allows_no_other_sum(money: MoneyWorld) -> None:
    order = money.order(money.create(OrderType.BUY, FEN - 1))
    by = By(Actor.TRADER, order.trader_id)
    with pytest.raises(StateConflict):
        report_sum(order, Report(900_00, ""), by, with_term(money, "no"), money.now)
    disputed = reported(money)
    strict = replace(money.command_ports, merchants=cast("Any", Strict(money.agreements)))
    with pytest.raises(OperatorRefusal, match="accepts no other sum"):
        resolve(disputed.order_no, S.COMPLETED, strict, reason=REASON, sum_fen=900_00)
    assert resolve(disputed.order_no, S.COMPLETED, strict, reason=REASON, sum_fen=FEN).status


class Strict:
    """Read merchants as such that allow no other sum."""

    def __init__(self, register: OperatorMerchants) -> None:
        self._register = register

    def merchant(self, merchant_id: str) -> Merchant:
        merchant = self._register.merchant(merchant_id)
        assert merchant is not None
        return replace(merchant, terms=replace(merchant.terms, other_sums="no"))


def expired(money: MoneyWorld) -> Order:
    number = money.create(OrderType.BUY, FEN)
    money.now += 900
    return money.order(number)


def test_a_late_report_holds_again(money: MoneyWorld) -> None:
    order = expired(money)
    assert takes_report(order, money.now)
    step = Step(order.order_no, Actor.TRADER, Move.REPORT_SUM, order.trader_id, 50)
    after = money.do(step)
    assert [entry.status.value for entry in after.timeline] == ["pending", "expired", "disputed"]
    assert money.trader(1).counts.held_micro == order.quote.trader_micro
    done = money.do(Step(order.order_no, Actor.PAYER, Move.AGREE))
    assert money.trader(1).used_on(trading_day(money.now)) == done.quote.cny_fen == FEN // 2
    money.check()


def test_a_late_report_after_a_day(money: MoneyWorld) -> None:
    order = expired(money)
    money.now += 86_400
    assert not takes_report(order, money.now)
    with pytest.raises(StateConflict):
        money.do(Step(order.order_no, Actor.TRADER, Move.REPORT_SUM, order.trader_id))


@pytest.mark.parametrize(
    "full",
    [
        lambda money: (money.set_cap(1, 1), money.create(OrderType.BUY, FEN - 1)),
        lambda money: money.withdraw(
            Account(AccountKind.TRADER, money.traders[1].trader_id, money.traders[1].mode),
            money.trader(1).counts.available_micro,
        ),
    ],
    ids=["slots", "usdt"],
)
def test_a_late_report_without_room_is_a_note(
    money: MoneyWorld, full: Callable[[MoneyWorld], object]
) -> None:
    order = expired(money)
    money.sweep()
    full(money)
    step = Step(order.order_no, Actor.TRADER, Move.REPORT_SUM, order.trader_id, 50)
    for _ in range(2):
        after = money.do(step)
        assert (after.status, after.dispute.notes) == (S.EXPIRED, 1)
    [note] = money.store.notes(order.order_no)
    assert (note.by, note.text) == (Actor.TRADER, "50000")
    for percent in range(51, 55):
        money.do(replace(step, percent=percent))
    with pytest.raises(TooManyNotes):
        money.do(replace(step, percent=55))
    money.check()
