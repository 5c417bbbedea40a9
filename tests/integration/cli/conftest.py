"""The operators' command on a world, and funded books."""

import pytest

from tests.support.market import FundedBooks, funded_books
from tests.support.offices import Terminal
from tests.support.world import World


@pytest.fixture
def terminal(world: World) -> Terminal:
    return Terminal(world)


@pytest.fixture
def books(world: World, monkeypatch: pytest.MonkeyPatch) -> FundedBooks:
    monkeypatch.setattr("orderdesk.wiring.operators.pause_ms", lambda _: None)
    return funded_books(world)
