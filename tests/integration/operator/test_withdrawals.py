"""Withdrawals: two operators, one transaction a step, nothing paid twice whatever fails."""

from collections.abc import Callable
from dataclasses import replace
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
from orderdesk.services.operator.withdrawals import propose_for_trader, reject
from tests.support.faults import Killed, answer_lost, answered_with, cancelled, killed_at
from tests.support.money_world import FUNDS_MICRO, OPERATORS, REASON, MoneyWorld

MERCHANT, TRADER = AccountKind.MERCHANT, AccountKind.TRADER
A, B, C = OPERATORS
FUNDED, TAKEN = FUNDS_MICRO, 30_000_000


class Desk:
    """A first merchant and a trader in each mode, both funded, and two operators."""

    def __init__(self, money: MoneyWorld) -> None:
        self.money, self.merchant_id = money, money.merchants[0].merchant_id

    def propose(
        self, mode: Mode = Mode.LIVE, micro: int = TAKEN, kind: AccountKind = MERCHANT, who: str = A
    ) -> Withdrawal:
        self.money.now += 1
        return self.money.propose(self.money.withdrawn_account(kind, mode), micro, who)

    def decide(self, withdrawal: Withdrawal, what: str, who: str = B) -> Withdrawal:
        self.money.now += 1
        return self.money.decide(withdrawal.withdrawal_no, what, who)

    def approve(self, withdrawal: Withdrawal, who: str = B) -> Withdrawal:
        return self.decide(withdrawal, "approve", who)

    def reject(self, withdrawal: Withdrawal, who: str = B) -> Withdrawal:
        return self.decide(withdrawal, "reject", who)

    def stored(self, withdrawal: Withdrawal) -> Withdrawal:
        return self.money.withdrawal(withdrawal.withdrawal_no)

    def balance(self, kind: AccountKind, mode: Mode) -> Balance:
        return self.money.balance(self.money.withdrawn_account(kind, mode))

    def trail(self) -> list[Any]:
        rows: list[Any] = self.money.seed.items("Audit")
        return sorted((r for r in rows if r["action"][:8] == "withdraw"), key=lambda r: r["sk"])

    def everything(self) -> Any:
        tables = ("Ledger", "Traders", "Merchants", "Audit")
        return [sorted(self.money.seed.items(table), key=repr) for table in tables]

    def check(self) -> None:
        self.money.check()


@pytest.fixture
def desk(money: MoneyWorld) -> Desk:
    return Desk(money)


@pytest.mark.parametrize("mode", Mode)
def test_a_merchants_withdrawal_is_held_then_paid_out(desk: Desk, mode: Mode) -> None:
    proposed = desk.propose(mode)
    assert proposed.withdrawal_no[0] == "W"
    assert desk.balance(MERCHANT, mode) == Balance(FUNDED - TAKEN, TAKEN)
    desk.check()
    outside = Account(AccountKind.FUNDING, "", mode)
    before = desk.money.balance(outside).available_micro
    paid = desk.approve(proposed)
    assert paid == desk.stored(proposed)
    assert (paid.status, paid.decided_by) == (WithdrawalStatus.APPROVED, B)
    assert desk.balance(MERCHANT, mode) == Balance(FUNDED - TAKEN, 0)
    other = next(m for m in Mode if m is not mode)
    assert desk.balance(MERCHANT, other) == Balance(FUNDED, 0)
    assert desk.money.balance(outside) == Balance(before + TAKEN, 0)
    desk.check()


@pytest.mark.parametrize("mode", Mode)
def test_a_traders_withdrawal_is_held_then_given_back(desk: Desk, mode: Mode) -> None:
    proposed = desk.propose(mode, kind=TRADER)
    assert desk.balance(TRADER, mode) == Balance(FUNDED - TAKEN, TAKEN)
    desk.check()  # no order is counted for it
    assert desk.reject(proposed).reason == REASON
    assert desk.balance(TRADER, mode) == Balance(FUNDED, 0)
    desk.check()
    desk.approve(desk.propose(mode, kind=TRADER))
    assert desk.balance(TRADER, mode) == Balance(FUNDED - TAKEN, 0)
    desk.check()


def test_a_proposer_does_not_approve_whatever_it_calls_itself(desk: Desk) -> None:
    role = "arn:aws:sts::123456789012:assumed-role/Finance/"
    of_role, own = desk.propose(micro=1, who=role + "a"), desk.propose()
    before = desk.everything()
    for withdrawal, who in ((own, A), (of_role, role + "a"), (of_role, role + "b")):
        with pytest.raises(NotTheProposer):
            desk.approve(withdrawal, who)
    for unknown in ("os-user:bob", "arn:aws:sts::123456789012:federated-user/bob"):
        with pytest.raises(OperatorUnknown):
            desk.approve(own, unknown)
        with pytest.raises(OperatorUnknown):
            desk.propose(micro=1, who=unknown)
    assert desk.everything() == before
    desk.reject(own, A)
    desk.approve(of_role)
    desk.check()


def test_a_decision_stands(desk: Desk) -> None:
    paid, back = desk.approve(desk.propose()), desk.reject(desk.propose())
    before = desk.everything()
    assert (desk.approve(paid), desk.reject(back)) == (paid, back), (
        "a repeated decision is the same one"
    )
    again: list[Callable[[], Withdrawal]] = [
        lambda: desk.approve(paid, C),
        lambda: desk.reject(paid),
        lambda: desk.reject(back, C),
        lambda: desk.approve(back),
    ]
    for other in again:
        with pytest.raises(WithdrawalDecided, match=r"was (approved|rejected) before"):
            other()
    assert desk.everything() == before


def test_what_is_not_there_is_not_taken(desk: Desk) -> None:
    desk.propose(micro=FUNDED - 1)
    before = desk.everything()
    money, withdrawal_no, trader_id = desk.money, "W1", desk.money.traders[0].trader_id
    store, register, operator = money.withdrawals, money.register, replace(money.operator, who=A)
    refused: list[tuple[type[Exception], Callable[[], Withdrawal]]] = [
        (BalanceTooLow, lambda: desk.propose(micro=2)),
        (BalanceTooLow, lambda: desk.propose(micro=FUNDED + 1, kind=TRADER)),
        (UnacceptableTerms, lambda: desk.propose(micro=0)),
        (UnacceptableTerms, lambda: desk.propose(micro=-1)),
        (UnknownId, lambda: money.propose(Account(MERCHANT, "mx", Mode.LIVE), 1, A)),
        (UnknownId, lambda: money.propose(Account(TRADER, "tx", Mode.LIVE), 1, A)),
        (UnknownId, lambda: money.decide(withdrawal_no, "approve", B)),
        (UnknownId, lambda: money.decide(withdrawal_no, "reject", B)),
        (UnacceptableTerms, lambda: reject(store, operator, withdrawal_no, " ")),
        (
            WrongMode,
            lambda: propose_for_trader(
                store, register, operator, trader_id, 1, memo="m", as_test=True
            ),
        ),
    ]
    for error, attempt in refused:
        with pytest.raises(error):
            attempt()
    assert desk.everything() == before


def test_every_step_is_audited_with_its_money(desk: Desk) -> None:
    paid, back = desk.propose(), desk.propose(kind=TRADER)
    desk.approve(paid)
    desk.reject(back)
    rows = desk.trail()
    trader_id = desk.money.traders[0].trader_id
    assert [(r["action"], r["target"], r["reason"], r["who"]) for r in rows] == [
        ("withdraw.merchant", desk.merchant_id, REASON, A),
        ("withdraw.trader", trader_id, REASON, A),
        ("withdraw.approve", desk.merchant_id, "", B),
        ("withdraw.reject", trader_id, REASON, B),
    ]
    assert rows[2]["details"] == {
        "withdrawal_no": paid.withdrawal_no,
        "amount_usdt": "30.000000",
        "account": f"merchant:{desk.merchant_id}:live",
    }


def test_the_list_is_newest_first_and_may_leave_out_what_is_over(desk: Desk) -> None:
    first, second, third = desk.propose(micro=1), desk.propose(kind=TRADER), desk.propose(micro=3)
    desk.approve(second)
    store = desk.money.withdrawals
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


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("when", ["before-call", "after-call"])
@pytest.mark.parametrize("number", [0, 1])
def test_a_death_leaves_all_of_a_step_or_nothing(
    desk: Desk, step: str, when: str, number: int
) -> None:
    open_one = desk.propose(micro=1)
    try:
        with killed_at(desk.money.seed, number, when):
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
    with answer_lost(desk.money.seed, "TransactWriteItems", times) as calls:
        STEPS[step](desk, open_one)
    assert len(calls) > times
    desk.check()
    assert len(desk.trail()) == 2


@pytest.mark.parametrize("step", STEPS)
def test_a_conflict_is_tried_again_and_not_for_ever(desk: Desk, step: str) -> None:
    first, second = desk.propose(micro=1), desk.propose(micro=1)
    conflict = cancelled("TransactionConflict", *["None"] * (WRITES[step] - 1))
    with answered_with(desk.money.seed, "TransactWriteItems", conflict, 3):
        STEPS[step](desk, first)
    desk.check()
    before = desk.everything()
    with (
        answered_with(desk.money.seed, "TransactWriteItems", conflict, 1_000),
        pytest.raises(TryAgain),
    ):
        STEPS[step](desk, second)
    assert desk.everything() == before
