"""The desk's sessions: their end, and that every page needs one."""

import json
import time
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from orderdesk.domain.ids import token_hash
from orderdesk.domain.traders.trader import TraderAccess
from orderdesk.services.traders.desk import SESSION_SECONDS
from orderdesk.web.pages.desk.gate import CODE_ROUTE
from tests.support.template import template
from tests.support.trader import TraderVisit
from tests.support.visitors import OWN_PAGE, without_chance
from tests.support.world import World, desk_routes

ROUTES = desk_routes()
WITHOUT_SESSION = {
    ("GET", "/trader"),
    ("GET", "/trader/login"),
    ("POST", "/trader/login"),
    ("GET", "/trader/orders/{order_no}/proof"),
    ("GET", CODE_ROUTE),
    ("GET", "/trader/worker.js"),
}
OF_SCRIPTS = {
    ("GET", "/trader/status"),
    ("GET", "/trader/push"),
    ("POST", "/trader/push"),
    ("POST", "/trader/push/off"),
}
WITH_SESSION = [route for route in ROUTES if route not in {*WITHOUT_SESSION, *OF_SCRIPTS}]


def test_an_unknown_route_has_api_gateways_own_response(trader: TraderVisit) -> None:
    """The gateway passes on all below /trader; the response is that of the template's gateway."""
    own = template()["Resources"]["Api"]["Properties"]["GatewayResponses"]["RESOURCE_NOT_FOUND"]
    for method, path in (
        ("GET", "/trader/nothing"),
        ("POST", "/trader/orders"),
        ("GET", "/trader/orders/B1/confirm/twice"),
        ("GET", "/trader/orders/%00"),
    ):
        answer = trader.send(method, path, query={}, headers=OWN_PAGE, body=b"")
        assert answer["statusCode"] == own["StatusCode"] == 404, path
        assert answer["body"] == own["ResponseTemplates"]["application/json"]
        assert answer["headers"]["x-request-id"]
        assert answer["headers"]["Cache-Control"] == "no-store"


def test_one_session_ends_without_the_other(world: World) -> None:
    first = TraderVisit.of_new_trader(world)
    second = replace(first, cookie="")
    second.log_in()
    first.post("/trader/logout")
    assert second.is_in()


def test_a_session_ends_after_twelve_hours(
    trader: TraderVisit, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = int(time.time())
    monkeypatch.setattr(time, "time", lambda: float(now + SESSION_SECONDS - 5))
    assert trader.is_in()
    monkeypatch.setattr(time, "time", lambda: float(now + SESSION_SECONDS + 5))
    assert not trader.is_in()


def test_another_access_code_ends_every_session(world: World, trader: TraderVisit) -> None:
    changed = replace(trader.trader, access=TraderAccess(token_hash("another")))
    world.put_trader(changed)
    assert not trader.is_in()
    assert trader.log_in()["statusCode"] == 401


@pytest.mark.parametrize(("method", "route"), WITH_SESSION)
def test_without_a_session_every_address_leads_to_the_login(
    world: World, method: str, route: str
) -> None:
    owner = TraderVisit.of_new_trader(world)
    order_no = owner.buy().order_no
    numbers = (order_no, "B" + "0" * 24, "-") if "{order_no}" in route else ("",)
    login = "../" * (route.count("/") - 2) + "login"
    for number in numbers:
        answers = [
            replace(owner, cookie="").send(
                method, route, order_no=number, headers={**OWN_PAGE, **cookie}
            )
            for cookie in ({}, {"Cookie": "__Host-trader="}, {"Cookie": "__Host-trader=guessed"})
        ]
        assert {answer["statusCode"] for answer in answers} == {303}
        query = {"back": number} if number[:1] == "B" else {}
        query |= {"lost": "1"} if method == "POST" and not route.endswith("/logout") else {}
        there = login + ("?" + urlencode(query) if query else "")
        assert {a["headers"]["Location"] for a in answers} == {there}
        assert len({without_chance(answer) for answer in answers}) == 1
    assert owner.order(order_no).version == 1
    assert world.trader(owner.trader.trader_id).online


@pytest.mark.parametrize(("method", "route"), sorted(OF_SCRIPTS))
def test_without_a_session_a_script_is_told(world: World, method: str, route: str) -> None:
    answer = TraderVisit.new(world).send(method, route, headers=OWN_PAGE)
    assert answer["statusCode"] == 401
    assert json.loads(answer["body"]) == {"reason": "not_logged_in"}
    assert answer["headers"]["Content-Type"].startswith("application/json")


def test_a_trader_posts_so_many_times_in_a_window(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)
    trader = TraderVisit.of_new_trader(world)
    other = TraderVisit.of_new_trader(world)
    for _ in range(60):
        for route in ("/trader/offline", "/trader/online"):
            assert trader.post(route)["statusCode"] == 303
    answer = trader.post("/trader/offline")
    assert (answer["statusCode"], answer["headers"]["Retry-After"]) == (429, "600")
    assert world.trader(trader.trader.trader_id).online
    assert trader.is_in()
    assert other.post("/trader/offline")["statusCode"] == 303


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_confirmation_without_a_session_comes_back_to_its_order(world: World, lang: str) -> None:
    owner = TraderVisit.of_new_trader(world)
    order_no = owner.buy().order_no
    cookie, owner.cookie = owner.cookie, ""
    lost = owner.post("/trader/orders/{order_no}/confirm", order_no, lang=lang)
    query = {"back": order_no, "lost": "1", "lang": lang}
    assert lost["headers"]["Location"] == f"../../login?{urlencode(query)}"
    page = owner.get("/trader/login", **query)["body"]
    assert {"en": "Nothing was changed", "zh": "刚才的操作未生效"}[lang] in page
    assert order_no in page
    assert f'action="login?back={order_no}&amp;lang={lang}"' in page
    wrong = owner.post("/trader/login", form={"access_code": "?"}, back=order_no, lang=lang)
    assert f'action="login?back={order_no}&amp;lang={lang}"' in wrong["body"]
    form = {"access_code": owner.code}
    inside = owner.post("/trader/login", form=form, back=order_no, lang=lang)
    assert inside["headers"]["Location"] == f"orders/{order_no}?lang={lang}"
    assert owner.get("/trader/login", back=order_no)["headers"]["Location"] == f"orders/{order_no}"
    assert owner.cookie != cookie
    assert owner.order(order_no).version == 1


@pytest.mark.parametrize(
    "back",
    *[
        [
            *("https://evil.example/", "//evil.example", "/x", "../x", "B1", "", "%2f%2fevil"),
            *("B" + "1" * 24 + "/../..", "B" + "1" * 24 + "\n", "javascript:alert(1)"),
        ]
    ],
)
def test_a_login_leads_to_orders_only(world: World, back: str) -> None:
    owner = TraderVisit.new(world)
    answer = owner.post("/trader/login", form={"access_code": owner.code}, back=back)
    assert answer["headers"]["Location"] == "orders"
    assert "evil" not in owner.get("/trader/history", back=back)["body"]
