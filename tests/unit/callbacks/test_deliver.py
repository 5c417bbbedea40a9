"""One message of the queue, from receipt to receipt, with crashes in between."""

from dataclasses import replace

import pytest

from orderdesk.domain.callbacks.delivery import DeliveryState
from orderdesk.domain.callbacks.events import CallbackMessage
from orderdesk.domain.callbacks.signing import sign
from orderdesk.domain.callbacks.steps import redelivered
from orderdesk.domain.errors import TryAgain
from orderdesk.services.callbacks.deliver import USER_AGENT, Outcome, SqsMessage, deliver
from tests.support.deliveries import (
    EVENT,
    GONE,
    HANDLE,
    LATE,
    NOW_MS,
    REFUSED,
    SECRET,
    TAKEN,
    URL,
    Counter,
    merchant_of,
)

CONTRACT = [5, 30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600]


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


def test_the_whole_schedule_then_the_dead_letters() -> None:
    counter = Counter()
    counter.post.script = [LATE, REFUSED]
    visits = counter.run()
    outcomes = [done.outcome for done in visits]
    assert outcomes == [*[Outcome.FAILED] * 9, Outcome.EARLY, Outcome.DEAD]
    assert counter.post.hidden_seconds == [*CONTRACT, 43_140, 60]  # 12 h are more than SQS hides
    assert len(counter.post.sent) == len(counter.record.attempts) == 10
    assert counter.post.dead_letters == [CallbackMessage(EVENT).to_json()]
    assert counter.record.state is DeliveryState.DEAD


def test_the_orders_own_target_goes_first() -> None:
    counter = Counter()
    own = replace(EVENT, callback_url="https://other.example.com/")
    assert counter.visit(own).outcome is Outcome.DELIVERED
    assert counter.post.sent[0][0] == "https://other.example.com/"


def test_a_target_given_later_is_used() -> None:
    counter = Counter()
    counter.post.script = [REFUSED, TAKEN]
    counter.visit()
    counter.merchant = merchant_of(callback_url="https://new.example.com/")
    counter.now_ms += 5000
    assert counter.visit().outcome is Outcome.DELIVERED
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
    assert counter.visit(message_id="message-2", round_=1).outcome is Outcome.DELIVERED


def test_gone_is_over() -> None:
    counter = Counter()
    counter.post.script = [REFUSED, GONE]
    counter.visit()
    counter.now_ms += 5000
    done = counter.visit()
    assert (done.outcome, done.keeps_message) == (Outcome.GONE, False)
    assert counter.post.dead_letters == []


def test_a_message_that_comes_twice_is_sent_once() -> None:
    counter = Counter()
    assert counter.visit().outcome is Outcome.DELIVERED
    for message_id in ("message-1", "message-2"):
        done = counter.visit(message_id=message_id)
        assert (done.outcome, done.keeps_message) == (Outcome.OVER, False)
    assert len(counter.post.sent) == 1


def test_where_enough_wait_for_a_merchant_its_messages_wait_without_an_attempt() -> None:
    counter = Counter(crowded=True)
    done = counter.visit()
    assert (done.outcome, done.keeps_message) == (Outcome.CROWDED, True)
    assert (counter.post.sent, counter.shelf.kept) == ([], {})
    assert counter.post.hidden_seconds == [1]
    counter.crowded = False
    assert counter.visit().outcome is Outcome.DELIVERED
    assert counter.inside == 0


def test_a_lane_is_left_whatever_happens() -> None:
    counter = Counter()
    counter.post.on_send = die
    with pytest.raises(Died):
        counter.visit()
    counter.secrets = ()
    assert counter.visit().outcome is Outcome.LEFT
    assert counter.inside == 0


def test_two_copies_at_the_same_time_keep_one_schedule() -> None:
    counter = Counter()
    counter.post.script = [REFUSED]

    def copy() -> None:
        counter.post.on_send = None
        assert counter.visit(message_id="message-2").keeps_message

    counter.post.on_send = copy
    done = counter.visit(message_id="message-1")
    assert (done.outcome, done.keeps_message) == (Outcome.FAILED, False)
    assert counter.record.message_id == "message-2"
    assert (counter.record.tries, len(counter.record.attempts)) == (1, 2)


def test_a_copy_that_arrived_settles_it_for_both() -> None:
    counter = Counter()
    counter.post.script = [TAKEN, REFUSED]

    def copy() -> None:
        counter.post.on_send = None
        counter.post.script = [REFUSED]
        assert counter.visit(message_id="message-2").keeps_message
        counter.post.script = [TAKEN]

    counter.post.on_send = copy
    assert counter.visit(message_id="message-1").outcome is Outcome.DELIVERED
    counter.now_ms += 10_000
    assert counter.visit(message_id="message-2").outcome is Outcome.OVER
    assert counter.record.state is DeliveryState.DELIVERED


def test_dying_after_sending_sends_again_with_the_same_id() -> None:
    counter = Counter()
    counter.shelf.meanwhile = die
    with pytest.raises(Died):
        counter.visit()
    assert counter.shelf.kept == {}
    assert counter.visit().outcome is Outcome.DELIVERED
    assert {headers["webhook-id"] for _, headers, _ in counter.post.sent} == {EVENT.webhook_id}
    assert len(counter.post.sent) == 2


def test_dying_after_writing_waits_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = Counter()
    counter.post.script = [REFUSED]
    with monkeypatch.context() as patch:
        patch.setattr(counter.post, "hide", lambda *_: die())
        with pytest.raises(Died):
            counter.visit()
    counter.now_ms += 1000
    assert counter.visit().outcome is Outcome.EARLY
    assert counter.post.hidden_seconds == [4]
    assert len(counter.post.sent) == 1


def test_dying_before_burying_buries_later(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = Counter()
    counter.post.script = [REFUSED]
    with monkeypatch.context() as patch:
        patch.setattr(counter.post, "dead_letter", lambda *_: die())
        with pytest.raises(Died):
            counter.run()
    assert (counter.record.state, counter.post.dead_letters) == (DeliveryState.DEAD, [])
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


@pytest.mark.parametrize("text", ["", "{}", "no json", '{"webhook_id": 1}'])
def test_what_cannot_be_read_is_buried_and_told(text: str) -> None:
    counter = Counter()
    done = deliver(SqsMessage("message-1", HANDLE, text), counter.ports)
    assert (done.outcome, done.keeps_message) == (Outcome.UNREADABLE, False)
    assert counter.post.dead_letters == [text]
    assert len(counter.reported) == 1


def test_a_message_keeps_its_round() -> None:
    message = CallbackMessage(EVENT, 3)
    assert CallbackMessage.from_json(message.to_json()) == message
    assert CallbackMessage.from_json(EVENT.to_json()) == CallbackMessage(EVENT)
