"""The operators' command on a market."""

import pytest

from tests.support.market import Market
from tests.support.offices import Terminal


@pytest.fixture
def terminal(market: Market) -> Terminal:
    return Terminal(market.office)
