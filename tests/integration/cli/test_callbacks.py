"""`orderdesk callback …`, and the callbacks of `order show` (contract section 9)."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from standardwebhooks import Webhook

from orderdesk.domain.callbacks.delivery import Attempt, Delivery, DeliveryState, Failure
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackType
from orderdesk.domain.callbacks.steps import attempted, ended, opened
from tests.support.callback_functions import QUEUE, CallbackWorld
from tests.support.deliveries import FIRST, GONE, NOW_MS, REFUSED, TAKEN, URL
from tests.support.merchant_client import buy
from tests.support.offices import Terminal
from tests.support.world import World

WHY = ("--reason", "their endpoint is back")


@pytest.fixture
def callbacks(world: World) -> CallbackWorld:
    return CallbackWorld.on(world)


@pytest.fixture
def order_no(callbacks: CallbackWorld) -> str:
    callbacks.world.add_trader()
    _, client = callbacks.world.add_merchant()
    return str(client.create(buy()).data["order_no"])


def tried(event: CallbackEvent, *attempts: Attempt, now_ms: int = NOW_MS) -> Delivery:
    delivery = opened(event, FIRST, now_ms)
    for attempt in attempts:
        delivery = attempted(
            delivery,
            attempt,
            URL,
            carrier=FIRST,
            at_ms=now_ms,
            now_ms=now_ms + attempt.latency_ms,
            below=lambda _: 0,
        )
    return delivery


def test_an_orders_callbacks_attempt_by_attempt(
    callbacks: CallbackWorld, terminal: Terminal, order_no: str
) -> None:
    late = Attempt(None, 9999, failure=Failure.TIMEOUT)
    done = callbacks.event(
        order_no, webhook_id="msg_3", sequence=3, type=CallbackType.ORDER_COMPLETED
    )
    callbacks.put_record(tried(done, Attempt(500, 40, b"out of\x1b[31m\norder"), late))
    callbacks.put_record(tried(callbacks.event(order_no), TAKEN))
    listed = terminal.json("callback", "list", order_no)
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
    assert listed[1]["url"] == URL
    assert listed[1]["next_time"] == second + 9 + 30
    assert terminal.json("order", "show", order_no)["callbacks"] == listed
    order_id = str(terminal.json("order", "show", order_no)["order_id"])
    assert terminal.json("callback", "list", order_id) == listed
    for words in (("callback", "list", order_no), ("order", "show", order_no)):
        shown = terminal.run(*words).stdout
        assert "out of [31m order" in shown
        assert "timeout" in shown
        assert "\x1b" not in shown


def test_what_is_in_trouble_the_last_changed_first(
    callbacks: CallbackWorld, terminal: Terminal
) -> None:
    makers: list[Callable[[CallbackEvent, int], Delivery]] = [
        lambda event, at_ms: tried(event, TAKEN, now_ms=at_ms),
        lambda event, at_ms: tried(event, REFUSED, now_ms=at_ms),
        lambda event, at_ms: tried(event, GONE, now_ms=at_ms),
        lambda event, at_ms: ended(opened(event, FIRST, at_ms), DeliveryState.UNDELIVERABLE, at_ms),
        lambda event, at_ms: tried(event, *[REFUSED] * 10, now_ms=at_ms),
    ]
    for number in range(20):
        make = makers[number % 5]
        callbacks.put_record(make(callbacks.event(f"B{number}"), NOW_MS + number * 1000))

    def numbers(*words: str) -> list[str]:
        return [row["number"] for row in terminal.json("callback", *words)]

    newest_first = list(reversed(range(20)))
    assert numbers("list") == [f"B{number}" for number in newest_first if number % 5]
    assert numbers("dead") == [f"B{number}" for number in newest_first if number % 5 > 2]
    assert numbers("dead", "--limit", "3") == ["B19", "B18", "B14"]
    shown = terminal.run("callback", "dead").stdout
    assert shown.count("undeliverable") == 4
    assert shown.count("dead") >= 4


def test_redeliver_sends_the_same_callback_again(
    callbacks: CallbackWorld, terminal: Terminal
) -> None:
    event = callbacks.event()
    callbacks.put_record(tried(event, *[REFUSED] * 10))
    answer = terminal.json("callback", "redeliver", event.webhook_id, *WHY)
    assert (answer["state"], answer["redeliveries"]) == ("pending", 1)
    assert callbacks.deliver() == []
    ((_, headers, body),) = callbacks.post.sent
    assert headers["webhook-id"] == event.webhook_id
    assert Webhook(callbacks.secret).verify(body, dict(headers)) == json.loads(event.body)
    delivery = callbacks.delivery(event.webhook_id)
    assert (delivery.state, len(delivery.attempts)) == (DeliveryState.DELIVERED, 11)
    assert terminal.json("callback", "dead") == []
    (entry,) = terminal.json("audit")
    assert (entry["action"], entry["target"]) == ("callback.redeliver", event.webhook_id)
    assert entry["details"] == {"number": "B1", "state": "dead → pending"}
    assert entry["reason"] == WHY[1]


def test_redeliver_takes_the_place_of_the_message_that_waits(
    callbacks: CallbackWorld, terminal: Terminal
) -> None:
    event = callbacks.event()
    callbacks.post.script = [REFUSED, TAKEN]
    callbacks.put(event)
    callbacks.deliver()
    assert "On its way again" in terminal.run("callback", "redeliver", event.webhook_id).stdout
    assert callbacks.deliver() == []
    assert callbacks.delivery(event.webhook_id).state is DeliveryState.DELIVERED
    callbacks.put(event)  # hidden messages become visible
    assert callbacks.deliver() == []
    assert len(callbacks.post.sent) == 2


def test_a_redelivery_is_fair_to_the_others(callbacks: CallbackWorld, terminal: Terminal) -> None:
    event = callbacks.event()
    callbacks.put_record(tried(event, TAKEN))
    terminal.json("callback", "redeliver", event.webhook_id)
    received: Any = callbacks.world.sqs.receive_message(QueueUrl=QUEUE, AttributeNames=["All"])
    (message,) = received["Messages"]
    assert message["Attributes"]["MessageGroupId"] == event.merchant_id


def test_nothing_to_show(callbacks: CallbackWorld, terminal: Terminal, order_no: str) -> None:
    assert terminal.json("callback", "list") == []
    assert terminal.run("callback", "list").stdout == "No callback is in trouble.\n"
    assert terminal.run("callback", "dead").stdout == "No callback is dead.\n"
    assert terminal.run("callback", "list", order_no).stdout == f"{order_no} has no callbacks.\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("list", "B202601010000000000000001"), "no such order: B202601010000000000000001"),
        (("list", "nonsense"), "no such order: nonsense"),
        (("redeliver", "msg_none"), "no such callback: msg_none"),
    ],
)
def test_what_is_not_there_is_told(terminal: Terminal, words: tuple[str, ...], told: str) -> None:
    result = terminal.run("callback", *words, "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"orderdesk: {told}\n"


def test_which_callbacks_a_merchant_wants(callbacks: CallbackWorld, terminal: Terminal) -> None:
    merchant_id = callbacks.merchant.merchant_id
    some = ["order.paid", "order.completed"]
    changes: list[tuple[str, list[str] | None]] = [
        ("order.paid, order.completed,order.paid", some),
        ("none", []),
        ("all", None),
        ("order.completed", ["order.completed"]),
    ]
    for typed, wanted in changes:
        assert terminal.json("merchant", "set", merchant_id, "--events", typed)["events"] == wanted
    assert terminal.json("merchant", "show", merchant_id)["events"] == ["order.completed"]
    callbacks.put(callbacks.event())
    callbacks.deliver()
    assert callbacks.delivery("msg_B1_2").state is DeliveryState.SKIPPED
    refused = terminal.run("merchant", "set", merchant_id, "--events", "order.lost")
    assert refused.exit_code == 2
    assert "order.paid" in refused.stderr
