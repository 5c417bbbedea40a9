"""A trader who is logged in at the desk."""

import pytest

from tests.support.trader import TraderVisit
from tests.support.world import World


@pytest.fixture
def trader(world: World) -> TraderVisit:
    return TraderVisit.of_new_trader(world)
