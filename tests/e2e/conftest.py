"""Fixtures for the deployed stack: a merchant's callback receiver, an operator, a trader."""

from collections.abc import Iterator

import pytest

from local.operators_api import root_api
from local.stack import Stack
from tests.support.merchant_receiver import Receiver, open_receiver
from tests.support.offices import Terminal
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
    api = root_api(stack.outputs)
    return Terminal(api=api, endpoint_url=stack.endpoint_url)


@pytest.fixture
def desk(stack_seed: StackSeed) -> TraderVisit:
    """Return a logged-in live trader, the only one in the rotation."""
    stack_seed.clear_rotation()
    return TraderVisit.of_new_trader(stack_seed)
