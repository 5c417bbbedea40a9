"""send-push in this process, with a push service on this machine."""

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pytest

from orderdesk.domain.ids import token_hash
from orderdesk.services.attempt_limits import DESK_POSTS, PUSH_POSTS
from tests.support.callback_functions import RelayWorld
from tests.support.merchant_receiver import Answer, Receiver, open_receiver
from tests.support.push_service import decoded, verified
from tests.support.seed import with_changes
from tests.support.trader import (
    TraderVisit,
    endpoints_of,
    push_event,
    push_key_shown,
    push_off,
    push_on,
)
from tests.support.world import World

A_DAY = 86_400


@dataclass(slots=True)
class Pushing:
    """A trader with a device at a push service, and send-push."""

    world: World
    visit: TraderVisit
    service: Receiver
    put_off: list[int] = field(default_factory=list)

    def subscribe(self, path: str = "/device", *script: Answer) -> str:
        endpoint = self.service.url(path, *(script or (Answer(201),)))
        assert push_on(self.visit, endpoint)["statusCode"] == 200
        return endpoint

    def wake(self, endpoint: str, *, seconds: int = 900, count: int = 1) -> bool:
        """Invoke send-push for a device; return whether the message stays on the queue."""
        event = push_event(self.visit, endpoint, int(time.time()) + seconds, count)
        answer = self.world.modules["send_push"].handler(event, None)
        return bool(answer["batchItemFailures"])

    def note(self, params: dict[str, Any], **_: Any) -> tuple[Any, dict[str, Any]]:
        self.put_off.append(json.loads(params["body"])["VisibilityTimeout"])
        return type("Ok", (), {"status_code": 200})(), {}


@pytest.fixture
def pushing(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pushing]:
    monkeypatch.setenv("ALLOW_LOCAL_TARGETS", "true")
    visit = TraderVisit.of_new_trader(world)
    with open_receiver() as service:
        pushing = Pushing(world, visit, service)
        module = world.cold_start("send_push")
        events = module.sqs.meta.events
        events.register("before-call.sqs.ChangeMessageVisibility", pushing.note)
        yield pushing
    world.modules["send_push"].ports.sender.close()


def test_a_push_is_signed_short_and_empty(pushing: Pushing) -> None:
    endpoint = pushing.subscribe()
    assert not pushing.wake(endpoint)
    (push,) = pushing.service.of("/device")
    vapid = verified(push.headers)
    assert vapid.key == push_key_shown(pushing.visit)
    assert vapid.claims["aud"] == pushing.service.origin
    assert 0 < vapid.claims["exp"] - time.time() <= A_DAY
    assert vapid.claims["sub"].startswith("https://")
    assert (push.body, push.headers["content-length"]) == (b"", "0")
    assert 890 <= int(push.headers["ttl"]) <= 900
    assert (push.headers["urgency"], push.headers["topic"]) == ("high", "orders")
    assert pushing.visit.trader.trader_id not in str(push.headers)


def test_a_warm_container_signs_once_for_a_push_service(pushing: Pushing) -> None:
    endpoint = pushing.subscribe()
    for _ in range(2):
        pushing.wake(endpoint)
    first, second = pushing.service.of("/device")
    assert first.headers["authorization"] == second.headers["authorization"]


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten(pushing: Pushing, status: int) -> None:
    endpoint, other = pushing.subscribe("/gone", Answer(status)), pushing.subscribe("/stays")
    assert not pushing.wake(endpoint)
    assert endpoints_of(pushing.visit) == [other]


def test_a_busy_push_service_is_asked_again_a_few_times(pushing: Pushing) -> None:
    endpoint = pushing.subscribe("/busy", Answer(503))
    assert [pushing.wake(endpoint, count=count) for count in range(1, 6)] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert pushing.put_off == [5, 30, 120]
    assert endpoints_of(pushing.visit) == [endpoint]


def log_out(pushing: Pushing) -> None:
    pushing.visit.post("/trader/logout")


def on_aws(pushing: Pushing) -> None:
    """Deploy where nothing may go to this machine; the fixture restores the variable."""
    os.environ["ALLOW_LOCAL_TARGETS"] = "false"
    pushing.world.cold_start("send_push")


def changed(pushing: Pushing, **changes: Any) -> None:
    pushing.world.put_trader(with_changes(pushing.visit.trader, **changes))


@pytest.mark.parametrize(
    ("before", "seconds", "is_forgotten"),
    [
        (lambda _: None, 0, False),
        (log_out, 900, True),
        (partial(changed, suspended=True, online=False), 900, True),
        (partial(changed, access_code_hash=token_hash("another")), 900, True),
        (on_aws, 900, True),
    ],
    ids=["late", "logged out", "suspended", "another code", "on AWS"],
)
def test_what_is_not_sent(
    pushing: Pushing, before: Callable[[Pushing], None], seconds: int, *, is_forgotten: bool
) -> None:
    endpoint = pushing.subscribe()
    before(pushing)
    assert not pushing.wake(endpoint, seconds=seconds)
    assert pushing.service.of("/device") == []
    assert endpoints_of(pushing.visit) == ([] if is_forgotten else [endpoint])


def test_no_endpoint_and_no_token_reaches_the_log(
    pushing: Pushing, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint = pushing.subscribe("/a-device", Answer(201), Answer(503), Answer(410))
    for _ in range(3):
        pushing.wake(endpoint)
    logged = "".join(capsys.readouterr())
    assert "pushes_sent" in logged
    for text in ("a-device", pushing.service.origin, "vapid", pushing.visit.trader.trader_id):
        assert text not in logged


def test_a_new_buy_is_one_message_for_each_device(pushing: Pushing) -> None:
    relay = RelayWorld(pushing.world)
    endpoints = [pushing.subscribe(path) for path in ("/a", "/b")]
    pushing.visit.buy()
    assert relay.relay() == []
    messages = relay.messages("PUSHES_QUEUE_URL")
    assert len(messages) == len(endpoints)
    for message in messages:
        assert message["Attributes"]["MessageGroupId"] == pushing.visit.trader.trader_id
        assert json.loads(message["Body"]).keys() == {"trader_id", "device", "until"}


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
