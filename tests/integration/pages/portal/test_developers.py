"""The portal's keys: rotated with overlap, shown once, and never by a stolen cookie."""

import re
from dataclasses import replace

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.merchants import merchant_of
from orderdesk.domain.merchants.merchant import MerchantSecrets
from orderdesk.domain.merchants.team import MemberRole
from tests.support.merchant_client import MerchantClient, sell
from tests.support.portal import PortalVisit
from tests.support.world import World


def rotated(visit: PortalVisit, mode: str) -> tuple[str, str]:
    """Rotate a key's secret; return the key and the secret on the page."""
    answer = visit.confirmed(f"developers/keys/{mode}/rotate")
    assert answer["statusCode"] == 200, answer["statusCode"]
    key, secret = re.findall(r'<code class="code"[^>]*>([^<]+)</code>', answer["body"])
    assert secret not in visit.get("developers")["body"]
    return key, secret


@pytest.mark.parametrize("role", [MemberRole.ADMIN, MemberRole.DEVELOPER])
@pytest.mark.parametrize("mode", ["live", "test"])
def test_a_new_secret_signs_and_so_does_the_one_before(
    world: World, mode: str, role: MemberRole
) -> None:
    merchant, live = world.add_merchant()
    _, test = world.add_test_key(merchant)
    old = live if mode == "live" else test
    visit = PortalVisit.of_new_member(world, role, merchant)
    key, secret = rotated(visit, mode)
    assert key == old.api_key
    new = replace(old, api_secret=secret)
    world.let_time_pass(seconds=60)
    for client in (old, new):
        assert client.post("/merchant/balance", {}).code == 1
    rotated(visit, mode)
    world.let_time_pass(seconds=60)
    assert old.post("/merchant/balance", {}).code == 1102
    assert new.post("/merchant/balance", {}).code == 1


def test_a_merchant_without_a_test_key_gets_one(world: World) -> None:
    merchant, live = world.add_merchant(test_api_key="", sealed_test_secrets=b"")
    visit = PortalVisit.of_new_member(world, merchant=merchant)
    key, secret = rotated(visit, "test")
    assert key.startswith(f"mk_test_{merchant.merchant_id}_")
    client: MerchantClient = replace(live, api_key=key, api_secret=secret)
    world.let_time_pass(seconds=60)
    assert client.post("/merchant/balance", {}).code == 1


def test_the_first_live_key_is_made_here_and_its_sells_wait(world: World) -> None:
    """Nobody of the desk has seen its secret."""
    merchant, seeded = world.add_merchant()
    bare = world.kms.seal(merchant.merchant_id, MerchantSecrets((), link_secret=b"k" * 32))
    merchant = world.change_merchant(merchant, api_key="", sealed_secrets=bare)
    visit = PortalVisit.of_new_member(world, MemberRole.DEVELOPER, merchant)
    world.fund(merchant, 10**10)
    key, secret = rotated(visit, "live")
    assert key.startswith(f"mk_live_{merchant.merchant_id}_")
    world.let_time_pass(seconds=60)
    client: MerchantClient = replace(seeded, api_key=key, api_secret=secret)
    order = world.get(world.tables.orders, {"pk": client.create(sell()).data["order_no"]})
    assert order is not None
    assert isinstance(order["assignable_from"], int)
    assert isinstance(order["createtime"], int)
    assert order["assignable_from"] > order["createtime"] + 14_000


def test_a_callback_secret_is_made_and_shown_here_once(world: World) -> None:
    visit = PortalVisit.of_new_member(world, MemberRole.DEVELOPER)
    path = "developers/callback-secret/rotate"
    made = [
        re.findall(r'id="callback-secret">(whsec_[^<]+)<', visit.confirmed(path)["body"])[0]
        for _ in range(3)
    ]
    item = world.get(world.tables.merchants, {"pk": Key.merchant(visit.merchant.merchant_id)})
    assert item is not None
    stored = merchant_of(item)
    kept = world.kms.unseal_callback(stored.merchant_id, stored.sealed_callback_secrets)
    assert kept == (made[2], made[1])
    assert "whsec_" not in visit.get("developers")["body"]


def test_a_key_with_a_scope_is_made_shown_once_and_removed(world: World) -> None:
    merchant, first = world.add_merchant()
    visit = PortalVisit.of_new_member(world, MemberRole.DEVELOPER, merchant)
    made = visit.confirmed("developers/keys", mode="live", scope="read")
    key, secret = re.findall(r'<code class="code"[^>]*>([^<]+)</code>', made["body"])
    page = visit.get("developers")["body"]
    assert key in page
    assert secret not in page
    reading: MerchantClient = replace(first, api_key=key, api_secret=secret)
    world.let_time_pass(seconds=60)
    assert reading.post("/merchant/balance", {}).code == 1
    assert reading.create(sell()).code == 1107
    assert visit.confirmed("developers/keys/remove", api_key=key)["statusCode"] == 303
    world.let_time_pass(seconds=60)
    assert reading.post("/merchant/balance", {}).code == 1101
    assert first.post("/merchant/balance", {}).code == 1


def test_a_mode_has_five_keys_at_most(world: World) -> None:
    visit = PortalVisit.of_new_member(world)
    states = [
        visit.confirmed("developers/keys", mode="live", scope="buy")["statusCode"] for _ in range(5)
    ]
    assert states == [200, 200, 200, 200, 422]
    assert visit.confirmed("developers/keys", mode="test", scope="full")["statusCode"] == 200
    for form in ({"mode": "live", "scope": "all"}, {"mode": "old", "scope": "read"}):
        assert visit.confirmed("developers/keys", **form)["statusCode"] == 400
