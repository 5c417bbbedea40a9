"""The operators' command on a world, and funded books."""

import pytest

from tests.support.market import FundedBooks, funded_books
from tests.support.offices import Terminal, office_on
from tests.support.world import World


@pytest.fixture
def terminal(world: World) -> Terminal:
    return Terminal(office_on(world, AssignmentSeconds="1200"), world)


@pytest.fixture
def books(world: World, monkeypatch: pytest.MonkeyPatch) -> FundedBooks:
    monkeypatch.setattr("orderdesk_cli.wiring.pause_ms", lambda _: None)
    return funded_books(world)
