"""The contract's rows, each tested twice: in this process on moto, and over HTTP on the stack."""

from collections.abc import Iterator

import pytest
from moto import mock_aws

from tests.support.merchant_client import MerchantClient
from tests.support.seed import ALL_METHODS, Seed
from tests.support.world import ENVIRONMENT, World

PLENTY_MICRO = 10**15


@pytest.fixture(scope="module", params=["handlers", "stack"])
def seed(request: pytest.FixtureRequest) -> Iterator[Seed]:
    """Give a place to test in."""
    if request.param == "stack":
        yield request.getfixturevalue("stack_seed")
        return
    with pytest.MonkeyPatch.context() as patch, mock_aws():
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        patch.setenv("CACHE_SECONDS", "0")
        patch.setenv("ALLOW_LOCAL_TARGETS", "true")
        patch.delenv("AWS_ENDPOINT_URL", raising=False)
        yield World()


@pytest.fixture
def client(seed: Seed) -> MerchantClient:
    """Give a fresh merchant with funds, among traders of every method."""
    seed.only_trader(methods=ALL_METHODS)
    merchant, client = seed.add_merchant()
    seed.fund(merchant, PLENTY_MICRO)
    return client
