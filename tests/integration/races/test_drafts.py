"""Submits of one draft that meet each other, the sweep, a new order, or a fault."""

from collections.abc import Callable
from functools import partial
from itertools import product

import pytest

from orderdesk.domain.identity import VerificationOutcome
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.services.orders.complete_draft import IdentityState, Submission
from tests.integration.orders.draft_machine import DraftMachine
from tests.support.depth import examples
from tests.support.draft_world import DraftWorld
from tests.support.schedule import DIED, Cases, Outcomes, Stage
from tests.support.world import World

OUTCOMES = [*VerificationOutcome]
SUBMITS = [*product(OUTCOMES, ["N-1", None])]


@pytest.fixture
def machine(world: World, stage: Stage) -> DraftMachine:
    """Return a machine, for its world and for its invariant; it draws nothing."""
    return DraftMachine(lambda: DraftWorld(world, stage.chance))


def assert_whole(machine: DraftMachine, outcomes: Outcomes) -> None:
    machine.what_is_held_is_held_for_something()
    assert not machine.drafts.reported
    made = {o.order_no for o in outcomes.values() if isinstance(o, Submission) and o.order_no}
    assert len(made) <= 1


@pytest.mark.deep
@pytest.mark.parametrize(("outcome", "number"), SUBMITS[:: examples(budget=2, full=1)])
def test_two_submits(
    machine: DraftMachine, stage: Stage, outcome: VerificationOutcome, number: str | None
) -> None:
    drafts = machine.drafts
    drafts.verifier.outcome = outcome
    pending_no = drafts.hold(number).draft.pending_no
    most = 2 if outcome is VerificationOutcome.UNAVAILABLE else 1  # the attempt can be used again

    def check(outcomes: Outcomes) -> None:
        assert_whole(machine, outcomes)
        assert 1 <= drafts.verifier.asked <= most

    def begin() -> Cases:
        drafts.verifier.asked = 0
        drafts.contention.__init__()  # type: ignore[misc]  # as in a new container
        return {name: partial(drafts.submit, pending_no) for name in ("a", "b")}

    assert stage.every_order(begin, check) > 1


@pytest.mark.deep
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_submit_against_the_sweep_and_a_new_order(
    machine: DraftMachine, stage: Stage, outcome: VerificationOutcome
) -> None:
    """The submit's clock is just before the draft's end; the sweep and the order are after it."""
    drafts = machine.drafts
    drafts.verifier.outcome = outcome
    draft = drafts.hold("N-1").draft
    drafts.now = draft.expire_time
    submit = partial(drafts.submit, draft.pending_no, now=drafts.now - 1)

    def check(outcomes: Outcomes) -> None:
        assert_whole(machine, outcomes)

    for name, call in (("sweep", drafts.sweep), ("create", partial(drafts.hold, "N-1"))):

        def begin(name: str = name, call: Callable[[], object] = call) -> Cases:
            drafts.contention.__init__()  # type: ignore[misc]  # as in a new container
            return {"submit": submit, name: call}

        stage.drawn(begin, check, examples(full=60), faulty=False)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_submit_survives_each_fault(
    machine: DraftMachine, stage: Stage, outcome: VerificationOutcome
) -> None:
    drafts = machine.drafts
    drafts.verifier.outcome = outcome
    pending_no = drafts.hold("N-1").draft.pending_no
    start = drafts.now

    def check(outcomes: Outcomes) -> None:
        assert_whole(machine, outcomes)
        state = getattr(outcomes["submit"], "state", None)
        if outcomes["submit"] is DIED or state is IdentityState.VERIFYING:
            drafts.now += 61  # the attempt of a process that died or lost it can be used again
            drafts.sweep()
        again = drafts.submit(pending_no)
        drafts.now = start
        assert_whole(machine, {"again": again})
        if outcome is VerificationOutcome.PASSED:
            assert again.state is IdentityState.COMPLETED
        if outcome is VerificationOutcome.FAILED:
            assert again.draft.status is DraftStatus.LOCKED

    assert stage.every_fault(lambda: {"submit": partial(drafts.submit, pending_no)}, check) >= 3
