"""What a key's scope allows (contract section 2)."""

import time
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.domain.merchants.merchant import Scope, counter_of
from orderdesk.domain.merchants.request_rate import UNCOUNTED_MOST
from orderdesk.domain.pricing import Mode
from tests.support import openapi
from tests.support.merchant_client import buy, sell
from tests.support.seed import Seed

CREATE = ("/merchant/createOrder", "/test/createOrder")
LISTS = {
    *("/merchant/queryOrder", "/merchant/listOrders", "/merchant/listCallbacks"),
    *("/merchant/listEvents", "/merchant/listWithdrawals", "/merchant/quote"),
    "/merchant/agreement",
}
PATHS = [path for path, _ in openapi.operations()]
ALLOWED = {
    Scope.FULL: {*PATHS},
    Scope.BUY: LISTS | {*CREATE, "/merchant/cancelOrder"},
    Scope.READ: LISTS | {"/merchant/balance", "/merchant/statement"},
}


def parameters(path: str) -> dict[str, Any]:
    """Return parameters that create no order."""
    return {"order_type": 1, "limit": "x"} if path in CREATE else {"limit": "x"}


@pytest.mark.parametrize("scope", Scope)
def test_each_route_by_scope(seed: Seed, scope: Scope) -> None:
    merchant, _ = seed.add_merchant()
    _, client = seed.add_scoped_key(merchant, scope)
    for path in PATHS:
        reply = client.post(path, parameters(path))
        assert (reply.code == 1107) == (path not in ALLOWED[scope]), (path, reply)
        if reply.code == 1107:
            assert (reply.status, reply.data) == (403, {"reason": "not_allowed_by_key"})


def test_a_key_for_buys_creates_and_cancels_them_and_no_sell(seed: Seed) -> None:
    seed.only_trader()
    merchant, _ = seed.add_merchant()
    seed.fund(merchant, 10**12)
    _, client = seed.add_scoped_key(merchant, Scope.BUY)
    made = client.create(buy())
    assert (made.code, client.cancel(made).code) == (1, 1)
    for spelt in ("1", "01"):
        assert client.create(buy(order_type=spelt)).code == 1
    for order_type in (2, "2", "02", None):
        assert client.create({**sell(), "order_type": order_type}).code == 1107


def test_the_scope_is_checked_after_the_signature_and_before_the_nonce(seed: Seed) -> None:
    merchant, _ = seed.add_merchant()
    _, client = seed.add_scoped_key(merchant, Scope.READ)
    unsigned = replace(client, api_secret="sk_of_somebody")
    assert unsigned.create(buy()).code == 1102
    nonce = {"nonce": "used-for-two-calls"}
    assert client.create(buy(**nonce)).code == 1107
    assert client.post("/merchant/balance", nonce).code == 1
    assert client.create(buy(**nonce)).code == 1107
    assert client.post("/merchant/balance", nonce).code == 1104


def test_the_keys_of_a_mode_share_a_rate(seed: Seed) -> None:
    merchant, first = seed.add_merchant()
    merchant, second = seed.add_scoped_key(merchant, Scope.READ)
    _, tested = seed.add_scoped_key(merchant, Scope.READ, Mode.TEST)
    spent = (int(time.time()) + 3_600) * 10**9
    key = Key.calls(counter_of(merchant.merchant_id, Mode.LIVE))
    guard: Any = {"pk": key, "used_until_ns": spent, "expires_at": 4_000_000_000}
    seed.put(seed.tables.guards, guard)
    codes = [
        {client.post("/merchant/agreement", {}).code for _ in range(2 * UNCOUNTED_MOST)}
        for client in (first, second, tested)
    ]
    assert [1201 in each for each in codes] == [True, True, False]


def test_a_further_test_key_reaches_test_only_and_an_unknown_one_nothing(seed: Seed) -> None:
    merchant, _ = seed.add_merchant()
    merchant, client = seed.add_scoped_key(merchant, Scope.FULL, Mode.TEST)
    assert list(client.balance()) == ["test"]
    assert client.create(buy()).code == 1002
    other = replace(client, api_key=client.api_key + "x")
    assert other.post("/merchant/balance", {}).code == 1101
