"""The operators' API on a world."""

import pytest

from tests.support.operator_api import OperatorApi
from tests.support.world import World


@pytest.fixture
def api(world: World) -> OperatorApi:
    return OperatorApi(world)
