"""Refused calls at the merchant API and in the Guards table: what is kept, and what it costs."""

import time
from dataclasses import replace

import pytest
from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.refused_calls import RefusedCallStore
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.pricing import Mode
from orderdesk.services.merchants.refused_calls import KEPT_MOST, KEPT_SECONDS, RefusedCall
from tests.support.merchant_client import buy, sell
from tests.support.world import World

NOW = 1_800_000_000


def call(number: int = 0) -> RefusedCall:
    return RefusedCall(NOW + number, Mode.TEST, "/merchant/balance", "bad_signature", "")


def today() -> int:
    return int(time.time())


def store_of(world: World) -> RefusedCallStore:
    """Return the store of one more container."""
    return RefusedCallStore(world.client, world.tables.guards)


def kept(world: World, merchant: Merchant, now: int = NOW) -> tuple[RefusedCall, ...]:
    return store_of(world).activity(merchant.merchant_id, now).refused


def test_the_last_hundred_are_kept_whichever_container_adds_them(world: World) -> None:
    merchant, _ = world.add_merchant()
    containers = [store_of(world) for _ in range(3)]
    calls = [call(number) for number in range(KEPT_MOST + 35)]
    for number, each in enumerate(calls):
        # Three containers whose memories of the last number differ.
        containers[number * number % 3].add(merchant.merchant_id, each)
    assert kept(world, merchant) == tuple(reversed(calls[-KEPT_MOST:]))
    assert len(world.items(world.tables.guards)) == 1


def test_two_containers_at_once_lose_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    merchant, _ = world.add_merchant()
    slow, fast = store_of(world), store_of(world)
    write = slow._write
    overtaken = iter([call(1), call(2)])

    def late(merchant_id: str, mine: RefusedCall, last: int) -> int | None:
        if (other := next(overtaken, None)) is not None:
            fast.add(merchant_id, other)
        return write(merchant_id, mine, last)

    monkeypatch.setattr(slow, "_write", late)
    slow.add(merchant.merchant_id, call(3))
    assert kept(world, merchant) == (call(3), call(2), call(1))


def test_a_container_that_is_always_overtaken_gives_up(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    merchant, _ = world.add_merchant()
    store = store_of(world)
    monkeypatch.setattr(store, "_write", lambda *_: 7)
    with pytest.raises(TryAgain):
        store.add(merchant.merchant_id, call())


def test_calls_older_than_thirty_days_are_not_shown(world: World) -> None:
    merchant, _ = world.add_merchant()
    store_of(world).add(merchant.merchant_id, call())
    assert kept(world, merchant, NOW + KEPT_SECONDS - 1) == (call(),)
    assert kept(world, merchant, NOW + KEPT_SECONDS) == ()
    [item] = world.items(world.tables.guards)
    assert item["expires_at"] == NOW + KEPT_SECONDS


def test_after_ttl_has_deleted_the_ring_it_starts_again(world: World) -> None:
    merchant, _ = world.add_merchant()
    store = store_of(world)
    store.add(merchant.merchant_id, call(1))
    key = {"pk": {"S": Key.refused(merchant.merchant_id)}}
    world.client.delete_item(TableName=world.tables.guards, Key=key)
    store.add(merchant.merchant_id, call(2))
    assert kept(world, merchant) == (call(2),)


def test_each_refusal_is_recorded_for_its_merchant_without_its_parameters(world: World) -> None:
    merchant, client = world.add_merchant()
    other, _ = world.add_merchant()
    secret = "sk_" + "x" * 40
    remark, number = "a private remark", "S-9999-private"
    assert replace(client, api_secret=secret).create(buy(remark=remark)).code == 1102
    assert client.create(sell(merchant_order_no=number, remark=remark)).code == 2102
    assert client.query(merchant_order_no=number).code == 2002
    assert client.post("/merchant/queryOrder", {"order_no": ""}).code == 1002
    unsigned = {"api_key": client.api_key, "remark": remark}
    assert client.post_as_is("/merchant/balance", unsigned).code == 1002
    assert [(each.operation, each.reason) for each in kept(world, merchant, today())] == [
        ("/merchant/balance", "invalid_parameter"),
        ("/merchant/queryOrder", "invalid_parameter"),
        ("/merchant/queryOrder", "order_not_found"),
        ("/merchant/createOrder", "insufficient_balance"),
        ("/merchant/createOrder", "bad_signature"),
    ]
    assert kept(world, other, today()) == ()
    key = Key.refused(merchant.merchant_id)
    [item] = [each for each in world.items(world.tables.guards) if each["pk"] == key]
    for private in (remark, number, secret, client.api_secret, client.api_key):
        assert private not in str(item)


def test_a_success_and_an_unknown_key_record_nothing(world: World) -> None:
    _, client = world.add_merchant()
    assert client.post("/merchant/balance", {}).code == 1
    assert replace(client, api_key=client.api_key + "x").post("/merchant/balance", {}).code == 1101
    assert client.post_as_is("/merchant/balance", {}).code == 1002
    kinds = {str(each["pk"]).partition("#")[0] for each in world.items(world.tables.guards)}
    assert kinds == {"calls", "nonce"}


def test_a_refusal_costs_one_write_and_the_response_does_not_depend_on_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, client = world.add_merchant()
    wrong = replace(client, api_secret="sk_wrong")
    assert wrong.post("/merchant/balance", {}).code == 1102
    with world.requests("merchant_api") as requests:
        assert wrong.post("/merchant/balance", {}).code == 1102
    assert requests == ["UpdateItem"]

    def throttled(**_: object) -> None:
        raise ClientError({"Error": {"Code": "ThrottlingException"}}, "UpdateItem")

    app = world.modules["merchant_api"]
    monkeypatch.setattr(app.dynamodb, "update_item", throttled)
    assert wrong.post("/merchant/balance", {}).code == 1102


def test_the_day_of_the_last_use_is_kept_for_each_key(world: World) -> None:
    merchant, live = world.add_merchant()
    store = store_of(world)
    assert store.activity(merchant.merchant_id, NOW).used_at == {}
    assert replace(live, api_secret="sk_wrong").post("/merchant/balance", {}).code == 1102
    assert store.activity(merchant.merchant_id, NOW).used_at == {}
    assert live.post("/merchant/balance", {}).code == 1
    assert set(store.activity(merchant.merchant_id, NOW).used_at) == {Mode.LIVE}
    with world.requests("merchant_api") as requests:
        assert live.post("/merchant/balance", {}).code == 1
    assert "UpdateItem" not in requests
