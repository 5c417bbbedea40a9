"""Withdrawals: two operators, one transaction a step, nothing paid twice whatever fails."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.withdrawals import Withdrawal, WithdrawalStatus
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import (
    BalanceTooLow,
    NotTheProposer,
    OperatorUnknown,
    UnacceptableTerms,
    UnknownId,
    WithdrawalDecided,
    WrongMode,
)
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.funds import fund_merchant, fund_trader
from orderdesk.services.operator.withdrawals import (
    approve,
    propose_for_merchant,
    propose_for_trader,
    reject,
)
from tests.support.books import assert_books
from tests.support.faults import Killed, answer_lost, answered_with, cancelled, killed_at
from tests.support.offices import office_on
from tests.support.world import World

ARN = "arn:aws:iam::123456789012:user/"
FUNDED, TAKEN = 100_000_000, 30_000_000


class Desk:
    """A merchant and a trader in each mode with 100 USDT each, and two operators."""

    def __init__(self, world: World) -> None:
        self.world, self.office = world, office_on(world)
        self.merchant_id = world.add_merchant()[0].merchant_id
        self.traders = {
            mode: world.add_trader(mode=mode, available_micro=0).trader_id for mode in Mode
        }
        self.alice, self.bob = self.named("alice"), self.named("bob")
        for mode in Mode:
            office, operator = self.office, self.alice
            fund_merchant(office.funds, operator, self.merchant_id, FUNDED, mode=mode, memo="m")
            fund_trader(
                office.funds, office.traders, operator, self.traders[mode], FUNDED, memo="m"
            )

    def named(self, name: str) -> Operator:
        return replace(self.office.operator, who=ARN + name, pause_ms=lambda _: None)

    def propose(self, mode: Mode = Mode.LIVE, micro: int = TAKEN) -> Withdrawal:
        return propose_for_merchant(
            self.office.withdrawals, self.alice, self.merchant_id, micro, mode=mode, memo="out"
        )

    def propose_of_trader(self, mode: Mode = Mode.LIVE, micro: int = TAKEN) -> Withdrawal:
        return propose_for_trader(
            self.office.withdrawals,
            self.office.traders,
            self.alice,
            self.traders[mode],
            micro,
            memo="out",
        )

    def approve(self, withdrawal: Withdrawal, by: Operator | None = None) -> Withdrawal:
        return approve(self.office.withdrawals, by or self.bob, withdrawal.withdrawal_no)

    def reject(self, withdrawal: Withdrawal, by: Operator | None = None) -> Withdrawal:
        return reject(self.office.withdrawals, by or self.bob, withdrawal.withdrawal_no, "no")

    def stored(self, withdrawal: Withdrawal) -> Withdrawal:
        found = self.office.withdrawals.withdrawal(withdrawal.withdrawal_no)
        assert found is not None
        return found

    def of_merchant(self, mode: Mode = Mode.LIVE) -> tuple[int, int]:
        return self.balance(Account(AccountKind.MERCHANT, self.merchant_id, mode))

    def of_trader(self, mode: Mode = Mode.LIVE) -> tuple[int, int]:
        trader = self.world.trader(self.traders[mode])
        return trader.available_micro, trader.held_micro

    def balance(self, account: Account) -> tuple[int, int]:
        balance: Balance = self.office.balances.balance(account)
        return balance.available_micro, balance.held_micro

    def trail(self) -> list[Any]:
        rows: list[Any] = self.world.items("Audit")
        return sorted((r for r in rows if r["action"][:8] == "withdraw"), key=lambda r: r["sk"])

    def everything(self) -> Any:
        tables = ("Ledger", "Traders", "Merchants", "Audit")
        return [sorted(self.world.items(table), key=repr) for table in tables]

    def check(self) -> None:
        assert_books(self.world, {self.merchant_id}, set(self.traders.values()))


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world)


@pytest.mark.parametrize("mode", Mode)
def test_a_merchants_withdrawal_is_held_then_paid_out(desk: Desk, mode: Mode) -> None:
    proposed = desk.propose(mode)
    assert proposed.withdrawal_no[0] == "W"
    assert desk.of_merchant(mode) == (FUNDED - TAKEN, TAKEN)
    desk.check()
    paid = desk.approve(proposed)
    assert paid == desk.stored(proposed)
    assert (paid.status, paid.decided_by) == (WithdrawalStatus.APPROVED, desk.bob.who)
    assert desk.of_merchant(mode) == (FUNDED - TAKEN, 0)
    assert desk.of_merchant(next(m for m in Mode if m is not mode)) == (FUNDED, 0)
    assert desk.balance(Account(AccountKind.FUNDING, "", mode)) == (TAKEN - 2 * FUNDED, 0)
    desk.check()


@pytest.mark.parametrize("mode", Mode)
def test_a_traders_withdrawal_is_held_then_given_back(desk: Desk, mode: Mode) -> None:
    proposed = desk.propose_of_trader(mode)
    before = desk.world.trader(desk.traders[mode])
    assert desk.of_trader(mode) == (FUNDED - TAKEN, TAKEN)
    assert before.open_orders == 0
    desk.check()
    assert desk.reject(proposed).reason == "no"
    assert desk.of_trader(mode) == (FUNDED, 0)
    desk.check()
    desk.approve(desk.propose_of_trader(mode))
    assert desk.of_trader(mode) == (FUNDED - TAKEN, 0)
    desk.check()


def test_a_proposer_does_not_approve_whatever_it_calls_itself(desk: Desk) -> None:
    role = "arn:aws:sts::123456789012:assumed-role/Finance/"
    session, other_session = (replace(desk.alice, who=role + name) for name in ("a", "b"))
    office = desk.office
    of_role = propose_for_merchant(
        office.withdrawals, session, desk.merchant_id, 1, mode=Mode.LIVE, memo="m"
    )
    own, before = desk.propose(), desk.everything()
    for withdrawal, who in ((own, desk.alice), (of_role, session), (of_role, other_session)):
        with pytest.raises(NotTheProposer):
            desk.approve(withdrawal, who)
    assert desk.stored(own).is_open
    assert desk.stored(of_role).is_open
    desk.check()
    for name in ("os-user:bob", "arn:aws:sts::123456789012:federated-user/bob"):
        unknown = replace(desk.bob, who=name)
        with pytest.raises(OperatorUnknown):
            desk.approve(own, unknown)
        with pytest.raises(OperatorUnknown):
            propose_for_merchant(
                office.withdrawals, unknown, desk.merchant_id, 1, mode=Mode.LIVE, memo="m"
            )
    assert desk.everything() == before
    desk.reject(own, desk.alice)
    desk.approve(of_role)


def test_a_decision_stands(desk: Desk) -> None:
    paid, back = desk.approve(desk.propose()), desk.reject(desk.propose())
    before = desk.everything()
    assert (desk.approve(paid), desk.reject(back)) == (paid, back), (
        "a repeated decision is the same one"
    )
    carol = desk.named("carol")
    again: list[Callable[[], Withdrawal]] = [
        lambda: desk.approve(paid, carol),
        lambda: desk.reject(paid),
        lambda: desk.reject(back, carol),
        lambda: desk.approve(back),
    ]
    for other in again:
        with pytest.raises(WithdrawalDecided, match=r"was (approved|rejected) before"):
            other()
    assert desk.everything() == before


def test_what_is_not_there_is_not_taken(desk: Desk) -> None:
    desk.propose(micro=FUNDED - 1)
    before = desk.everything()
    refused: list[tuple[type[Exception], Callable[[], Withdrawal]]] = [
        (BalanceTooLow, lambda: desk.propose(micro=2)),
        (BalanceTooLow, lambda: desk.propose_of_trader(micro=FUNDED + 1)),
        (UnacceptableTerms, lambda: desk.propose(micro=0)),
        (UnacceptableTerms, lambda: desk.propose(micro=-1)),
    ]
    for error, attempt in refused:
        with pytest.raises(error):
            attempt()
    office = desk.office
    with pytest.raises(UnknownId):
        propose_for_merchant(office.withdrawals, desk.alice, "mx", 1, mode=Mode.LIVE, memo="m")
    with pytest.raises(UnknownId):
        propose_for_trader(office.withdrawals, office.traders, desk.alice, "tx", 1, memo="m")
    trader_id = desk.traders[Mode.LIVE]
    with pytest.raises(WrongMode):
        propose_for_trader(
            office.withdrawals, office.traders, desk.alice, trader_id, 1, memo="m", as_test=True
        )
    with pytest.raises(UnknownId):
        approve(office.withdrawals, desk.bob, "W1")
    with pytest.raises(UnknownId):
        reject(office.withdrawals, desk.bob, "W1", "no")
    with pytest.raises(UnacceptableTerms):
        reject(office.withdrawals, desk.bob, "W1", " ")
    assert desk.everything() == before


def test_every_step_is_audited_with_its_money(desk: Desk) -> None:
    paid, back = desk.propose(), desk.propose_of_trader()
    desk.approve(paid)
    desk.reject(back)
    rows = desk.trail()
    trader_id = desk.traders[Mode.LIVE]
    assert [(r["action"], r["target"], r["reason"], r["who"]) for r in rows] == [
        ("withdraw.merchant", desk.merchant_id, "out", desk.alice.who),
        ("withdraw.trader", trader_id, "out", desk.alice.who),
        ("withdraw.approve", desk.merchant_id, "", desk.bob.who),
        ("withdraw.reject", trader_id, "no", desk.bob.who),
    ]
    assert rows[2]["details"] == {
        "withdrawal_no": paid.withdrawal_no,
        "amount_usdt": "30.000000",
        "account": f"merchant:{desk.merchant_id}:live",
    }


def test_the_list_is_newest_first_and_may_leave_out_what_is_over(desk: Desk) -> None:
    first, second, third = desk.propose(micro=1), desk.propose_of_trader(), desk.propose(micro=3)
    desk.approve(second)
    store = desk.office.withdrawals
    numbers = sorted((w.withdrawal_no for w in (first, second, third)), reverse=True)
    assert [w.withdrawal_no for w in store.withdrawals(open_only=False)] == numbers
    assert {w.withdrawal_no for w in store.withdrawals(open_only=True)} == {
        first.withdrawal_no,
        third.withdrawal_no,
    }


STEPS: dict[str, Callable[[Desk, Withdrawal], object]] = {
    "propose": lambda desk, _: desk.propose(),
    "approve": lambda desk, open_one: desk.approve(open_one),
    "reject": lambda desk, open_one: desk.reject(open_one),
}
# The actions of each step's transaction.
WRITES = {"propose": 4, "approve": 6, "reject": 3}


def module_of(desk: Desk) -> Any:
    return SimpleNamespace(dynamodb=desk.office.withdrawals._client)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("when", ["before-call", "after-call"])
@pytest.mark.parametrize("number", [0, 1])
def test_a_death_leaves_all_of_a_step_or_nothing(
    desk: Desk, step: str, when: str, number: int
) -> None:
    open_one = desk.propose(micro=1)
    try:
        with killed_at(module_of(desk), number, when):
            STEPS[step](desk, open_one)
    except Killed:
        desk.check()
    else:
        assert (step, number) == ("propose", 1), "a proposal sends one request"
    STEPS[step](desk, open_one)
    desk.check()
    decisions = [row for row in desk.trail() if row["action"] == f"withdraw.{step}"]
    assert len(decisions) == (0 if step == "propose" else 1)


@pytest.mark.parametrize("step", ["approve", "reject"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_decision_whose_answer_is_lost_is_asked_for_again(
    desk: Desk, step: str, times: int
) -> None:
    """moto ignores ClientRequestToken, so the repeat finds the decision made; see tests/e2e."""
    open_one = desk.propose(micro=1)
    with answer_lost(module_of(desk), "TransactWriteItems", times) as calls:
        STEPS[step](desk, open_one)
    assert len(calls) > times
    desk.check()
    assert len(desk.trail()) == 2


@pytest.mark.parametrize("step", STEPS)
def test_a_conflict_is_tried_again_and_not_for_ever(desk: Desk, step: str) -> None:
    first, second = desk.propose(micro=1), desk.propose(micro=1)
    conflict = cancelled("TransactionConflict", *["None"] * (WRITES[step] - 1))
    with answered_with(module_of(desk), "TransactWriteItems", conflict, 3):
        STEPS[step](desk, first)
    desk.check()
    before = desk.everything()
    with (
        answered_with(module_of(desk), "TransactWriteItems", conflict, 1_000),
        pytest.raises(TryAgain),
    ):
        STEPS[step](desk, second)
    assert desk.everything() == before
