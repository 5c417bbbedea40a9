"""The payer of a new order."""

import pytest

from tests.support.payer import Payer
from tests.support.world import World


@pytest.fixture
def payer(world: World) -> Payer:
    return Payer.of_new_order(world)
