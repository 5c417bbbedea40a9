"""Fixtures for the deployed stack: a merchant's callback receiver, an operator, a trader."""

from collections.abc import Iterator

import pytest

from local.operators_api import root_api
from local.stack import Stack
from tests.support.merchant_receiver import Receiver, open_receiver
from tests.support.money_world import MoneyWorld
from tests.support.offices import Terminal
from tests.support.operator_calls import People, people_of
from tests.support.stack_seed import StackSeed
from tests.support.trader import TraderVisit


@pytest.fixture
def shop() -> Iterator[Receiver]:
    """Yield a merchant's receiver of callbacks."""
    with open_receiver() as shop:
        yield shop


@pytest.fixture
def terminal(stack: Stack) -> Terminal:
    """Return an operator's terminal; its commands run in this process."""
    api = root_api(stack.endpoint_url, stack.outputs)
    return Terminal(api=api, endpoint_url=stack.endpoint_url)


@pytest.fixture
def desk(stack_seed: StackSeed) -> TraderVisit:
    """Return a logged-in live trader, the only one in the rotation."""
    stack_seed.clear_rotation()
    return TraderVisit.of_new_trader(stack_seed)


@pytest.fixture
def money(stack_seed: StackSeed) -> Iterator[MoneyWorld]:
    """Yield a world of new owners on the deployed tables, alone in the rotation."""
    world = MoneyWorld(stack_seed)
    yield world
    world.check()
    stack_seed.set_rates(buy_e4=72360, sell_e4=71640)  # its own are of a later time


@pytest.fixture
def people(stack: Stack, operators: list[dict[str, str]]) -> Iterator[People]:
    """Yield the operators, who call the API with their own keys."""
    with people_of(stack, operators) as people:
        yield people
