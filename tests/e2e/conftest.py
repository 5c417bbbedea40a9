"""Who the tests on the deployed stack meet: a shop that takes callbacks, an operator, a trader."""

from collections.abc import Iterator

import pytest

from local.stack import Stack
from orderdesk_cli.wiring import open_local_office
from tests.support.merchant_receiver import Receiver, open_receiver
from tests.support.offices import Terminal
from tests.support.stack_seed import StackSeed
from tests.support.trader import TraderVisit


@pytest.fixture
def shop() -> Iterator[Receiver]:
    """Give a merchant's shop that takes callbacks."""
    with open_receiver() as shop:
        yield shop


@pytest.fixture
def terminal(stack: Stack) -> Terminal:
    """Give an operator's terminal; its commands run in this process."""
    return Terminal(open_local_office(stack.endpoint_url, "orderdesk"))


@pytest.fixture
def desk(stack_seed: StackSeed) -> TraderVisit:
    """Give a live trader alone in the rotation, logged in."""
    stack_seed.clear_rotation()
    return TraderVisit.of_new_trader(stack_seed)
