"""A warm container uses cached merchants for a while, but never refuses a valid secret."""

import time
from dataclasses import replace

from orderdesk.domain.merchants.merchant import MerchantSecrets, MerchantStatus
from tests.support.merchant_client import buy
from tests.support.world import World


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
