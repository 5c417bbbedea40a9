"""Drafts under any interleaving of creates, submits, kills, clock and sweep, on moto."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from moto import mock_aws

from tests.integration.orders.draft_machine import DraftMachine
from tests.support.depth import examples
from tests.support.draft_world import DraftWorld
from tests.support.world import ENVIRONMENT, World


class MotoMachine(DraftMachine):
    """The machine on its own tables."""

    def __init__(self) -> None:
        self.patch = pytest.MonkeyPatch()
        for name, value in ENVIRONMENT.items():
            self.patch.setenv(name, value)
        self.patch.delenv("AWS_ENDPOINT_URL", raising=False)
        self.aws: Any = mock_aws()
        self.aws.start()
        super().__init__(lambda: DraftWorld(World()))

    def teardown(self) -> None:
        self.aws.stop()
        self.patch.undo()


@pytest.mark.deep
def test_drafts_under_any_interleaving() -> None:
    run_state_machine_as_test(
        MotoMachine,
        settings=settings(
            max_examples=examples(budget=6, full=25),
            stateful_step_count=25,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
