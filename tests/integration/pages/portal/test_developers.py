"""The portal's keys: rotated with overlap, shown once, and never by a stolen cookie."""

import re
from dataclasses import replace

import pytest

from orderdesk.adapters.dynamodb.keys import merchant_key
from orderdesk.adapters.dynamodb.marshal import Value
from orderdesk.domain.merchants.team import MemberRole
from tests.support.merchant_client import MerchantClient
from tests.support.portal import Authenticator, PortalVisit
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


def test_a_stolen_cookie_changes_no_key(world: World) -> None:
    visit = PortalVisit.of_new_member(world)
    key: dict[str, Value] = {"pk": merchant_key(visit.merchant.merchant_id)}
    before = world.get(world.tables.merchants, key)
    thief = replace(visit, authenticator=Authenticator())
    for path in ("developers/keys/live/rotate", "developers/keys/test/rotate"):
        assert thief.post(path)["statusCode"] == 403
        assert thief.confirmed(path)["statusCode"] == 403
    assert world.get(world.tables.merchants, key) == before


def test_an_answer_of_a_passkey_confirms_one_change(world: World) -> None:
    visit = PortalVisit.of_new_member(world)
    answers = [visit.confirmed("developers/keys/nothing/rotate")["statusCode"]]
    answers.append(visit.post("developers/keys/live/rotate")["statusCode"])
    assert answers == [404, 403]
