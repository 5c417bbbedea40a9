"""Decisions of one proposal that meet, die and lose answers: one is made, its money moves once."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import pytest

from orderdesk.domain.accounts import AccountKind
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import LIFE_SECONDS, Proposal, ProposalStatus, Sum
from orderdesk.services.expire_proposals import ProposalSweep
from orderdesk.services.operator.actions import Operator, RequestKey
from orderdesk.services.operator.funds import move
from orderdesk.services.operator.proposals import Repeated, once
from tests.support.depth import examples
from tests.support.money_world import FUNDS_MICRO, MoneyWorld
from tests.support.schedule import Fault, Outcomes, Stage
from tests.support.two_people import TWO_PEOPLE, of_two_people

MICRO = 5_000_000
STATUS_OF = {
    "approve": ProposalStatus.EXECUTED,
    "reject": ProposalStatus.REJECTED,
    "expire": ProposalStatus.EXPIRED,
}


REQUEST = "a merchant's request"
PROPOSED = (*TWO_PEOPLE, REQUEST)


def propose(money: MoneyWorld, what: str) -> str:
    """Propose a command, or the payout of a merchant's request; return the proposal's number."""
    if what == REQUEST:
        return money.take_up(money.request_withdrawal(MICRO).request_no, "ann").proposal_no
    proposal = money.run(of_two_people(money)[what], money.acting("ann"))
    assert isinstance(proposal, Proposal)
    return proposal.proposal_no


def decisions(money: MoneyWorld, number: str) -> dict[str, Callable[[], object]]:
    return {
        "approve": partial(money.decided, number, "approve", "bob"),
        "reject": partial(money.decided, number, "reject", "cid"),
        "expire": lambda: ProposalSweep(money.expiry_ports).run(
            money.now + LIFE_SECONDS, lambda: True
        ),
    }


def audited(money: MoneyWorld, number: str) -> list[str]:
    rows: list[Any] = money.seed.items(money.seed.tables.audit)
    return [row["action"] for row in rows if row.get("proposal_no") == number]


def assert_whole(money: MoneyWorld, number: str) -> ProposalStatus:
    """Check that a proposal is open, or ended with its entry; return its status."""
    money.check()
    assert not money.reported
    status, actions = money.proposal(number).status, audited(money, number)
    if status.waits:
        status = ProposalStatus.EXECUTED  # it is approved, and only waits for a seal
    assert actions.count("proposal.approve") == (status is ProposalStatus.EXECUTED)
    assert actions.count("proposal.reject") == (status is ProposalStatus.REJECTED)
    return status


@pytest.mark.deep
@pytest.mark.parametrize("command", PROPOSED)
def test_one_of_the_decisions_is_made(money: MoneyWorld, stage: Stage, command: str) -> None:
    number = propose(money, command)
    calls = dict([*decisions(money, number).items()][: examples(budget=2, full=3)])
    seen = set[ProposalStatus]()

    def check(outcomes: Outcomes) -> None:
        status = assert_whole(money, number)
        seen.add(status)
        made = [name for name in ("approve", "reject") if isinstance(outcomes[name], Proposal)]
        assert all(STATUS_OF[name] is status for name in made)
        assert len(made) == (status is not ProposalStatus.EXPIRED)

    stage.every_order(lambda: calls, check)
    assert seen == {STATUS_OF[name] for name in calls}


@pytest.mark.deep
@pytest.mark.parametrize("command", [*PROPOSED][:: examples(budget=4, full=1)])
def test_a_decision_survives_each_fault(money: MoneyWorld, stage: Stage, command: str) -> None:
    number = propose(money, command)
    for name, call in decisions(money, number).items():

        def check(outcomes: Outcomes, call: Callable[[], object] = call) -> None:
            status = assert_whole(money, number)
            if isinstance(outcomes.get("approve"), Proposal):
                assert status is ProposalStatus.EXECUTED
            if status is ProposalStatus.OPEN:
                assert "\n" not in stage.end_of(outcomes), "nothing was written"
                call()
                assert assert_whole(money, number) is not ProposalStatus.OPEN

        def succeeds(outcomes: Outcomes, name: str = name) -> None:
            assert not isinstance(outcomes[name], Exception)
            assert assert_whole(money, number) is STATUS_OF[name]

        cases = {name: call}
        assert stage.every_fault(partial(dict, cases), check) >= 2
        stage.every_fault(partial(dict, cases), succeeds, [Fault.LOST, Fault.CONFLICT, Fault.LATE])


@pytest.mark.deep
def test_a_request_is_taken_up_or_cancelled(money: MoneyWorld, stage: Stage) -> None:
    number = money.request_withdrawal(MICRO).request_no
    calls: dict[str, Callable[[], object]] = {
        "take-up": partial(money.take_up, number, "ann"),
        "take-up-too": partial(money.take_up, number, "bob"),
        "cancel": partial(money.cancel_request, number),
    }

    def check(outcomes: Outcomes) -> None:
        money.check()
        made = sum(isinstance(each, Proposal) for each in outcomes.values())
        assert made == money.request(number).is_taken_up

    for pair in combinations(calls, 2):
        cases = {name: calls[name] for name in pair}
        assert stage.every_order(partial(dict, cases), check) > 1


@pytest.mark.parametrize("name", ["propose", "fund", "withdraw"])
@pytest.mark.parametrize("kind", [AccountKind.MERCHANT, AccountKind.TRADER], ids=str.lower)
def test_requests_with_one_key_are_executed_once(
    money: MoneyWorld, stage: Stage, kind: AccountKind, name: str
) -> None:
    """Two requests for most of what is there, with one idempotency key: both succeed, as one."""
    account = money.withdrawn_account(kind, Mode.LIVE)
    micro = FUNDS_MICRO * 6 // 10
    calls: dict[str, Callable[[Operator], object]] = {
        "propose": lambda by: money.propose(account, micro, by),
        "fund": lambda by: move(
            money.command_ports.acting(by), "fund.merchant", Sum(account, micro), "m"
        ),
        "withdraw": lambda by: money.withdraw(account, micro, by),
    }
    by = money.operator if name != "propose" else money.acting("ann")
    by = replace(by, key=RequestKey("k", "digest"))
    call = partial(once, money.proposals, by, calls[name])

    def check(outcomes: Outcomes) -> None:
        money.check()
        [repeated] = [each for each in outcomes.values() if isinstance(each, Repeated)]
        [first] = [each for each in outcomes.values() if not isinstance(each, Exception | Repeated)]
        number = first.proposal_no if isinstance(first, Proposal) else first.transfer_id
        assert number in repeated.ids.values()

    assert stage.every_order(lambda: {"a": call, "b": call}, check) > 1
    succeeds = [Fault.LOST, Fault.CONFLICT]

    def check_one(outcomes: Outcomes) -> None:
        money.check()
        assert not isinstance(outcomes["a"], Exception)

    stage.every_fault(lambda: {"a": call}, check_one, succeeds)
