"""The portal's callbacks: listed, sent again, tested, and paused endpoints resumed."""

import json
import re
from dataclasses import replace

import pytest

from orderdesk.domain.callbacks.delivery import Delivery, DeliveryState, KeptAttempt
from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.pricing import Mode
from tests.support.deliveries import EVENT, keep_delivery
from tests.support.faults import answered_with, cancelled
from tests.support.portal import PortalVisit
from tests.support.world import ENVIRONMENT, World

ADDRESS = "https://shop.example.com/hook"
PAUSED = "https://paused.example"
NOW_MS = 1_790_000_000_000


@pytest.fixture
def visit(world: World) -> PortalVisit:
    merchant, _ = world.add_merchant(callback_url=ADDRESS)
    visit = PortalVisit.of_new_member(world, MemberRole.DEVELOPER, merchant)
    queued(world)  # the notice of the new member
    for item in world.items(world.tables.callbacks):
        world.client.delete_item(
            TableName=world.tables.callbacks, Key={"webhook_id": {"S": item["webhook_id"]}}
        )
    return visit


def queued(world: World) -> list[dict[str, object]]:
    """Receive the messages of the queue of callbacks."""
    url = ENVIRONMENT["CALLBACKS_QUEUE_URL"]
    found = world.sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages", [])
    return [json.loads(message["Body"]) for message in found]


def pause(world: World, visit: PortalVisit, mode: Mode = Mode.LIVE) -> EndpointId:
    place = EndpointId(visit.merchant.merchant_id, mode, PAUSED)
    world.endpoints.save(Endpoint(place, version=1, since_ms=NOW_MS, probe_ms=NOW_MS + 60_000))
    return place


def listed(page: str, deliveries: list[Delivery]) -> list[str]:
    """Return the numbers of the deliveries on a page, in its order."""
    numbers = [each.event.number for each in deliveries if each.event.webhook_id in page]
    return sorted(numbers, key=page.index)


def test_deliveries_are_shown_with_their_attempts_and_answers(
    world: World, visit: PortalVisit
) -> None:
    attempts = (
        KeptAttempt(NOW_MS, 500, 34, None, '<script>alert("x")</script>\x1b[2J\u202egnp.exe'),
        KeptAttempt(NOW_MS + 5000, None, 10_000, "timeout", ""),
    )
    kept = keep_delivery(world, visit.merchant, attempts=attempts)
    page = visit.get("callbacks")
    assert page["statusCode"] == 200
    for shown in (
        kept.event.webhook_id,
        f"orders/{kept.event.number}",
        "Attempts: 2",
        "no answer in time",
        "10000 ms",
        "&lt;script&gt;alert",
        "given up",
        ADDRESS,
        'href="settings"',
    ):
        assert shown in page["body"], shown
    assert "<script>alert" not in page["body"]
    assert "\ufffd[2J\ufffdgnp.exe" in page["body"]
    assert not {"\x1b", "\u202e"} & {*page["body"]}


def test_a_callback_that_failed_and_is_tried_again_shows_its_code(
    world: World, visit: PortalVisit
) -> None:
    attempts = tuple(KeptAttempt(NOW_MS + each, 400, 34, None, "") for each in (0, 5000))
    state, next_ms = DeliveryState.PENDING, NOW_MS + 60_000
    keep_delivery(world, visit.merchant, state=state, next_ms=next_ms, attempts=attempts)
    shown = visit.get("callbacks")["body"].partition("<details")[0].rpartition("<li>")[2]
    assert '<span class="chip chip-failed">failed, tried again</span> <b>400</b>' in shown


def test_a_callbacks_payload_is_shown_folded_and_plain(world: World, visit: PortalVisit) -> None:
    body = json.dumps({"data": {"is_test": 0, "remark": "转账</pre>\x1b[2J\u202egnp.exe"}})
    event = replace(EVENT, merchant_id=visit.merchant.merchant_id, body=body)
    keep_delivery(world, visit.merchant, event=event, attempts=())
    page = visit.get("callbacks")["body"]
    [shown] = re.findall(r"<summary>Payload.*?</summary><pre[^>]*>(.+?)</pre>", page, re.DOTALL)
    assert "转账&lt;/pre&gt;" in shown
    assert shown.count("\n") > 4
    assert not {"\x1b", "\u202e"} & {*page}


def test_deliveries_are_filtered_by_state(world: World, visit: PortalVisit) -> None:
    kept = [
        keep_delivery(world, visit.merchant, state=state, timestamp=1_790_000_000 - number)
        for number, state in enumerate(DeliveryState)
    ]
    everything = visit.get("callbacks")["body"]
    assert listed(everything, kept) == [each.event.number for each in kept]
    for each in kept:
        page = visit.get("callbacks", state=each.state.value)["body"]
        assert listed(page, kept) == [each.event.number]
    assert listed(visit.get("callbacks", state="x")["body"], kept) == listed(everything, kept)


def test_deliveries_are_paged(world: World, visit: PortalVisit) -> None:
    kept = [
        keep_delivery(world, visit.merchant, timestamp=1_790_000_000 - number)
        for number in range(23)
    ]
    first = visit.get("callbacks")["body"]
    assert listed(first, kept) == [each.event.number for each in kept[:20]]
    assert "Older deliveries" in first
    second = visit.get("callbacks", before=kept[19].place)["body"]
    assert listed(second, kept) == [each.event.number for each in kept[20:]]
    assert "Older deliveries" not in second
    assert listed(visit.get("callbacks", before="x")["body"], kept) == listed(first, kept)


def test_a_callback_is_sent_again(world: World, visit: PortalVisit) -> None:
    kept = keep_delivery(world, visit.merchant)
    answer = visit.post(f"callbacks/{kept.event.webhook_id}/redeliver")
    assert answer["statusCode"] == 303
    assert "is being sent again" in visit.get("callbacks", said="redelivered")["body"]
    [message] = queued(world)
    assert message["webhook_id"] == kept.event.webhook_id
    assert "waiting</span>" in visit.get("callbacks")["body"]


def test_a_test_event_needs_an_address_that_callbacks_may_have(world: World) -> None:
    visit = PortalVisit.of_new_member(world)
    for url, problem in (("", "no default address"), ("http://10.0.0.1/", "Nothing can be sent")):
        answer = visit.post("callbacks/test", mode="live", url=url)
        assert answer["statusCode"] == 422
        assert problem in answer["body"]
        [field] = re.findall(
            r'<input id="url"[^>]+>(?=<p class="problem" id="url-problem")', answer["body"]
        )
        assert f'value="{url}"' in field
        assert 'aria-describedby="url-hint url-problem" aria-invalid="true"' in field
    assert visit.post("callbacks/test", mode="x")["statusCode"] == 400
    assert queued(world) == []


@pytest.mark.parametrize("mode", Mode)
def test_a_paused_endpoint_is_shown_and_probed_at_once(
    world: World, visit: PortalVisit, mode: Mode
) -> None:
    place = pause(world, visit, mode)
    page = visit.get("callbacks")["body"]
    assert PAUSED in page
    assert "Paused since" in page
    assert "next probe" in page
    answer = visit.post("callbacks/resume", origin=PAUSED, mode=mode.value)
    assert answer["statusCode"] == 303
    after = world.endpoints.endpoint(place)
    assert after is not None
    assert (after.is_paused, after.version) == (True, 2)
    assert after.probe_ms != NOW_MS + 60_000


def test_an_endpoint_that_is_not_paused_is_not_found(visit: PortalVisit) -> None:
    for origin in (PAUSED, "https://paused.example/path", "", "x#y"):
        answer = visit.post("callbacks/resume", origin=origin, mode="live")
        assert answer["statusCode"] == 404, origin


def test_what_members_do_to_callbacks_is_in_the_teams_trail(
    world: World, visit: PortalVisit
) -> None:
    kept, place = keep_delivery(world, visit.merchant), pause(world, visit, Mode.TEST)
    given = "https://other.example/x?token=secret"
    visit.post(f"callbacks/{kept.event.webhook_id}/redeliver")
    visit.post("callbacks/test", mode="live")
    visit.post("callbacks/test", mode="test", url=given)
    visit.post("callbacks/resume", origin=place.origin, mode="test")
    visit.post("callbacks/resume", origin="https://unknown.example", mode="test")
    made = [entry for entry in visit.trail if entry.action.startswith("callback.")]
    assert [(entry.action, *entry.details.values()) for entry in made] == [
        ("callback.redeliver", kept.event.type.value, kept.event.number),
        ("callback.test", "https://shop.example.com", "live"),
        ("callback.test", "https://other.example", "test"),
        ("callback.resume", PAUSED, "test"),
    ]
    assert {entry.who for entry in made} == {visit.member.name}
    page = visit.get("team")["body"]
    assert f"sent a callback again · {kept.event.type.value} · {kept.event.number}" in page


@pytest.mark.parametrize("path", ["{id}/redeliver", "test", "resume"])
def test_a_contended_change_is_made_with_one_entry(
    world: World, visit: PortalVisit, path: str
) -> None:
    kept = keep_delivery(world, visit.merchant)
    pause(world, visit)
    module, conflict = world.modules["merchant_portal"], cancelled("None", "TransactionConflict")
    with answered_with(module, "TransactWriteItems", conflict, 2) as calls:
        path = path.format(id=kept.event.webhook_id)
        answer = visit.post(f"callbacks/{path}", origin=PAUSED, mode="live")
    assert (answer["statusCode"], len(calls)) == (303, 3)
    assert sum(entry.action.startswith("callback.") for entry in visit.trail) == 1
