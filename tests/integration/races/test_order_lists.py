"""Decisions of one list that meet, die and lose answers: each order moves once, or is refused."""

from collections.abc import Callable
from functools import partial

import pytest

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.proposals import ProposalStatus
from tests.support.depth import examples
from tests.support.listed import approve_list, propose_list, unspoken
from tests.support.money_world import MoneyWorld, Step
from tests.support.schedule import Outcomes, Stage


@pytest.mark.deep
def test_two_approvals_a_rejection_and_a_move_of_one_order(money: MoneyWorld, stage: Stage) -> None:
    numbers = unspoken(money, 2)
    number = propose_list(money, numbers, "ann")
    calls: dict[str, Callable[[], object]] = {
        "bob": partial(approve_list, money, number, numbers, "bob"),
        "cid": partial(approve_list, money, number, numbers, "cid"),
        "reject": partial(money.decided, number, "reject", "dan"),
        "alone": partial(money.do, Step(numbers[0], Actor.OPERATOR, Move.RESOLVE_CANCELLED)),
    }

    def check(_: Outcomes) -> None:
        money.check()
        proposal = money.proposal(number)
        if proposal.status is ProposalStatus.BEGUN:
            proposal = approve_list(money, number, numbers, "eve")
        ends = [money.order(each).status for each in numbers]
        if proposal.status is ProposalStatus.EXECUTED:
            assert ends[1] is OrderStatus.COMPLETED
            assert [each.status for each in proposal.results] == [each.value for each in ends]
            is_refused = ends[0] is OrderStatus.CANCELLED
            assert bool(proposal.results[0].refused) is is_refused
        else:
            assert ends[1] is OrderStatus.DISPUTED
        money.check()

    stage.drawn(lambda: calls, check, examples(budget=20, full=300))


@pytest.mark.deep
def test_an_approval_survives_each_fault(money: MoneyWorld, stage: Stage) -> None:
    numbers = unspoken(money, 2)
    number = propose_list(money, numbers, "ann")
    cases = {"bob": partial(approve_list, money, number, numbers, "bob")}

    def check(_: Outcomes) -> None:
        money.check()
        status = money.proposal(number).status
        if status is not ProposalStatus.EXECUTED:
            done = approve_list(money, number, numbers, "cid")
            assert not [each for each in done.results if each.refused]
        assert {money.order(each).status for each in numbers} == {OrderStatus.COMPLETED}
        money.check()

    assert stage.every_fault(lambda: cases, check) >= 4
