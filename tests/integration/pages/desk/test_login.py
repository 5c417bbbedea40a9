"""The desk's login: logging in and out, and refused logins."""

import re
import time
from dataclasses import replace

import pytest

from orderdesk.services.attempt_limits import Limit
from orderdesk.services.traders import desk
from tests.support.trader import TraderVisit
from tests.support.visitors import Answer
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


@pytest.fixture
def standing_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock at the beginning of a window."""
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)


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
