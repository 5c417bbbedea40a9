"""The state machines of money and of drafts, in this process, with AWS behind the proxy."""

from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, run_state_machine_as_test

from orderdesk.adapters import sending
from tests.faults.proxy import FaultProxy
from tests.faults.worlds import FaultedDrafts, FaultedMoney, FreshTables, Persistence
from tests.integration.ledger.money_machine import MoneyMachine
from tests.integration.orders.draft_machine import DraftMachine
from tests.support.depth import examples

seeds = st.integers(0, 2**32 - 1)


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry at once, because a fault ends with its request."""
    monkeypatch.setattr(sending, "_PAUSE_SECONDS", 0)


def run(machine: type[RuleBasedStateMachine], count: int) -> None:
    """Run a machine on so many examples; print a failing one with its seed, without shrinking.

    Where a fault hits also depends on time. Hypothesis stops when a repeated example takes another
    path, so each example has its own engine, which tries the simplest example and this one.
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
    ("machine", "world", "runs", "faults"),
    [
        (MoneyMachine, FaultedMoney, 48, (100, 7000)),
        (DraftMachine, FaultedDrafts, 20, (60, 2000)),
    ],
)
def test_a_machine_among_faults(
    proxy: FaultProxy, machine: Any, world: Any, runs: int, faults: tuple[int, int]
) -> None:
    persist = Persistence(proxy)

    class Machine(machine):  # type: ignore[misc]
        seen: ClassVar[set[Any]] = set()  # the other money machines count their own rows
        # Its second sell runs inside the first one's request, and would end that request's faults.
        sells_that_meet = None

        def __init__(self) -> None:
            self.tables = FreshTables(proxy)
            super().__init__(lambda: world(self.tables, persist))

        @initialize(seed=seeds)
        def draw_faults(self, seed: int) -> None:
            proxy.reseed(seed)

        def teardown(self) -> None:
            self.tables.close()

    run(Machine, examples(budget=1, full=runs))
    print(f"{persist.retries} retries")
    assert proxy.faulted >= examples(budget=faults[0], full=faults[1])
