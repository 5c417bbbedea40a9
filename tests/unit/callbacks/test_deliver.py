"""One message of the queue, from receipt to receipt, with crashes in between."""

import collections
import json
from dataclasses import replace

import pytest

from orderdesk.domain.callbacks.delivery import Attempt, DeliveryState
from orderdesk.domain.callbacks.events import (
    CallbackReference,
    CallbackType,
    UnrecordedEvent,
    account_event,
)
from orderdesk.domain.callbacks.signing import sign
from orderdesk.domain.callbacks.steps import SPARE_MS, opened, redelivered, watched
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.pricing import Mode
from orderdesk.services.callbacks.deliver import USER_AGENT, Done, Outcome, deliver
from orderdesk.services.callbacks.sweep import Swept
from tests.support.deliveries import EVENT, GONE, NOW_MS, REFUSED, TAKEN, URL, merchant_of
from tests.unit.callbacks.counter import FIRST, LATE, SECRET, Counter

CONTRACT = [5, 30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600]


class Died(BaseException):
    """Simulate the end of the process."""


def die() -> None:
    raise Died


def test_what_is_sent() -> None:
    counter = Counter()
    done = counter.visit()
    ((url, headers, body),) = counter.post.sent
    assert (url, body) == (URL, EVENT.body)
    second = NOW_MS // 1000
    assert headers == {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "webhook-id": EVENT.webhook_id,
        "webhook-timestamp": str(second),
        "webhook-signature": sign(EVENT.webhook_id, second, EVENT.body, (SECRET,)),
    }
    assert (done.outcome, done.keeps_message, done.age_seconds) == (Outcome.DELIVERED, False, 3)
    assert (counter.record.state, counter.record.url) == (DeliveryState.DELIVERED, URL)


def test_the_orders_own_target_goes_first() -> None:
    counter = Counter()
    counter.record_event(replace(EVENT, callback_url="https://other.example.com/"))
    assert counter.visit().outcome is Outcome.DELIVERED
    assert counter.post.sent[0][0] == "https://other.example.com/"


def test_a_target_given_later_is_used() -> None:
    counter = Counter()
    counter.post.script = [REFUSED, TAKEN]
    counter.visit()
    counter.merchant = merchant_of(callback_url="https://new.example.com/")
    counter.now_ms += 5000
    assert counter.visit(counter.record.reference).outcome is Outcome.DELIVERED
    assert counter.record.url == "https://new.example.com/"


@pytest.mark.parametrize("merchant", [merchant_of(callback_url=""), None])
def test_without_a_url_a_callback_is_undeliverable(merchant: object) -> None:
    counter = Counter(merchant=merchant)  # type: ignore[arg-type]
    done = counter.visit()
    assert (done.outcome, done.keeps_message) == (Outcome.UNDELIVERABLE, False)
    assert counter.post.sent == []
    assert counter.visit().outcome is Outcome.OVER


def test_what_the_merchant_does_not_want_is_skipped_unless_redelivered() -> None:
    counter = Counter(merchant=merchant_of(events=("order.completed",)))
    assert counter.visit().outcome is Outcome.SKIPPED
    assert counter.post.sent == []
    counter.shelf.save(redelivered(counter.record, NOW_MS))
    assert counter.visit(counter.record.reference).outcome is Outcome.DELIVERED


def test_gone_is_over() -> None:
    counter = Counter()
    counter.post.script = [REFUSED, GONE]
    counter.visit()
    counter.now_ms += 5000
    done = counter.visit(counter.record.reference)
    assert (done.outcome, done.keeps_message) == (Outcome.GONE, False)
    assert counter.post.dead_letters == []


def test_a_message_that_comes_twice_is_sent_once() -> None:
    counter = Counter()
    assert counter.visit().outcome is Outcome.DELIVERED
    done = counter.visit()
    assert (done.outcome, done.keeps_message) == (Outcome.OVER, False)
    assert len(counter.post.sent) == 1


def test_where_enough_wait_for_a_merchant_its_messages_wait_without_an_attempt() -> None:
    counter = Counter(crowded=True)
    first = counter.record
    assert counter.visit() == Done(Outcome.CROWDED)
    assert (counter.post.sent, counter.record) == ([], first)
    [(again, seconds)] = counter.post.delayed
    assert (again, seconds) == (replace(FIRST, visits=1), 1)
    counter.crowded = False
    assert counter.visit(again).outcome is Outcome.DELIVERED
    assert counter.inside == 0


def test_a_lane_is_left_whatever_happens() -> None:
    counter = Counter()
    counter.post.on_send = die
    with pytest.raises(Died):
        counter.visit()
    counter.secrets = ()
    assert counter.visit().outcome is Outcome.LEFT
    assert counter.inside == 0


def test_dying_after_writing_leaves_the_next_message_to_the_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counter = Counter()
    counter.post.script = [REFUSED, TAKEN]
    with monkeypatch.context() as patch:
        patch.setattr(counter.post, "delay", lambda *_: die())
        with pytest.raises(Died):
            counter.visit()
    assert counter.visit().outcome is Outcome.OVER
    counter.now_ms += 5000 + SPARE_MS
    with monkeypatch.context() as patch:
        patch.setattr(counter.post, "delay", lambda *_: die())
        with pytest.raises(Died):
            counter.sweep()
    assert not counter.sweep()
    counter.now_ms += SPARE_MS
    assert counter.sweep() == {Swept.QUEUED: 1}
    [(again, seconds)] = counter.post.delayed
    assert (counter.visit(again).outcome, seconds) == (Outcome.DELIVERED, 0)
    assert len(counter.post.sent) == 2


def test_of_a_deliverys_messages_only_the_last_one_counts() -> None:
    """A long queue does not fill with copies: each message of the sweep replaces the others."""
    counter = Counter()
    counter.post.script = [REFUSED]
    counter.visit()
    for _ in range(3):
        counter.now_ms += SPARE_MS + 5000
        counter.sweep()
    *before, last = (reference for reference, _ in counter.post.delayed)
    assert [counter.visit(each).outcome for each in before] == [Outcome.OVER] * 3
    assert counter.visit(last).outcome is Outcome.FAILED


def test_two_sweeps_at_the_same_time_send_one_message() -> None:
    counter = Counter()
    counter.post.script = [REFUSED]
    counter.visit()
    counter.post.delayed.clear()
    counter.now_ms += SPARE_MS + 5000
    others: list[collections.Counter[Swept]] = []
    counter.shelf.meanwhile = lambda: others.append(counter.sweep())
    assert counter.sweep() == {Swept.LEFT: 1}
    assert others == [{Swept.QUEUED: 1}]
    assert len(counter.post.delayed) == 1


def test_one_broken_record_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    counter, error = Counter(), RuntimeError("a bug")
    for event in (EVENT, replace(EVENT, webhook_id="msg_B2_2")):
        counter.shelf.kept[event.webhook_id] = redelivered(opened(event), NOW_MS)
    counter.now_ms += SPARE_MS
    delay = counter.post.delay

    def fail_once(reference: CallbackReference, seconds: int) -> None:
        monkeypatch.setattr(counter.post, "delay", delay)
        raise error

    monkeypatch.setattr(counter.post, "delay", fail_once)
    assert counter.sweep() == {Swept.FAILED: 1, Swept.QUEUED: 1}
    assert counter.reported == [error]


def test_dying_before_burying_buries_later(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = Counter()
    counter.post.script = [REFUSED]
    with monkeypatch.context() as patch:
        patch.setattr(counter.post, "dead_letter", lambda *_: die())
        with pytest.raises(Died):
            counter.run()
    assert (counter.record.state, counter.post.dead_letters) == (DeliveryState.DEAD, [])
    last = replace(counter.record.reference, turn=counter.record.turn - 1)
    assert not counter.visit(last).keeps_message
    assert len(counter.post.dead_letters) == 1
    assert not counter.visit().keeps_message
    assert len(counter.post.dead_letters) == 1
    assert len(counter.post.sent) == 10


@pytest.mark.parametrize("error", [TryAgain(), RuntimeError("a bug")])
def test_one_messages_failure_is_its_own(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    counter = Counter()

    def fail(_: str) -> None:
        raise error

    monkeypatch.setattr(counter.shelf, "delivery", fail)
    done = counter.visit()
    assert (done.outcome, done.keeps_message) == (Outcome.LEFT, True)
    assert counter.reported == ([] if isinstance(error, TryAgain) else [error])


@pytest.mark.parametrize("text", ["", "{}", "no json", "[]", '{"webhook_id": 1}'])
def test_what_cannot_be_read_is_buried_and_told(text: str) -> None:
    counter = Counter()
    assert deliver(text, counter.ports) == Done(Outcome.UNREADABLE)
    assert counter.post.dead_letters == [text]
    assert len(counter.reported) == 1


def test_a_message_without_a_record_is_refused_whatever_it_says() -> None:
    """Write access to the queue is not enough to have an invented event signed."""
    counter = Counter()
    invented = replace(FIRST, webhook_id="msg_B9_3").to_json()
    with_body = json.dumps({**json.loads(invented), "type": "order.completed", "body": "{}"})
    for text in (invented, with_body):
        assert deliver(text, counter.ports) == Done(Outcome.UNRECORDED)
    assert (counter.post.sent, counter.post.dead_letters) == ([], [invented, with_body])
    assert [type(error) for error in counter.reported] == [UnrecordedEvent] * 2


def test_a_body_on_the_queue_is_ignored() -> None:
    counter = Counter()
    text = json.dumps({**json.loads(FIRST.to_json()), "body": "{}", "callback_url": "http://e.vil"})
    assert deliver(text, counter.ports).outcome is Outcome.DELIVERED
    ((url, _, body),) = counter.post.sent
    assert (url, body) == (URL, EVENT.body)


def test_a_message_is_read_as_it_was_written() -> None:
    message = CallbackReference("msg_1", "m1", 3, 4, 5)
    assert CallbackReference.from_json(message.to_json()) == message


@pytest.mark.parametrize(
    ("attempt", "state"),
    [
        (TAKEN, DeliveryState.DELIVERED),
        (REFUSED, DeliveryState.FAILED),
        (LATE, DeliveryState.FAILED),
        (GONE, DeliveryState.FAILED),
    ],
)
def test_a_test_is_attempted_once(attempt: Attempt, state: DeliveryState) -> None:
    counter = Counter(merchant=merchant_of(events=()))
    kind = CallbackType.ENDPOINT_TEST
    event = account_event(kind, "msg_B1_2", "m1", Mode.TEST, NOW_MS // 1000)
    counter.shelf.kept[event.webhook_id] = watched(opened(event), NOW_MS)
    counter.post.script = [attempt]
    assert not counter.visit().keeps_message
    record = counter.record
    assert (record.state, len(record.attempts), record.trouble) == (state, 1, None)
    counter.now_ms += 10**9
    assert not counter.sweep()
    assert (counter.post.delayed, counter.post.dead_letters) == ([], [])
