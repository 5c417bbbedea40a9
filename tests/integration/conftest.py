"""A new world for each test, in this process."""

from collections.abc import Iterator

import pytest

from tests.support.callback_functions import CallbackWorld
from tests.support.effects_guard import Guard, guarding
from tests.support.market import Market
from tests.support.money_world import MoneyWorld
from tests.support.offices import Office, office_on
from tests.support.operator_api import OperatorApi
from tests.support.world import World, open_world


@pytest.fixture(autouse=True)
def guard() -> Iterator[Guard]:
    """Refuse a test in which an operator or a member wrote what no permit allowed."""
    with guarding() as guard:
        yield guard
    assert guard.found == []


@pytest.fixture
def world() -> Iterator[World]:
    with open_world() as world:
        yield world


@pytest.fixture
def market(world: World) -> Market:
    return Market.on(world)


@pytest.fixture
def money(world: World) -> MoneyWorld:
    return MoneyWorld(world)


@pytest.fixture
def api(world: World) -> OperatorApi:
    return OperatorApi(world)


@pytest.fixture
def callbacks(world: World) -> CallbackWorld:
    return CallbackWorld.on(world)


@pytest.fixture
def office(world: World) -> Office:
    return office_on(world)


@pytest.fixture(scope="module")
def shared_world() -> Iterator[World]:
    """Return one world for all tests of a file; each test undoes its changes."""
    with open_world() as world:
        yield world
