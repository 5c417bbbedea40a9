"""The contract's rows, each tested in this process and over HTTP on the stack."""

from collections.abc import Iterator, Mapping

import pytest

from tests.support import openapi
from tests.support.merchant_client import MerchantClient, Reply
from tests.support.seed import ALL_METHODS, Seed
from tests.support.world import open_world

PLENTY_MICRO = 10**15


@pytest.fixture(scope="module", params=["handlers", "stack"])
def seed(request: pytest.FixtureRequest) -> Iterator[Seed]:
    if request.param == "stack":
        yield request.getfixturevalue("stack_seed")
        return
    with open_world(CACHE_SECONDS="0", ALLOW_LOCAL_TARGETS="true") as world:
        yield world


@pytest.fixture(autouse=True)
def documented(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check every answer, and every accepted body, against docs/openapi.yaml."""
    post = MerchantClient.post_text

    def checked(
        self: MerchantClient, path: str, body: str | bytes, headers: Mapping[str, str] | None = None
    ) -> Reply:
        reply = post(self, path, body, headers)
        assert openapi.call_problems(path, body, reply) == []
        return reply

    monkeypatch.setattr(MerchantClient, "post_text", checked)


@pytest.fixture
def client(seed: Seed) -> MerchantClient:
    """Return the client of a new, funded merchant; the only trader has all payment methods."""
    seed.only_trader(methods=ALL_METHODS)
    merchant, client = seed.add_merchant()
    seed.fund(merchant, PLENTY_MICRO)
    return client


@pytest.fixture
def agreed(seed: Seed) -> MerchantClient:
    """Return the client of a merchant whose agreement requires the customer's identity."""
    seed.only_trader()
    merchant, client = seed.add_merchant(identity_required=True)
    seed.fund(merchant, PLENTY_MICRO)
    return client
