"""The money machine's withdrawals: proposed, approved, rejected, interleaved and killed."""

from collections.abc import Callable
from contextlib import suppress

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from orderdesk.domain.ledger.accounts import AccountKind, Balance
from orderdesk.domain.ledger.withdrawals import Withdrawal, WithdrawalStatus
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import BalanceTooLow, NotTheProposer, WithdrawalDecided
from tests.support.faults import Killed, killed_at
from tests.support.money_world import OPERATORS, MoneyWorld

DECIDED = (NotTheProposer, WithdrawalDecided)
# Read the withdrawal, commit; a trader's proposal reads the trader.
REQUESTS = 2
STATUSES = {"approve": WithdrawalStatus.APPROVED, "reject": WithdrawalStatus.REJECTED}

decisions = st.tuples(st.sampled_from(sorted(STATUSES)), st.sampled_from(OPERATORS))


class WithdrawalRules(RuleBasedStateMachine):
    """Rules for the proposer of a withdrawal and for other operators."""

    def __init__(self, begin: Callable[[], MoneyWorld]) -> None:
        super().__init__()
        self.money = begin()
        self.withdrawal_nos: list[str] = []

    @rule(
        kind=st.sampled_from([AccountKind.MERCHANT, AccountKind.TRADER]),
        mode=st.sampled_from(Mode),
        share=st.sampled_from([1, 2, 3, 0]),
        who=st.sampled_from(OPERATORS),
    )
    def propose(self, kind: AccountKind, mode: Mode, share: int, who: str) -> None:
        """Propose a share of what is available, all of it, or (`share` 0) slightly more."""
        account = self.money.withdrawn_account(kind, mode)
        before = self.money.balance(account)
        micro = before.available_micro // share if share else before.available_micro + 1
        if micro == 0:
            return
        try:
            proposed = self.money.propose(account, micro, who)
        except BalanceTooLow:
            assert share == 0
            assert self.money.balance(account) == before
            return
        assert share
        self.withdrawal_nos.append(proposed.withdrawal_no)
        left = before.available_micro - micro
        assert self.money.balance(account) == Balance(left, before.held_micro + micro)

    @precondition(lambda self: self.withdrawal_nos)
    @rule(data=st.data(), decision=decisions, times=st.integers(1, 2))
    def decide(self, data: st.DataObject, decision: tuple[str, str], times: int) -> None:
        """Decide a withdrawal once or twice; it is allowed or refused."""
        number = data.draw(st.sampled_from(self.withdrawal_nos))
        for _ in range(times):
            before = self.money.withdrawal(number)
            try:
                after = self.money.decide(number, *decision)
            except DECIDED:
                assert not _may(before, *decision)
                assert self.money.withdrawal(number) == before
            else:
                assert _may(before, *decision)
                assert after == self.money.withdrawal(number)

    @precondition(lambda self: self.withdrawal_nos)
    @rule(data=st.data(), first=decisions, second=decisions)
    def decisions_that_meet(
        self, data: st.DataObject, first: tuple[str, str], second: tuple[str, str]
    ) -> None:
        """Interrupt a decision between its read and its write: at most one decision is made."""
        number = data.draw(st.sampled_from(self.withdrawal_nos))
        before = self.money.withdrawal(number)

        def meanwhile() -> None:
            with suppress(*DECIDED):
                self.money.decide(number, *second)

        self.money.before_decide.then = meanwhile
        with suppress(*DECIDED):
            self.money.decide(number, *first)
        self.money.before_decide.then = None
        self._assert_decided_by_one_of(before, first, second)

    @precondition(lambda self: self.withdrawal_nos)
    @rule(
        data=st.data(),
        decision=decisions,
        number=st.integers(0, REQUESTS),
        when=st.sampled_from(["before-call", "after-call"]),
    )
    def decide_and_die(
        self, data: st.DataObject, decision: tuple[str, str], number: int, when: str
    ) -> None:
        withdrawal_no = data.draw(st.sampled_from(self.withdrawal_nos))
        before = self.money.withdrawal(withdrawal_no)
        with suppress(Killed, *DECIDED), killed_at(self.money.seed, number, when):
            self.money.decide(withdrawal_no, *decision)
        self._assert_decided_by_one_of(before, decision)

    def _assert_decided_by_one_of(self, before: Withdrawal, *by: tuple[str, str]) -> None:
        after = self.money.withdrawal(before.withdrawal_no)
        if after == before:
            return
        allowed = {(STATUSES[what], who) for what, who in by if _may(before, what, who)}
        assert (after.status, after.decided_by) in allowed


def _may(withdrawal: Withdrawal, what: str, who: str) -> bool:
    """Return whether a decision is allowed, or was already made by the same operator."""
    if what == "approve" and withdrawal.proposed_by == who:
        return False
    return withdrawal.is_open or (withdrawal.status, withdrawal.decided_by) == (STATUSES[what], who)
