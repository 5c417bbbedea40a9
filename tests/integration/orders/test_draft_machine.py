"""Drafts under any interleaving of creates, submits, kills, clock and sweep."""

from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.integration.orders.draft_machine import DraftMachine
from tests.support.depth import examples
from tests.support.draft_world import DraftWorld
from tests.support.world import open_world


class Machine(DraftMachine):
    def __init__(self) -> None:
        self.opened = ExitStack()
        world = self.opened.enter_context(open_world())
        super().__init__(lambda: DraftWorld(world))

    def teardown(self) -> None:
        self.opened.close()


@pytest.mark.deep
def test_drafts_under_any_interleaving() -> None:
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples(full=25),
            stateful_step_count=25,
            suppress_health_check=list(HealthCheck),
        ),
    )
