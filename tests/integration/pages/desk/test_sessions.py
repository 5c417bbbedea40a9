"""The desk's sessions: their end, and that every page needs one."""

import time
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from orderdesk.domain.ids import token_hash
from orderdesk.domain.traders.trader import TraderAccess
from orderdesk.services.traders.desk import SESSION_SECONDS
from tests.support.template import template
from tests.support.trader import TraderVisit
from tests.support.visitors import OWN_PAGE
from tests.support.world import World


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


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_confirmation_without_a_session_comes_back_to_its_order(world: World, lang: str) -> None:
    owner = TraderVisit.of_new_trader(world)
    order_no = owner.buy().order_no
    cookie, owner.cookie = owner.cookie, ""
    lost = owner.post("/trader/orders/{order_no}/confirm", order_no, lang=lang)
    back = f"orders/{order_no}/confirm"
    query = {"back": back, "lost": "1", "lang": lang}
    assert lost["headers"]["Location"] == f"../../login?{urlencode(query)}"
    page = owner.get("/trader/login", **query)["body"]
    assert {"en": "Nothing was changed", "zh": "刚才的操作未生效"}[lang] in page
    assert order_no in page
    action = f'action="login?{urlencode({"back": back})}&amp;lang={lang}"'
    assert action in page
    wrong = owner.post("/trader/login", form={"access_code": "?"}, back=back, lang=lang)
    assert action in wrong["body"]
    form = {"access_code": owner.code}
    inside = owner.post("/trader/login", form=form, back=back, lang=lang)
    assert inside["headers"]["Location"] == f"{back}?lang={lang}"
    assert owner.cookie != cookie
    assert owner.order(order_no).version == 1


def test_a_login_names_no_order_but_ours(world: World) -> None:
    page = TraderVisit.new(world).get("/trader/login", back="orders/call-0123456")["body"]
    assert "0123456" not in page.replace("orders%2Fcall-0123456", "")
