"""What is deprecated is announced in the headers of answers (contract section 1)."""

import pytest

from orderdesk.web.merchant import endpoint
from tests.support.merchant_client import Reply, buy
from tests.support.seed import ALL_METHODS
from tests.support.world import World

LISTING = "/merchant/listOrders"
DEPRECATED = {"deprecation": "@1767225600", "sunset": "Fri, 01 Jan 2027 00:00:00 GMT"}


def announced(reply: Reply) -> dict[str, str]:
    headers = {name.lower(): value for name, value in reply.headers.items()}
    return {name: headers[name] for name in DEPRECATED if name in headers}


def test_a_deprecated_route_says_so_in_each_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = world.add_merchant()[1]
    assert announced(client.post(LISTING, {})) == {}
    monkeypatch.setattr(endpoint, "DEPRECATIONS", {LISTING: 1767225600})
    assert announced(client.post(LISTING, {})) == DEPRECATED
    refused = client.post(LISTING, {"limit": "many"})
    assert (refused.code, announced(refused)) == (1002, DEPRECATED)
    assert announced(client.post("/merchant/balance", {})) == {}


def test_a_deprecated_parameter_says_so_where_it_is_sent(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.only_trader(methods=ALL_METHODS)
    client = world.add_merchant()[1]
    create = "/merchant/createOrder"
    later = {f"{create} remark": 1767225600, f"{create} metadata": 1798761600}
    monkeypatch.setattr(endpoint, "DEPRECATIONS", later)
    assert announced(client.create(buy(merchant_order_no="D-1"))) == {}
    assert announced(client.create(buy(merchant_order_no="D-2", remark=""))) == {}
    both = buy(merchant_order_no="D-3", remark="a", metadata={"a": "b"})
    assert announced(client.create(both)) == DEPRECATED
