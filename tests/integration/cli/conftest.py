"""The operators' command on the floor of a test."""

import pytest

from tests.support.offices import Terminal
from tests.support.trading_floor import Floor


@pytest.fixture
def terminal(floor: Floor) -> Terminal:
    """Give a terminal in the office of the floor."""
    return Terminal(floor.office)
