"""The customer of a new draft."""

import pytest

from tests.integration.pages.identity.customer import Customer, customer_of
from tests.support.world import World


@pytest.fixture
def customer(world: World) -> Customer:
    return customer_of(world)
