"""Refused calls, last uses and the API explorer on the developers' pages."""

import json
from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from types import ModuleType
from urllib.parse import urlsplit

import pytest

from orderdesk.domain.callbacks.delivery import Attempt, Failure
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.web.pages.portal.developers import EXAMPLES, EXPLORER
from tests.support.merchant_client import MerchantClient, buy
from tests.support.portal import PortalVisit
from tests.support.world import World
from tools.openapi.routes import ROUTES


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
