"""An approved payout waits for a seal of the books (contract section 13)."""

from collections import Counter
from dataclasses import replace

import pytest

from orderdesk.domain.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.seals import Finding, FindingKind, OpenFinding, Seal, SealName
from orderdesk.domain.operators import ProposalDecided
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Proposal, ProposalStatus
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.payouts import Paid, PayoutPorts, pay_approved
from tests.support.faults import Killed, killed_at
from tests.support.money_world import MoneyWorld
from tests.support.payouts import ProvedBooks, payout_ports

MICRO = 7_000_000


class OneSeal(ProvedBooks):
    """A newest seal with an end and findings that the test sets."""

    def __init__(self) -> None:
        self.seal = Seal(0, 0, None)

    def newest(self) -> SealName | None:
        return SealName(self.seal.end, "one") if self.seal.end else None

    def load(self, name: SealName) -> Seal:
        assert name.end == self.seal.end
        return self.seal


class Desk:
    def __init__(self, money: MoneyWorld) -> None:
        self.money, self.seals = money, OneSeal()
        self.account = money.withdrawn_account(AccountKind.MERCHANT, Mode.LIVE)
        ports = payout_ports(money.seed, lambda: money.now * US_PER_SECOND)
        self.ports: PayoutPorts = replace(ports, seals=self.seals)

    def approved(self, account: Account | None = None) -> str:
        """Propose and approve a payout; it is held."""
        proposal = self.money.propose(account or self.account, MICRO, "ann")
        done = self.money.decided(proposal.proposal_no, "approve", "bob")
        assert (done.status, done.decided_by) == (ProposalStatus.APPROVED, "bob")
        return proposal.proposal_no

    def seal(self, *findings: Finding) -> None:
        """Seal the books a minute later."""
        self.money.now += 60
        found = [OpenFinding(f"F{n}", self.money.now, f) for n, f in enumerate(findings)]
        self.seals.seal = Seal(0, self.money.now, None, findings=found)

    def run(self) -> Counter[Paid]:
        return pay_approved(self.ports, lambda: True)

    def stored(self, number: str) -> Proposal:
        return self.money.proposal(number)

    def balance(self) -> Balance:
        return self.money.balance(self.account)


@pytest.fixture
def desk(money: MoneyWorld) -> Desk:
    return Desk(money)


def finding(account: Account) -> Finding:
    return Finding(FindingKind.BALANCE, account.key, 1, 2, account=account.key)


def test_a_payout_is_held_until_a_seal_is_newer_than_its_approval(desk: Desk) -> None:
    before = desk.balance()
    number = desk.approved()
    assert desk.run() == {Paid.WAITS: 1}
    desk.seals.seal = Seal(0, desk.money.now, None)
    assert desk.run() == {Paid.WAITS: 1}, "the seal ends with the second of the approval"
    assert desk.balance() == Balance(before.available_micro - MICRO, before.held_micro + MICRO)
    desk.money.check()
    desk.seal()
    assert desk.run() == {Paid.PAID: 1}
    paid = desk.stored(number)
    assert (paid.status, paid.executed_at_us) == (
        ProposalStatus.EXECUTED,
        desk.money.now * US_PER_SECOND,
    )
    assert desk.balance() == Balance(before.available_micro - MICRO, before.held_micro)
    assert desk.run() == {}
    desk.money.check()


def test_a_finding_on_its_account_blocks_it_and_nobody_elses(desk: Desk) -> None:
    trader = desk.money.withdrawn_account(AccountKind.TRADER, Mode.LIVE)
    number, other = desk.approved(), desk.approved(trader)
    desk.seal(finding(desk.account))
    assert desk.run() == {Paid.BLOCKED: 1, Paid.PAID: 1}
    assert desk.stored(number).status is ProposalStatus.BLOCKED
    assert desk.stored(other).status is ProposalStatus.EXECUTED
    assert desk.run() == {Paid.BLOCKED: 1}
    desk.money.check()
    desk.seal()
    assert desk.run() == {Paid.PAID: 1}
    assert desk.stored(number).status is ProposalStatus.EXECUTED


@pytest.mark.parametrize("name", ["command", "amount_micro", "status", "decided_at_us"])
def test_a_malformed_payout_is_reported_and_stops_no_other(desk: Desk, name: str) -> None:
    trader = desk.money.withdrawn_account(AccountKind.TRADER, Mode.LIVE)
    number, other = desk.approved(), desk.approved(trader)
    seed, reported = desk.money.seed, list[Exception]()
    seed.client.update_item(
        TableName=seed.tables.ledger,
        Key={"pk": {"S": "proposals"}, "sk": {"S": number}},
        UpdateExpression="REMOVE #name",
        ExpressionAttributeNames={"#name": name},
    )
    desk.seal()
    desk.ports = replace(desk.ports, report=reported.append)
    assert desk.run() == {Paid.FAILED: 1, Paid.PAID: 1}
    assert len(reported) == 1
    assert desk.stored(other).status is ProposalStatus.EXECUTED


def test_only_a_blocked_payout_can_still_be_rejected(desk: Desk) -> None:
    before = desk.balance()
    number = desk.approved()
    with pytest.raises(ProposalDecided, match="was approved before"):
        desk.money.decided(number, "reject", "cid")
    desk.seal(finding(desk.account))
    desk.run()
    rejected = desk.money.decided(number, "reject", "cid")
    assert (rejected.status, rejected.decided_by) == (ProposalStatus.REJECTED, "cid")
    assert desk.balance() == before
    desk.seal()
    assert desk.run() == {}
    desk.money.check()


def test_a_run_that_dies_pays_each_payout_once(desk: Desk) -> None:
    for number in range(40):
        before = desk.balance()
        proposal_no = desk.approved()
        desk.seal()
        when = ("before-call", "after-call")[number % 2]
        died = True
        try:
            with killed_at(desk.money.seed, number // 2, when):
                desk.run()
                died = False
        except Killed:
            desk.run()
        assert desk.stored(proposal_no).status is ProposalStatus.EXECUTED
        assert desk.balance().available_micro == before.available_micro - MICRO
        desk.money.check()
        if not died:
            assert number > 4, "a payout is found, read and written"
            return
    raise AssertionError("a run never ends")
