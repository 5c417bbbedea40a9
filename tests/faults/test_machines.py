"""The state machines of money and of drafts, with the proxy's faults in this process."""

from contextlib import ExitStack
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, run_state_machine_as_test

from orderdesk.adapters import sending
from tests.faults.in_process import ProcessFaults
from tests.faults.worlds import FaultedDrafts, FaultedMoney, Persistence
from tests.integration.ledger.money_machine import MoneyMachine
from tests.integration.orders.draft_machine import DraftMachine
from tests.support.depth import examples
from tests.support.world import open_world

seeds = st.integers(0, 2**32 - 1)


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry at once, because a fault ends with its request."""
    monkeypatch.setattr(sending, "_PAUSE_SECONDS", 0)


def run(machine: type[RuleBasedStateMachine], count: int) -> None:
    """Run a machine on so many seeds; print a failing one, without shrinking.

    The package's own draws go on from example to example. Hypothesis stops when a repeated example
    takes another path, so each seed has its own engine, which tries the simplest example and one
    more.
    """
    for number in range(count):
        run_state_machine_as_test(
            seed(number)(machine),
            settings=settings(
                max_examples=2,
                stateful_step_count=20,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            ),
        )


@pytest.mark.deep
@pytest.mark.parametrize(
    ("machine", "world", "runs", "faulted"),
    [(MoneyMachine, FaultedMoney, 45, (100, 5000)), (DraftMachine, FaultedDrafts, 20, (60, 2000))],
)
def test_a_machine_among_faults(
    machine: Any, world: Any, runs: int, faulted: tuple[int, int]
) -> None:
    faults = ProcessFaults()
    persist = Persistence(faults)

    class Machine(machine):  # type: ignore[misc]
        seen: ClassVar[set[Any]] = set()  # the other money machines count their own rows
        # Its second sell runs inside the first one's request, and would end that request's faults.
        sells_that_meet = None

        def __init__(self) -> None:
            self.opened = ExitStack()
            tables = self.opened.enter_context(open_world())
            for client in (tables.client, tables.kms._kms.client()):
                faults.reach(client)
            super().__init__(lambda: world(tables, persist))

        @initialize(seed=seeds)
        def draw_faults(self, seed: int) -> None:
            faults.reseed(seed)

        def teardown(self) -> None:
            self.opened.close()

    run(Machine, examples(full=runs))
    print(f"{persist.retries} retries; {faults.report()}")
    assert faults.faulted >= examples(budget=faulted[0], full=faulted[1])
