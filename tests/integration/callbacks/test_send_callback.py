"""send-callback in this process: queue, records, secrets and log; only the network is faked."""

import json
import time
from dataclasses import replace

import pytest
from standardwebhooks import Webhook

from orderdesk.adapters.dynamodb.callbacks import CallbackStore
from orderdesk.domain.callbacks.delivery import Attempt, DeliveryState
from orderdesk.domain.callbacks.steps import attempted, redelivered
from orderdesk.domain.errors import ChangedMeanwhile
from tests.support.callback_functions import CallbackWorld, logged
from tests.support.deliveries import TAKEN, URL
from tests.support.merchant_receiver import sign_with

OTHER_SECRET = "whsec_" + "BBBB" * 11


def test_a_message_becomes_a_post_that_the_standards_library_verifies(
    callbacks: CallbackWorld,
) -> None:
    event = callbacks.event()
    callbacks.put(event)
    before = int(time.time())
    assert callbacks.deliver() == []
    ((url, headers, body),) = callbacks.post.sent
    assert url == URL
    assert Webhook(callbacks.secret).verify(body, dict(headers)) == json.loads(event.body)
    assert before <= int(headers["webhook-timestamp"]) <= time.time()
    delivery = callbacks.delivery(event.webhook_id)
    assert (delivery.state, delivery.event, delivery.url) == (DeliveryState.DELIVERED, event, URL)
    assert [kept.status for kept in delivery.attempts] == [200]
    assert callbacks.queued() == (0, 0)


def test_while_a_secret_rotates_both_verify_at_once(callbacks: CallbackWorld) -> None:
    callbacks.put(callbacks.event("B1"))
    callbacks.deliver()
    sign_with(callbacks.world, callbacks.merchant, OTHER_SECRET, callbacks.secret)
    callbacks.world.let_time_pass(seconds=31)
    callbacks.put(callbacks.event("B2"))
    callbacks.deliver()
    before, after = callbacks.post.sent
    assert len(before[1]["webhook-signature"].split()) == 1
    assert len(after[1]["webhook-signature"].split()) == 2
    for secret in (OTHER_SECRET, callbacks.secret):
        assert Webhook(secret).verify(after[2], dict(after[1]))


def test_a_warm_callback_makes_five_requests(callbacks: CallbackWorld) -> None:
    callbacks.put(callbacks.event("B1"))
    callbacks.deliver()
    with callbacks.world.requests("send_callback") as requests:
        callbacks.put(callbacks.event("B2"))
        callbacks.deliver()
    assert requests == ["GetItem", "GetItem", "UpdateItem", "UpdateItem", "PutItem"]


def test_what_failed_waits_outside_the_queue(callbacks: CallbackWorld) -> None:
    events = [callbacks.event("B1"), callbacks.event("B2")]
    callbacks.post.script = [Attempt(500, 9, b"why"), TAKEN]
    callbacks.put(*events)
    assert callbacks.deliver() == []
    assert callbacks.queued() == (0, 0), "a delayed message is not in flight"
    failed = callbacks.delivery(events[0].webhook_id)
    assert (failed.state, failed.tries, failed.attempts[0].answer) == (
        DeliveryState.PENDING,
        1,
        "why",
    )
    assert failed.next_ms is not None
    assert 5000 <= failed.next_ms - failed.updated_ms <= 5500
    assert callbacks.delayed() == 1


def test_the_sweep_queues_what_waited_for_longer(callbacks: CallbackWorld) -> None:
    event = callbacks.event()
    callbacks.post.script = [Attempt(503, 9, retry_after="3600"), TAKEN]
    callbacks.put(event)
    callbacks.deliver()
    callbacks.pass_time(seconds=3_530)
    callbacks.sweep()
    assert callbacks.delayed() == 0
    callbacks.pass_time(seconds=20)
    callbacks.sweep()
    assert callbacks.delayed() == 1, "it is delayed until the delivery is due"
    callbacks.sweep()
    assert callbacks.delayed() == 1
    callbacks.pass_time(seconds=60)
    callbacks.put_again(event)
    callbacks.deliver()
    assert callbacks.delivery(event.webhook_id).state is DeliveryState.DELIVERED
    assert all("due_key" not in row for row in callbacks.world.items("Callbacks"))


def test_the_record_has_no_secret_and_the_log_no_payload(
    callbacks: CallbackWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    callbacks.start_cold()
    callbacks.post.script = [Attempt(500, 9, b"the answer")]
    callbacks.put(callbacks.event(callback_url="https://shop.example.com/token"))
    callbacks.deliver()
    output = capsys.readouterr().out
    for text in ("the answer", "token", "order.paid", callbacks.secret, "webhook-signature"):
        assert text not in output
    (visited,) = (line for line in logged(output) if line.get("message") == "visited")
    assert (visited["attempts"], visited["failed"], visited["delivered"]) == (1, 1, 0)
    assert callbacks.secret not in repr(callbacks.world.items("Callbacks"))


def test_metrics_tell_how_old_a_callback_was(
    callbacks: CallbackWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    callbacks.start_cold()
    now = int(time.time())
    callbacks.put(callbacks.event(timestamp=now - 40), callbacks.event("B2", timestamp=now))
    callbacks.deliver()
    (metrics,) = (line for line in logged(capsys.readouterr().out) if "_aws" in line)
    assert metrics["callbacks_delivered"] == [2.0]
    assert metrics["callbacks_attempts"] == [2.0]
    assert 40 <= max(metrics["callback_age"]) < 60


def test_an_unexpected_error_is_told_and_the_message_comes_back(
    callbacks: CallbackWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    sealed_no_secret = {"callback_url": URL, "sealed_callback_secrets": b"-"}
    merchant, _ = callbacks.world.add_merchant(**sealed_no_secret)
    callbacks.start_cold()
    good, bad = callbacks.event(), callbacks.event("B2", merchant_id=merchant.merchant_id)
    callbacks.put(bad, good)
    (kept,) = callbacks.deliver()
    assert bad.webhook_id in kept
    codes = [line.get("code") for line in logged(capsys.readouterr().out)]
    assert codes.count(5000) == 1


def test_one_of_two_equal_writes_succeeds(callbacks: CallbackWorld) -> None:
    """Two copies of a message can make equal attempts in the same millisecond."""
    event = callbacks.event()
    callbacks.put(event)
    callbacks.deliver()
    there = callbacks.delivery(event.webhook_id)
    after = redelivered(there, there.updated_ms)
    callbacks.store.save(after)
    with pytest.raises(ChangedMeanwhile):
        callbacks.store.save(after)
    with pytest.raises(ChangedMeanwhile):
        callbacks.store.save(replace(after, version=after.version + 2))
    assert callbacks.delivery(event.webhook_id) == after


def test_a_record_is_read_as_it_was_written(callbacks: CallbackWorld) -> None:
    event = callbacks.event(callback_url="https://shop.example.com/")
    callbacks.put(event)
    callbacks.deliver()
    first = callbacks.delivery(event.webhook_id)
    second = attempted(
        first,
        Attempt(None, 1, failure=None),
        "",
        reference=first.reference,
        at_ms=1,
        now_ms=2,
        below=lambda _: 0,
    )
    CallbackStore(callbacks.world.client, "Callbacks", 90).save(second)
    assert callbacks.delivery(event.webhook_id) == second
    (item,) = (row for row in callbacks.world.items("Callbacks") if "body" in row)
    assert item["expires_at"] == 90 * 86_400
