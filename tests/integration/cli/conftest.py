"""The operators' command on the market of a test."""

import pytest

from tests.support.market import Market
from tests.support.offices import Terminal


@pytest.fixture
def terminal(market: Market) -> Terminal:
    """Give a terminal in the office of the market."""
    return Terminal(market.office)
