"""The money machine's proposals: made, decided, expired, interleaved and killed."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from orderdesk.domain.accounts import AccountKind, Balance
from orderdesk.domain.merchants.withdrawals import (
    RequestStatus,
    WithdrawalProblem,
    WithdrawalRefused,
)
from orderdesk.domain.operators import (
    BalanceTooLow,
    ProposalDecided,
    RequestDecided,
    SecondPersonNeeded,
    UnknownId,
)
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import LIFE_SECONDS, Proposal, ProposalStatus
from tests.support.faults import Killed, killed_at
from tests.support.money_world import OPERATORS, MoneyWorld

DECIDED = (SecondPersonNeeded, ProposalDecided)
TOO_LOW = WithdrawalProblem.BALANCE_TOO_LOW
MEETINGS = ["", "", "take-up", "cancel"]
# Read the proposal, commit, read it again; a trader's is read, too.
REQUESTS = 4
STATUSES = {"approve": ProposalStatus.EXECUTED, "reject": ProposalStatus.REJECTED}

decisions = st.tuples(st.sampled_from(sorted(STATUSES)), st.sampled_from(OPERATORS))


class ProposalRules(RuleBasedStateMachine):
    """Rules for the proposer of a withdrawal and for other operators."""

    def __init__(self, begin: Callable[[], MoneyWorld]) -> None:
        super().__init__()
        self.money = begin()
        self.proposal_nos: list[str] = []
        self.request_nos: list[str] = []

    @rule(
        kind=st.sampled_from([kind for kind in AccountKind if kind is not AccountKind.FUNDING]),
        share=st.sampled_from([1, 2, 3, 0]),
        who=st.sampled_from(OPERATORS),
    )
    def propose(self, kind: AccountKind, share: int, who: str) -> None:
        """Propose a share of what is available, all of it, or (`share` 0) slightly more."""
        account = self.money.withdrawn_account(kind, Mode.LIVE)
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
        self.proposal_nos.append(proposed.proposal_no)
        left = before.available_micro - micro
        assert self.money.balance(account) == Balance(left, before.held_micro + micro)

    @rule(
        kind=st.sampled_from([AccountKind.MERCHANT, AccountKind.TRADER]),
        who=st.sampled_from(OPERATORS),
    )
    def propose_funding(self, kind: AccountKind, who: str) -> None:
        """Propose a funding, which holds and changes nothing."""
        account = self.money.withdrawn_account(kind, Mode.LIVE)
        before = self.money.balance(account)
        self.proposal_nos.append(self.money.propose_funding(account, 1_000_001, who).proposal_no)
        assert self.money.balance(account) == before

    @rule(share=st.sampled_from([1, 2, 3, 0]))
    def request(self, share: int) -> None:
        """Request a share of what is available, all, or (`share` 0) too much; then repeat it."""
        account = self.money.withdrawn_account(AccountKind.MERCHANT, Mode.LIVE)
        before = self.money.balance(account)
        micro = before.available_micro // share if share else before.available_micro + 1
        if micro == 0:
            return
        problem: WithdrawalProblem | None = None
        try:
            request = self.money.request_withdrawal(micro)
        except WithdrawalRefused as refused:
            problem = refused.problem
        if problem is not None:
            assert problem in {TOO_LOW, WithdrawalProblem.TOO_MANY_OPEN}
            assert share == 0 or problem is not TOO_LOW
            assert self.money.balance(account) == before
            return
        assert self.money.request_withdrawal(micro, request.request_no) == request
        self.request_nos.append(request.request_no)
        left = before.available_micro - micro
        assert self.money.balance(account) == Balance(left, before.held_micro + micro)

    @precondition(lambda self: self.request_nos)
    @rule(data=st.data(), who=st.sampled_from(OPERATORS), meets=st.sampled_from(MEETINGS))
    def take_up(self, data: st.DataObject, who: str, meets: str) -> None:
        """Propose to pay a request, interrupted by another proposal or by its cancellation."""
        number = data.draw(st.sampled_from(self.request_nos))
        before = self.money.request(number)

        def meanwhile() -> None:
            with suppress(RequestDecided, WithdrawalRefused):
                if meets == "cancel":
                    self.money.cancel_request(number)
                else:
                    self.proposal_nos.append(self.money.take_up(number, who).proposal_no)

        self.money.before_propose.then = meanwhile if meets else None
        try:
            proposed = self.money.take_up(number, who)
        except RequestDecided:
            assert meets or not before.is_held or before.is_taken_up
        else:
            assert not meets
            assert before.is_held
            self.proposal_nos.append(proposed.proposal_no)
            assert self.money.request(number).proposal_no == proposed.proposal_no
        self.money.before_propose.then = None

    @precondition(lambda self: self.request_nos)
    @rule(data=st.data())
    def cancel_a_request(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(self.request_nos))
        before = self.money.request(number)
        may = before.status is RequestStatus.CANCELLED or (
            before.is_held and not before.is_taken_up
        )
        try:
            after = self.money.cancel_request(number)
        except WithdrawalRefused:
            assert not may
        else:
            assert may
            assert after == self.money.request(number)

    @precondition(lambda self: self.request_nos + self.proposal_nos)
    @rule(data=st.data(), txid=st.sampled_from(["tx1", "tx2"]))
    def send(self, data: st.DataObject, txid: str) -> None:
        """Record a transaction: once, only of what was paid out."""
        number = data.draw(st.sampled_from(self.request_nos + self.proposal_nos))
        with suppress(RequestDecided, UnknownId):
            sent = self.money.send(number, txid)
            assert sent.txid == txid
            assert self.money.send(number, txid) == sent

    @rule()
    def wait_until_proposals_expire(self) -> None:
        self.money.now += LIFE_SECONDS
        self.money.sweep()

    @precondition(lambda self: self.proposal_nos)
    @rule(data=st.data(), decision=decisions, times=st.integers(1, 2))
    def decide(self, data: st.DataObject, decision: tuple[str, str], times: int) -> None:
        """Decide a withdrawal once or twice; it is allowed or refused."""
        number = data.draw(st.sampled_from(self.proposal_nos))
        for _ in range(times):
            before = self.money.proposal(number)
            try:
                after = self.money.decide(number, *decision)
            except DECIDED:
                assert not _may(before, *decision, self.money.now)
                assert self.money.proposal(number) == before
            else:
                assert _may(before, *decision, self.money.now)
                assert after == self.money.proposal(number)

    @precondition(lambda self: self.proposal_nos)
    @rule(
        data=st.data(),
        decision=decisions,
        number=st.integers(0, REQUESTS),
        when=st.sampled_from(["before-call", "after-call"]),
    )
    def decide_and_die(
        self, data: st.DataObject, decision: tuple[str, str], number: int, when: str
    ) -> None:
        proposal_no = data.draw(st.sampled_from(self.proposal_nos))
        before = self.money.proposal(proposal_no)
        with suppress(Killed, *DECIDED), killed_at(self.money.seed, number, when):
            self.money.decide(proposal_no, *decision)
        after = self.money.proposal(proposal_no)
        if after == before:
            return
        what, who = decision
        paid, approved = ProposalStatus.EXECUTED, ProposalStatus.APPROVED
        allowed = {(paid, before.decided_by)} if before.status is approved else set()
        if _may(before, what, who, self.money.now):
            # A live payout waits, and a process that dies leaves it approved.
            allowed |= {(STATUSES[what], who)} | ({(approved, who)} if what == "approve" else set())
        assert (after.status, after.decided_by) in allowed

    @invariant()
    def each_execution_is_posted_once(self) -> None:
        """Each executed proposal has its two postings, and no other has any."""
        rows: list[Any] = self.money.seed.items(self.money.seed.tables.ledger)
        ids = [row["transfer_id"] for row in rows if row["sk"].startswith("posting#")]
        posted = Counter(number for number in ids if number in self.proposal_nos)
        assert posted == {
            number: 2
            for number in self.proposal_nos
            if self.money.proposal(number).status is ProposalStatus.EXECUTED
        }


def _may(proposal: Proposal, what: str, who: str, now: int) -> bool:
    """Return whether a decision is allowed."""
    is_open = proposal.status_at(now) is ProposalStatus.OPEN
    return is_open and not (what == "approve" and proposal.proposed_by == who)
