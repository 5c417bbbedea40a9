"""The desk's push switch: what is stored of a device, and what removes it."""

import json
from dataclasses import replace

import pytest

from orderdesk.services.attempt_limits import DESK_POSTS, PUSH_POSTS
from tests.support.push_service import decoded
from tests.support.trader import TraderVisit, endpoints_of, push_key_shown, push_off, push_on
from tests.support.world import World

A, B = "https://push.example.com/a", "https://push.example.com/b"


@pytest.fixture
def desk(world: World) -> TraderVisit:
    return TraderVisit.of_new_trader(world)


def test_on_again_and_off(desk: TraderVisit) -> None:
    for endpoint in (A, B, A):
        assert push_on(desk, endpoint)["statusCode"] == 200
    assert endpoints_of(desk) == [B, A]
    assert push_off(desk, A)["statusCode"] == 200
    assert push_off(desk, A)["statusCode"] == 200
    assert endpoints_of(desk) == [B]


def test_logging_out_ends_the_sessions_own_devices(desk: TraderVisit) -> None:
    other = replace(desk, cookie="")
    other.log_in()
    push_on(desk, A)
    push_on(other, B)
    desk.post("/trader/logout")
    assert push_on(desk, A)["statusCode"] == 401
    assert endpoints_of(other) == [B]


def test_traders_do_not_share(world: World, desk: TraderVisit) -> None:
    other = TraderVisit.of_new_trader(world)
    push_on(desk, A)
    push_off(other, A)
    assert (endpoints_of(desk), endpoints_of(other)) == ([A], [])


def test_an_address_where_nothing_may_go_is_refused(desk: TraderVisit) -> None:
    answer = push_on(desk, "https://169.254.169.254/a")
    assert (answer["statusCode"], json.loads(answer["body"])) == (400, {"reason": "bad_form"})
    assert endpoints_of(desk) == []


def test_switching_pushes_uses_no_other_post_up(desk: TraderVisit) -> None:
    """A script switched pushes until it was refused; the trader still handles orders."""
    at_most = 2 * PUSH_POSTS.most + 1  # a new window may begin meanwhile
    posts = (push_off(desk, A) for _ in range(at_most))
    assert any(answer["statusCode"] == 429 for answer in posts)
    for _ in range(DESK_POSTS.most - PUSH_POSTS.most + 1):
        assert desk.post("/trader/online")["statusCode"] == 303


def test_the_key_is_a_point_of_the_curve(desk: TraderVisit) -> None:
    point = decoded(push_key_shown(desk))
    assert (len(point), point[0]) == (65, 4)
    assert push_key_shown(desk) == push_key_shown(desk)


@pytest.mark.parametrize(("language", "text"), [("en", "order is waiting"), ("zh", "有订单待处理")])
def test_the_worker_speaks_the_pages_language(desk: TraderVisit, language: str, text: str) -> None:
    page = desk.get("/trader/orders", lang=language)
    assert f'data-worker="worker.js?lang={language}"' in page["body"]
    assert "worker-src 'self'" in page["headers"]["Content-Security-Policy"]
    worker = replace(desk, cookie="").get("/trader/worker.js", lang=language)
    assert worker["statusCode"] == 200
    assert worker["headers"]["Content-Type"] == "text/javascript; charset=utf-8"
    assert text in json.loads(f'"{worker["body"].split('showNotification("')[1].split('"')[0]}"')


def test_only_the_page_with_the_switch_may_have_a_worker(desk: TraderVisit) -> None:
    policy = desk.get("/trader/history")["headers"]["Content-Security-Policy"]
    assert "worker-src" not in policy


def test_no_endpoint_reaches_the_log(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    desk = TraderVisit.of_new_trader(world)
    for endpoint in (A, "https://10.0.0.1/a"):
        push_on(desk, endpoint)
        push_off(desk, endpoint)
    logged = capsys.readouterr()
    assert '"POST /trader/push/off"' in logged.out
    for text in ("push.example.com", "10.0.0.1"):
        assert text not in logged.out + logged.err
