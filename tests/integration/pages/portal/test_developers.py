"""The portal's developers' pages: keys, refused calls, last uses and the API explorer."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from types import ModuleType
from urllib.parse import urlsplit

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.merchants import merchant_of
from orderdesk.domain.callbacks.delivery import Attempt, Failure
from orderdesk.domain.merchants.merchant import MerchantSecrets
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.web.pages.portal.developers import EXAMPLES, EXPLORER
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.portal import PortalVisit
from tests.support.world import World
from tools.openapi.routes import ROUTES


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


class Wire:
    """Passes the explorer's calls on to the functions, as API Gateway does."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.bodies: list[str] = []

    def send(self, url: str, headers: Mapping[str, str], body: str) -> Attempt:
        self.bodies.append(body)
        assert url.startswith("https://pay.example.com/")
        path = urlsplit(url).path
        reply = self._world.send("198.51.100.7")(path, body.encode(), headers)
        return Attempt(reply.status, 5, json.dumps(reply.envelope).encode())


def connect(world: World, sender: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the explorer send through `sender`."""
    app: ModuleType = world.cold_start("merchant_portal")
    page = app.ROUTES["GET", EXPLORER].show.__self__
    object.__setattr__(page, "ports", replace(page.ports, sender=lambda: sender))


def member(world: World) -> tuple[PortalVisit, MerchantClient]:
    """Return a developer's browser, and the client of the merchant's test key."""
    merchant, _ = world.add_merchant()
    merchant, client = world.add_test_key(merchant)
    return PortalVisit.of_new_member(world, MemberRole.DEVELOPER, merchant), client


def sent(visit: PortalVisit, call: str, body: str, act: str = "send") -> str:
    answer = visit.post("developers/explorer", call=call, body=body, act=act)
    assert answer["statusCode"] == 200
    return unescape(answer["body"])


def test_the_examples_are_all_routes_of_a_test_key() -> None:
    assert {each.path for each in EXAMPLES.values()} == {route.path for route in ROUTES} - {
        "/merchant/createOrder"
    }


def test_a_call_is_signed_with_the_test_key_and_sent(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit, client = member(world)
    wire = Wire(world)
    connect(world, wire, monkeypatch)
    page = sent(visit, "balance", "{}")
    assert "HTTP 200" in page
    assert "POST /merchant/balance\napi_key=mk_test_" in page
    assert json.loads(wire.bodies[0])["api_key"] == client.api_key


def test_numbers_are_sent_as_they_were_typed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    visit, _ = member(world)
    wire = Wire(world)
    connect(world, wire, monkeypatch)
    page = sent(visit, "createOrder-buy", '{"order_type": 1, "cny_amount": 100.50}')
    assert '"cny_amount":100.50' in wire.bodies[0]
    assert "bad_signature" not in page


def test_signing_only_sends_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    visit, _ = member(world)
    wire = Wire(world)
    connect(world, wire, monkeypatch)
    page = sent(visit, "queryOrder", '{"order_no": "B1"}', "sign")
    assert "curl -X POST https://pay.example.com/merchant/queryOrder" in page
    assert wire.bodies == []


@pytest.mark.parametrize("body", ["", "[]", '{"a":1,"a":2}', '{"A":"x"}', '{"a":"\\u0000"}'])
def test_a_body_that_cannot_be_signed_is_not_sent(
    world: World, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit, _ = member(world)
    wire = Wire(world)
    connect(world, wire, monkeypatch)
    assert 'aria-invalid="true"' in sent(visit, "balance", body)
    assert wire.bodies == []


def test_without_an_answer_the_page_says_so(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent:
        def send(self, *_: object) -> Attempt:
            return Attempt(None, 20_000, failure=Failure.TIMEOUT)

    visit, _ = member(world)
    connect(world, Silent(), monkeypatch)
    assert "may have been carried out" in sent(visit, "balance", "{}")


def test_a_merchant_without_a_test_key_calls_nothing(world: World) -> None:
    merchant, _ = world.add_merchant(test_api_key="", sealed_test_secrets=b"")
    visit = PortalVisit.of_new_member(world, MemberRole.DEVELOPER, merchant)
    assert "no test key yet" in sent(visit, "balance", "{}")
    assert visit.get("developers/explorer", call="nothing")["statusCode"] == 404


def test_a_secret_and_a_body_are_neither_shown_later_nor_logged(
    world: World, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    visit, client = member(world)
    connect(world, Wire(world), monkeypatch)
    secret = client.api_secret
    page = sent(visit, "queryOrder", '{"merchant_order_no": "private-77"}')
    assert secret not in page
    assert "private-77" not in visit.get("developers")["body"]
    logged = capfd.readouterr()
    for private in (secret, "private-77"):
        assert private not in logged.out + logged.err
    assert "private-77" not in str(world.items(world.tables.guards))


def test_refused_calls_and_uses_are_those_of_the_own_merchant(world: World) -> None:
    merchant, client = world.add_merchant()
    assert client.query(merchant_order_no="none").code == 2002
    assert replace(client, api_secret="sk_wrong").create(buy()).code == 1102
    own = PortalVisit.of_new_member(world, MemberRole.VIEWER, merchant).get("developers")["body"]
    assert "order_not_found" in own
    assert "bad_signature" in own
    assert "Last used on" in own
    other = PortalVisit.of_new_member(world, MemberRole.VIEWER).get("developers")["body"]
    assert "order_not_found" not in other
    assert "Last used on" not in other
