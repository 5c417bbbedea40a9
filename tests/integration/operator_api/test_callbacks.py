"""`callback.*`: answers, refusals and audit entries."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from standardwebhooks import Webhook

from orderdesk.adapters.dynamodb.callback_endpoints import EndpointStore
from orderdesk.adapters.dynamodb.callbacks import delivery_item
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Value, to_item
from orderdesk.domain.callbacks.delivery import Attempt, Delivery, DeliveryState, Failure
from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackType
from orderdesk.domain.callbacks.steps import ended, opened
from orderdesk.domain.pricing import Mode
from orderdesk.web.operator.callbacks import PAUSED_SHOWN
from orderdesk_cli.sheets.words import WARNINGS
from tests.support.callback_functions import QUEUE, CallbackWorld
from tests.support.deliveries import GONE, NOW_MS, REFUSED, TAKEN, URL, tried
from tests.support.merchant_client import buy
from tests.support.operator_api import OperatorApi

VIEWER, SUPPORT = "viewer-1", "support-1"
WHY = "their endpoint is back"


@pytest.fixture
def order_no(callbacks: CallbackWorld) -> str:
    callbacks.world.add_trader()
    _, client = callbacks.world.add_merchant()
    return str(client.create(buy()).data["order_no"])


def test_an_orders_callbacks_attempt_by_attempt(
    callbacks: CallbackWorld, api: OperatorApi, order_no: str
) -> None:
    late = Attempt(None, 9999, failure=Failure.TIMEOUT)
    done = callbacks.event(
        order_no, webhook_id="msg_3", sequence=3, type=CallbackType.ORDER_COMPLETED
    )
    callbacks.put_record(tried(done, Attempt(500, 40, b"out of\x1b[31m\norder"), late))
    callbacks.put_record(tried(callbacks.event(order_no), TAKEN))
    listed = api.data(VIEWER, "callback.list", order_no=order_no)["items"]
    assert [(row["sequence"], row["type"], row["state"]) for row in listed] == [
        (2, "order.paid", "delivered"),
        (3, "order.completed", "pending"),
    ]
    second = NOW_MS // 1000
    assert listed[1]["attempts"] == [
        {
            "time": second,
            "status": 500,
            "latency_ms": 40,
            "failure": None,
            "answer": "out of\x1b[31m\norder",
        },
        {"time": second, "status": None, "latency_ms": 9999, "failure": "timeout", "answer": ""},
    ]
    assert (listed[1]["url"], listed[1]["next_time"]) == (URL, second + 9 + 30)
    assert listed[1]["merchant_name"] == callbacks.merchant.name
    shown = api.data(VIEWER, "order.show", order_no=order_no)
    assert shown["callbacks"] == listed
    by_id = api.data(VIEWER, "callback.list", order_no=str(shown["order_id"]))["items"]
    assert by_id == listed
    assert api.data(VIEWER, "callback.show", webhook_id="msg_3") == listed[1]


def test_what_is_in_trouble_the_last_changed_first(
    callbacks: CallbackWorld, api: OperatorApi
) -> None:
    makers: list[Callable[[CallbackEvent, int], Delivery]] = [
        lambda event, at_ms: tried(event, TAKEN, now_ms=at_ms),
        lambda event, at_ms: tried(event, REFUSED, now_ms=at_ms),
        lambda event, at_ms: tried(event, GONE, now_ms=at_ms),
        lambda event, at_ms: ended(opened(event), DeliveryState.UNDELIVERABLE, at_ms),
        lambda event, at_ms: tried(event, *[REFUSED] * 10, now_ms=at_ms),
    ]
    for number in range(20):
        make = makers[number % 5]
        # Two of them changed at the same time.
        at_ms = NOW_MS + (number // 10) * 1000 + number
        callbacks.put_record(make(callbacks.event(f"B{number}"), at_ms - at_ms % 2))

    def numbers(command: str, **asked: Any) -> list[str]:
        return [row["number"] for row in api.items(VIEWER, command, **asked)]

    everything = numbers("callback.list")
    assert sorted(everything) == sorted(f"B{number}" for number in range(20) if number % 5)
    dead = numbers("callback.dead")
    assert sorted(dead) == sorted(f"B{number}" for number in range(20) if number % 5 > 2)
    assert dead == [number for number in everything if number in dead]
    for limit in (1, 3):
        assert numbers("callback.list", limit=limit) == everything
        assert numbers("callback.dead", limit=limit) == dead
    merchant_id = callbacks.merchant.merchant_id
    assert numbers("callback.list", merchant_id=merchant_id) == everything
    callbacks.world.add_merchant(name="other")
    assert numbers("callback.list", merchant_id="other") == []


def test_paused_endpoints_are_beside_the_first_page(
    callbacks: CallbackWorld, api: OperatorApi
) -> None:
    merchant, store = callbacks.merchant, EndpointStore(callbacks.world.client, "Callbacks", 90)
    other = EndpointId("m2", Mode.TEST, "https://b.example")
    own = EndpointId(merchant.merchant_id, Mode.LIVE, "https://a.example:8443")
    draining = EndpointId(merchant.merchant_id, Mode.LIVE, "https://c.example")
    store.save(Endpoint(own, version=1, since_ms=NOW_MS, probe_ms=NOW_MS + 60_000))
    store.save(Endpoint(other, version=1, since_ms=NOW_MS, probe_ms=NOW_MS + 90_000))
    store.save(Endpoint(draining, version=1, resumed_ms=NOW_MS))
    second = NOW_MS // 1000
    row = {
        "merchant_id": merchant.merchant_id,
        "merchant_name": merchant.name,
        "mode": "live",
        "origin": "https://a.example:8443",
        "since": second,
        "probe_time": second + 60,
    }
    for command in ("callback.list", "callback.dead"):
        paused = api.data(VIEWER, command)["paused"]
        assert [each["merchant_id"] for each in paused] == [merchant.merchant_id, "m2"]
        assert paused[0] == row
        own_only = api.data(VIEWER, command, merchant_id=merchant.merchant_id)
        assert own_only["paused"] == [row]


def test_a_cut_list_of_paused_endpoints_says_so(callbacks: CallbackWorld, api: OperatorApi) -> None:
    store = EndpointStore(callbacks.world.client, "Callbacks", 90)

    def pause(number: int, merchant_id: str) -> None:
        id_ = EndpointId(merchant_id, Mode.LIVE, "https://a.example")
        store.save(Endpoint(id_, version=1, since_ms=NOW_MS, probe_ms=NOW_MS + number))

    for number in range(PAUSED_SHOWN):
        pause(number, f"m{number}")
    whole = api.data(VIEWER, "callback.dead")
    assert (len(whole["paused"]), "warnings" in whole) == (PAUSED_SHOWN, False)
    pause(PAUSED_SHOWN, callbacks.merchant.merchant_id)
    cut = api.data(VIEWER, "callback.dead")
    assert (len(cut["paused"]), cut["warnings"]) == (PAUSED_SHOWN, ["more_paused"])
    assert WARNINGS["more_paused"][0].count(f"{PAUSED_SHOWN} shown") == 1
    own = api.data(VIEWER, "callback.dead", merchant_id=callbacks.merchant.merchant_id)
    assert (len(own["paused"]), "warnings" in own) == (1, False)


def test_malformed_items_are_left_out(
    callbacks: CallbackWorld, api: OperatorApi, order_no: str
) -> None:
    spoiled: list[dict[str, Value]] = [
        {"state": "dying"},
        {"body": b"not compressed"},
        {"attempts": None},
        {"round": "1"},
    ]
    for number, changes in enumerate(spoiled):
        event = callbacks.event(order_no, webhook_id=f"msg_{number}", sequence=number)
        item = delivery_item(tried(event, REFUSED, *[REFUSED] * 9), 90)
        callbacks.world.client.put_item(TableName="Callbacks", Item=to_item({**item, **changes}))
    whole = callbacks.event(order_no, webhook_id="msg_whole", sequence=9)
    callbacks.put_record(tried(whole, *[REFUSED] * 10))
    store = EndpointStore(callbacks.world.client, "Callbacks", 90)
    for name in ("a", "b"):
        id_ = EndpointId(callbacks.merchant.merchant_id, Mode.LIVE, f"https://{name}.example")
        store.save(Endpoint(id_, version=1, since_ms=NOW_MS, probe_ms=NOW_MS))
    callbacks.world.client.update_item(
        TableName="Callbacks",
        Key=to_item({"webhook_id": Key.endpoint(id_.text)}),
        UpdateExpression="REMOVE probes",
    )
    for command in ("callback.list", "callback.dead"):
        found = api.data(VIEWER, command)
        assert [row["webhook_id"] for row in found["items"]] == ["msg_whole"]
        assert [row["origin"] for row in found["paused"]] == ["https://a.example"]
    of_order = api.data(VIEWER, "callback.list", order_no=order_no)["items"]
    assert [row["webhook_id"] for row in of_order] == ["msg_whole"]
    assert api.data(VIEWER, "order.show", order_no=order_no)["callbacks"] == of_order


def test_redeliver_sends_the_same_callback_again(
    callbacks: CallbackWorld, api: OperatorApi
) -> None:
    event = callbacks.event()
    callbacks.put_record(tried(event, *[REFUSED] * 10))
    answer = api.data(SUPPORT, "callback.redeliver", webhook_id=event.webhook_id, reason=WHY)
    assert (answer["state"], answer["redeliveries"]) == ("pending", 1)
    assert callbacks.deliver() == []
    ((_, headers, body),) = callbacks.post.sent
    assert headers["webhook-id"] == event.webhook_id
    assert Webhook(callbacks.secret).verify(body, dict(headers)) == json.loads(event.body)
    delivery = callbacks.delivery(event.webhook_id)
    assert (delivery.state, len(delivery.attempts)) == (DeliveryState.DELIVERED, 11)
    assert api.data(VIEWER, "callback.dead")["items"] == []
    (entry,) = api.data(VIEWER, "audit.list")["items"]
    assert (entry["who"], entry["action"], entry["target"]) == (
        *(SUPPORT, "callback.redeliver"),
        event.webhook_id,
    )
    assert entry["details"] == {"number": "B1", "state": "dead → pending"}
    assert entry["reason"] == WHY


def test_a_redelivery_is_fair_to_the_others(callbacks: CallbackWorld, api: OperatorApi) -> None:
    event = callbacks.event()
    callbacks.put_record(tried(event, TAKEN))
    api.data(SUPPORT, "callback.redeliver", webhook_id=event.webhook_id)
    received: Any = callbacks.world.sqs.receive_message(QueueUrl=QUEUE, AttributeNames=["All"])
    (message,) = received["Messages"]
    assert message["Attributes"]["MessageGroupId"] == event.merchant_id
