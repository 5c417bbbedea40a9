"""1201 by the merchant's rate: its place in the order of checks, and its cost.

A warm container uses cached merchants for a while, but never refuses a valid secret.
"""

import time
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.nonces import CallCountStore
from orderdesk.domain.merchants.merchant import MerchantSecrets, MerchantStatus
from orderdesk.domain.merchants.request_rate import NS_PER_SECOND
from tests.support.depth import examples
from tests.support.merchant_client import MerchantClient, Reply, buy
from tests.support.token_bucket import used_until_ns
from tests.support.world import World

NOW_NS = 1_800_000_000 * NS_PER_SECOND


@pytest.fixture(autouse=True)
def standing_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the functions' clock, so that no rate is refilled."""
    now_ns = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now_ns)


def spent(world: World, max_rps: int = 1) -> MerchantClient:
    """Return the client of a merchant that has used up its burst."""
    _, client = world.add_merchant(max_rps=max_rps)
    for _ in range(2 * max_rps):
        assert client.query(order_no="B202511220000000000000001").code in {1002, 2002}
    return client


def assert_too_many(reply: Reply) -> None:
    assert (reply.status, reply.code) == (429, 1201)
    assert reply.data == {"reason": "too_many_requests"}
    assert reply.headers["retry-after"] == "1"


def test_both_functions_share_a_merchants_rate(world: World) -> None:
    client = spent(world)
    world.add_trader()
    assert_too_many(client.create(buy()))
    assert_too_many(client.create(buy(), route="test"))
    assert_too_many(client.query(order_no="B202511220000000000000001"))
    assert_too_many(client.post("/merchant/balance", {}))
    assert world.items(world.tables.orders) == []


def test_another_container_knows_of_it(world: World) -> None:
    client = spent(world)
    world.cold_start("merchant_api")
    assert_too_many(client.post("/merchant/balance", {}))


def test_an_answer_with_1201_leaves_the_nonce(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = spent(world)
    path = "/merchant/balance"
    params = client.signed(path, {})
    assert_too_many(client.post_as_is(path, params))
    later = time.time_ns() + 2 * NS_PER_SECOND
    monkeypatch.setattr(time, "time_ns", lambda: later)
    assert client.post_as_is(path, params).code == 1


def test_who_has_no_secret_uses_up_no_rate(world: World) -> None:
    _, client = world.add_merchant(max_rps=1)
    stranger = replace(client, api_secret="sk_guess")
    assert {stranger.post("/merchant/balance", {}).code for _ in range(20)} == {1102}
    old = client.signed("/merchant/balance", {"timestamp": int(time.time()) - 400})
    assert {client.post_as_is("/merchant/balance", old).code for _ in range(20)} == {1103}
    assert client.post("/merchant/balance", {}).code == 1
    assert_too_many(spent(world).post("/merchant/balance", {}))


def test_replays_and_refused_calls_count(world: World) -> None:
    _, client = world.add_merchant(max_rps=1)
    params = client.signed("/merchant/balance", {})
    assert client.post_as_is("/merchant/balance", params).code == 1
    assert client.post_as_is("/merchant/balance", params).code == 1104
    assert_too_many(client.post("/merchant/balance", {}))


def test_the_rate_is_checked_before_the_other_parameters(world: World) -> None:
    client = spent(world)
    assert_too_many(client.create(buy(cny_amount="nothing")))
    assert_too_many(client.query(order_no="not a number"))


def test_an_ordinary_merchant_costs_no_request_more(world: World) -> None:
    _, client = world.add_merchant()
    world.add_trader()
    client.create(buy())
    with world.requests("create_order") as requests:
        for _ in range(3):
            client.create(buy())
    assert requests == ["Query", "TransactWriteItems"] * 3


def test_the_first_call_of_a_container_and_day_is_counted(world: World) -> None:
    _, client = world.add_merchant()
    world.add_trader()
    client.post("/merchant/balance", {})
    world.cold_start("merchant_api")
    with world.requests("merchant_api") as requests:
        client.post("/merchant/balance", {})
        assert "UpdateItem" in requests
        requests.clear()
        client.post("/merchant/balance", {})
        assert "UpdateItem" not in requests


def test_a_busy_merchant_costs_at_most_two_requests_in_five_calls_more(world: World) -> None:
    _, client = world.add_merchant(max_rps=1_000)
    world.add_trader()
    client.create(buy())
    with world.requests("create_order") as requests:
        for _ in range(5):
            client.create(buy())
    assert requests == ["Query", "TransactWriteItems"] * 4 + [
        "UpdateItem",
        "UpdateItem",
        "Query",
        "TransactWriteItems",
    ]


@settings(
    max_examples=examples(full=20), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.integers(1, 100),
    st.lists(st.tuples(st.integers(0, NS_PER_SECOND), st.integers(1, 5)), max_size=30),
)
def test_the_table_counts_as_the_arithmetic_does(
    world: World, max_rps: int, calls: list[tuple[int, int]]
) -> None:
    store = CallCountStore(world.client, world.tables.guards)
    world.client.delete_item(TableName=world.tables.guards, Key={"pk": {"S": Key.calls("m1")}})
    now, until = NOW_NS, None
    for gap, count in calls:
        now += gap
        expected = used_until_ns(until, count, max_rps, now)
        assert store.count("m1", count, max_rps, now) == expected
        assert expected is None or now < expected <= now + 2 * NS_PER_SECOND
        assert expected or count > 2 * max_rps or (until or 0) > now
        until = expected or until


def test_a_secret_rotated_in_signs_at_once(world: World) -> None:
    merchant, old = world.add_merchant()
    world.add_trader()
    assert old.create(buy()).code == 1
    secrets = MerchantSecrets(("sk_new", old.api_secret), link_secret=b"k" * 32)
    sealed = world.kms.seal(merchant.merchant_id, secrets)
    world.change_merchant(merchant, sealed_secrets=sealed)
    world.let_time_pass(seconds=2)
    new = replace(old, api_secret="sk_new")
    assert new.create(buy()).code == 1
    assert old.create(buy()).code == 1
    assert replace(old, api_secret="sk_other").create(buy()).code == 1102


def seconds_since(began: float) -> int:
    return int(time.monotonic() - began)


def test_bad_signatures_read_the_merchant_once_a_second_at_most(world: World) -> None:
    _, client = world.add_merchant()
    world.add_trader()
    assert client.create(buy()).code == 1
    stranger = replace(client, api_secret="sk_guess")
    began = time.monotonic()
    with world.requests("create_order") as requests:
        codes = {stranger.create(buy()).code for _ in range(20)}
    assert codes == {1102}
    assert len([each for each in requests if each == "GetItem"]) <= 1 + seconds_since(began)


def test_unknown_keys_read_the_merchant_once_a_second_at_most(world: World) -> None:
    """The merchant is read again, because its test key may be new."""
    _, client = world.add_merchant()
    assert client.balance()
    began = time.monotonic()
    with world.requests("merchant_api") as requests:
        for number in range(20):
            stranger = replace(client, api_key=f"{client.api_key}{number}")
            assert stranger.post("/merchant/balance", {}).code == 1101
    assert len(requests) <= 1 + seconds_since(began)


def test_a_suspension_is_seen_within_the_cache_time(world: World) -> None:
    merchant, client = world.add_merchant()
    world.add_trader()
    assert client.create(buy()).code == 1
    world.change_merchant(merchant, status=MerchantStatus.SUSPENDED)
    world.let_time_pass(seconds=31)
    assert client.create(buy()).code == 1106
