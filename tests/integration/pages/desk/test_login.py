"""The desk's login: logging in and out, and refused logins."""

import json
import re
import time
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from orderdesk.domain.ids import token_hash
from orderdesk.domain.traders.trader import TraderAccess
from orderdesk.services.attempt_limits import Limit
from orderdesk.services.traders import desk
from orderdesk.services.traders.desk import SESSION_SECONDS
from tests.support import receipt_samples as samples
from tests.support.template import template
from tests.support.trader import ORDER, TraderVisit
from tests.support.visitors import OWN_PAGE, Answer
from tests.support.world import World


def test_an_access_code_opens_the_desk(world: World) -> None:
    trader = TraderVisit.new(world)
    page = trader.get("/trader/login", lang="en")
    assert page["statusCode"] == 200
    assert 'action="login?lang=en"' in page["body"]
    answer = trader.post("/trader/login", form={"access_code": trader.code}, lang="zh")
    assert (answer["statusCode"], answer["headers"]["Location"]) == (303, "orders?lang=zh")
    cookie = answer["headers"]["Set-Cookie"]
    assert re.fullmatch(
        r"__Host-trader=[0-9a-f]{64}; Max-Age=43200; HttpOnly; Secure; SameSite=Strict; Path=/",
        cookie,
    )
    assert trader.is_in()
    again = trader.get("/trader/login")
    assert (again["statusCode"], again["headers"]["Location"]) == (303, "orders")
    assert trader.get("/trader")["headers"]["Location"] == "trader/orders"


def test_a_code_may_be_typed_as_people_type(world: World) -> None:
    trader = TraderVisit.new(world)
    typed = f"  {trader.code.upper().replace('-', ' ')} "
    assert trader.log_in(typed)["statusCode"] == 303


@pytest.mark.parametrize("code", ["", "wrong", "0" * 28, "測試" * 14, "%00"])
def test_a_wrong_code_is_told_at_its_field(world: World, code: str) -> None:
    trader = TraderVisit.new(world)
    answer = trader.log_in(code)
    assert answer["statusCode"] == 401
    assert "Set-Cookie" not in answer["headers"]
    assert "This access code is not known" in answer["body"]
    assert re.search(r'<input id="code"[^>]*aria-invalid="true"', answer["body"])
    assert 'value="wrong"' not in answer["body"]
    assert not trader.is_in()


WRONG = "0" * 28


def assert_has_to_wait(answer: Answer) -> None:
    assert answer["statusCode"] == 429
    assert answer["headers"]["Retry-After"] == "600"
    assert "Too many attempts" in answer["body"]
    assert "Set-Cookie" not in answer["headers"]


@pytest.mark.usefixtures("standing_clock")
def test_who_guesses_has_to_wait_and_no_one_else(world: World) -> None:
    trader = TraderVisit.new(world)
    assert {trader.log_in(WRONG)["statusCode"] for _ in range(20)} == {401}
    for _ in range(3):
        assert_has_to_wait(trader.log_in(WRONG))
    assert_has_to_wait(trader.log_in("wrong"))
    assert trader.log_in()["statusCode"] == 303
    elsewhere = replace(trader, source_ip="198.51.100.31", cookie="")
    assert elsewhere.log_in(WRONG)["statusCode"] == 401


@pytest.mark.usefixtures("standing_clock")
def test_a_thousand_wrong_codes_close_the_address(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    trader = TraderVisit.new(world)
    monkeypatch.setattr(desk, "CODE_LOOKUPS", Limit("wrong_code", 25))
    for _ in range(25):
        trader.log_in(WRONG)
    with world.requests("trader_desk") as requests:
        assert_has_to_wait(trader.log_in())
        assert_has_to_wait(trader.log_in(WRONG))
    assert requests == ["GetItem", "GetItem"]


def test_logging_out_ends_the_session_and_the_cookie(trader: TraderVisit) -> None:
    kept = replace(trader)
    answer = trader.post("/trader/logout", lang="en")
    assert (answer["statusCode"], answer["headers"]["Location"]) == (303, "login?lang=en")
    assert answer["headers"]["Set-Cookie"].startswith("__Host-trader=; Max-Age=0; ")
    assert trader.cookie == ""
    assert not kept.is_in()


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


@pytest.mark.parametrize("log_level", ["INFO", "DEBUG"])
def test_logs_name_no_code_no_token_and_nobody(
    world: World,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    log_level: str,
) -> None:
    monkeypatch.setenv("LOG_LEVEL", log_level)
    trader = TraderVisit.of_new_trader(world)
    buy, sell = trader.buy(), trader.sell()
    capsys.readouterr()
    caplog.set_level(log_level)
    trader.log_in("wrong-access-code")
    trader.log_in()
    for route in ("/trader/orders", "/trader/status", "/trader/history", "/trader/balance"):
        trader.get(route)
    key = trader.upload_fields(sell.order_no)["key"]
    trader.upload(sell.order_no, samples.HTML)
    trader.upload(sell.order_no, samples.png())
    replace(trader, cookie="").come_back(sell.order_no, key)
    for order in (buy, sell):
        trader.get(ORDER, order.order_no)
        trader.post(f"{ORDER}/confirm", order.order_no)
    trader.post("/trader/offline", headers={})
    token = trader.cookie
    trader.post("/trader/logout")
    captured = capsys.readouterr()
    logged = captured.out + captured.err
    assert logged.count('"route"') >= 14
    logged += caplog.text
    methods = [buy.payment_method, sell.payment_method]
    personal = {value for m in methods if m for value in m.fields().values()} - {"bank", ""}
    secrets = {token or "", trader.code, "wrong-access-code", trader.source_ip, trader.trader.name}
    for text in secrets | personal:
        assert text not in logged
        assert json.dumps(text).strip('"') not in logged
