"""A stage whose use cases meet, and the worlds on which they do."""

import pytest

from tests.support.money_world import MoneyWorld
from tests.support.schedule import Stage
from tests.support.world import World


@pytest.fixture
def stage(world: World) -> Stage:
    return Stage(world.client)


@pytest.fixture
def money(world: World, stage: Stage) -> MoneyWorld:
    return MoneyWorld(world, stage.chance)
