"""Endpoints that keep failing: paused, probed, drained, given up; with crashes in between."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

import pytest

from orderdesk.domain.callbacks.delivery import Attempt, Delivery, DeliveryState
from orderdesk.domain.callbacks.endpoints import (
    DELIVERIES_TO_PAUSE,
    PAUSED_MOST,
    PAUSED_MS_MAX,
    SETTLING_MS,
    Endpoint,
    EndpointId,
    EndpointState,
    origin_of,
)
from orderdesk.domain.callbacks.events import CallbackReference, CallbackType, account_event
from orderdesk.domain.callbacks.steps import opened, redelivered, watched
from orderdesk.domain.orders.order_errors import OrderNotFound
from orderdesk.domain.pricing import Mode
from orderdesk.services.callbacks.deliver import Outcome
from orderdesk.services.callbacks.endpoints import paused_endpoints
from orderdesk.services.callbacks.sweep import ResumePorts, Swept, resume_endpoint
from tests.support.chance import NoJitter
from tests.support.deliveries import EVENT, GONE, NOW_MS, REFUSED, TAKEN, URL, merchant_of
from tests.unit.callbacks.counter import Counter

ORIGIN = "https://shop.example.com"
PLACE = EndpointId("m1", Mode.LIVE, ORIGIN)
OTHER_URL = "https://pay.example.net/hook"
CONTRACT = [5, 30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600]
SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000


class Died(BaseException):
    """Simulate the end of the process."""


def die(*_: object) -> None:
    raise Died


@dataclass
class Queue:
    """Delayed messages and a sweep a minute, in the order of time; each message is visited once."""

    counter: Counter
    messages: list[tuple[int, CallbackReference]] = field(default_factory=list)
    next_sweep_ms: int = NOW_MS + MINUTE
    outcomes: list[tuple[int, Outcome]] = field(default_factory=list)

    def add(self, number: int, **changes: object) -> str:
        event = replace(
            EVENT,
            webhook_id=f"msg_B{number}_2",
            number=f"B{number}",
            timestamp=self.counter.now_ms // 1000,
            **changes,  # type: ignore[arg-type]
        )
        self.counter.record_event(event)
        self.messages.append((self.counter.now_ms, self.delivery(event.webhook_id).reference))
        return event.webhook_id

    def redeliver(self, webhook_id: str) -> None:
        self.counter.shelf.save(redelivered(self.delivery(webhook_id), self.counter.now_ms))
        self.messages.append((self.counter.now_ms, self.delivery(webhook_id).reference))

    def delivery(self, webhook_id: str) -> Delivery:
        return self.counter.shelf.kept[webhook_id]

    def run(self, until_ms: int, stop: Callable[[], bool] = lambda: False) -> None:
        """Process what happens until a time, or until `stop`."""
        while not stop():
            self.messages.sort(key=lambda each: each[0])
            at_ms = min([self.next_sweep_ms, *(at for at, _ in self.messages[:1])])
            if at_ms > until_ms:
                self.counter.now_ms = until_ms
                return
            self.counter.now_ms = max(at_ms, self.counter.now_ms)
            if at_ms == self.next_sweep_ms:
                self.next_sweep_ms += MINUTE
                self.counter.sweep()
            else:
                _, reference = self.messages.pop(0)
                self.outcomes.append((at_ms, self.counter.visit(reference).outcome))
            self.take()

    def take(self) -> None:
        """Move what was sent to the queue."""
        delayed, self.counter.post.delayed = self.counter.post.delayed, []
        now_ms = self.counter.now_ms
        self.messages += [(now_ms + seconds * 1000, each) for each, seconds in delayed]

    @property
    def endpoint(self) -> Endpoint | None:
        return self.counter.endpoints.kept.get(PLACE)

    @property
    def is_paused(self) -> bool:
        return self.endpoint is not None and self.endpoint.is_paused

    def pause(self, count: int = DELIVERIES_TO_PAUSE) -> list[str]:
        """Fail attempts until the endpoint is paused; return its deliveries."""
        self.counter.post.script = [REFUSED]
        ids = [self.add(number) for number in range(count)]
        self.run(NOW_MS + HOUR, lambda: self.is_paused)
        return ids


@pytest.fixture
def queue() -> Queue:
    counter = Counter()
    counter.shelf.kept.clear()
    return Queue(counter)


@pytest.mark.parametrize("count", [1, DELIVERIES_TO_PAUSE - 1])
def test_few_deliveries_keep_their_schedule(queue: Queue, count: int) -> None:
    queue.counter.post.script = [REFUSED]
    ids = [queue.add(number) for number in range(count)]
    queue.run(NOW_MS + 30 * HOUR)
    for webhook_id in ids:
        delivery = queue.delivery(webhook_id)
        begun = [attempt.at_ms for attempt in delivery.attempts]
        assert [(after - before) // 1000 for before, after in pairwise(begun)] == CONTRACT
        assert delivery.state is DeliveryState.DEAD
    assert not queue.is_paused


def test_the_first_four_attempts_of_many_are_by_the_schedule(queue: Queue) -> None:
    ids = queue.pause(20)
    for webhook_id in ids:
        begun = [attempt.at_ms for attempt in queue.delivery(webhook_id).attempts]
        assert [(after - before) // 1000 for before, after in pairwise(begun)][:2] == [5, 30]
    assert queue.endpoint is not None
    assert queue.endpoint.since_ms == NOW_MS + 155 * SECOND


def test_a_success_in_between_begins_the_count_again(queue: Queue) -> None:
    queue.counter.post.script = [REFUSED]
    for number in range(20):
        queue.add(number)
        queue.run(queue.counter.now_ms + MINUTE)
        queue.counter.post.script = [TAKEN]
        queue.add(100 + number)
        queue.run(queue.counter.now_ms)
        queue.counter.post.script = [REFUSED]
        assert not queue.is_paused
    queue.counter.post.script = [TAKEN]
    queue.run(queue.counter.now_ms + 30 * HOUR)
    assert queue.counter.endpoints.kept == {}


def test_a_healthy_endpoint_is_never_written(queue: Queue) -> None:
    for number in range(20):
        queue.add(number)
    queue.run(NOW_MS + HOUR)
    assert (queue.counter.endpoints.writes, len(queue.counter.post.sent)) == (0, 20)


def test_of_what_fails_at_once_few_write_the_endpoint(queue: Queue) -> None:
    queue.pause(500)
    assert queue.counter.endpoints.writes <= 11


def test_paused_it_is_probed_by_one_and_the_others_wait_untouched(queue: Queue) -> None:
    ids = queue.pause(50)
    since_ms, sent = queue.counter.now_ms, len(queue.counter.post.sent)
    queue.run(since_ms + 20 * MINUTE)
    tries = [queue.delivery(webhook_id).tries for webhook_id in ids]
    versions = [queue.delivery(webhook_id).version for webhook_id in ids]
    queue.run(since_ms + 10 * HOUR)
    probes = [
        attempt.at_ms
        for webhook_id in ids
        for attempt in queue.delivery(webhook_id).attempts
        if attempt.at_ms > since_ms
    ]
    gaps = [after - before for before, after in pairwise(sorted(probes))]
    assert all(MINUTE <= gap <= 11 * MINUTE for gap in gaps)
    assert len(queue.counter.post.sent) - sent == len(probes) >= 50
    assert [queue.delivery(webhook_id).tries for webhook_id in ids] == tries
    grown = [queue.delivery(each).version - was for each, was in zip(ids, versions, strict=True)]
    assert sum(grown) <= 3 * len(probes), "only what probes is written"


def test_what_is_new_waits_too(queue: Queue) -> None:
    queue.pause()
    later = queue.add(99)
    queue.run(queue.counter.now_ms)
    delivery = queue.delivery(later)
    assert queue.outcomes[-1][1] is Outcome.PAUSED
    assert (delivery.tries, delivery.attempts, delivery.state) == (0, (), DeliveryState.PENDING)
    assert delivery.waits is not None


def test_when_it_answers_the_rest_is_sent_at_a_bounded_rate(queue: Queue) -> None:
    queue.counter.merchant = merchant_of(max_callback_rps=4)
    ids = queue.pause(300)
    queue.run(queue.counter.now_ms + 10 * MINUTE)
    queue.counter.post.script = [TAKEN]
    queue.run(queue.counter.now_ms + 12 * MINUTE, lambda: not queue.is_paused)
    began_ms, before = queue.counter.now_ms, len(queue.counter.post.sent)
    queue.run(began_ms + 2 * MINUTE)
    assert 0 < len(queue.counter.post.sent) - before <= 2 * 60 * 2
    queue.run(began_ms + 10 * MINUTE)
    assert {queue.delivery(each).state for each in ids} == {DeliveryState.DELIVERED}
    queue.run(began_ms + 10 * MINUTE + SETTLING_MS)
    assert queue.counter.endpoints.kept == {}
    assert not any(delivery.waits for delivery in queue.counter.shelf.kept.values())


def test_410_is_an_answer(queue: Queue) -> None:
    ids = queue.pause()
    queue.counter.post.script = [GONE, TAKEN]
    queue.run(queue.counter.now_ms + 20 * MINUTE)
    states = [queue.delivery(each).state for each in ids]
    assert states.count(DeliveryState.GONE) == 1
    assert states.count(DeliveryState.DELIVERED) == DELIVERIES_TO_PAUSE - 1


def test_one_that_always_fails_does_not_hide_that_it_answers(queue: Queue) -> None:
    ids = queue.pause(10)
    poison = ids[0]
    post = queue.counter.post

    def answer() -> None:
        is_poison = post.sent[-1][1]["webhook-id"] == poison
        post.script = [REFUSED if is_poison else TAKEN]

    post.on_send = answer
    queue.run(queue.counter.now_ms + 2 * HOUR)
    assert [queue.delivery(each).state for each in ids[1:]] == [DeliveryState.DELIVERED] * 9
    assert not queue.is_paused


def test_what_waits_for_72_hours_is_a_dead_letter(queue: Queue) -> None:
    ids = queue.pause(30)
    since_ms = queue.counter.now_ms
    queue.run(since_ms + PAUSED_MS_MAX - HOUR)
    assert queue.counter.post.dead_letters == []
    late = queue.add(77)
    queue.run(since_ms + PAUSED_MS_MAX + 15 * MINUTE)
    assert {queue.delivery(each).state for each in (*ids, late)} == {DeliveryState.DEAD}
    letters = {json.loads(text)["webhook_id"] for text in queue.counter.post.dead_letters}
    assert letters == {*ids, late}
    new = queue.add(78)
    queue.run(queue.counter.now_ms + 20 * MINUTE)
    assert queue.delivery(new).state is DeliveryState.PENDING, "it has 72 hours of its own"


def test_paused_without_anything_that_waits_it_is_forgotten_after_72_hours(queue: Queue) -> None:
    queue.pause()
    queue.run(queue.counter.now_ms + PAUSED_MS_MAX + HOUR)
    assert queue.counter.endpoints.kept == {}


def test_a_redelivery_is_sent_at_once_and_is_a_probe(queue: Queue) -> None:
    first, *_ = queue.pause()
    queue.run(queue.counter.now_ms + 10 * SECOND)
    before = len(queue.counter.post.sent)
    queue.redeliver(first)
    queue.run(queue.counter.now_ms)
    assert len(queue.counter.post.sent) == before + 1
    assert queue.is_paused
    queue.run(queue.counter.now_ms + 5 * SECOND)
    assert queue.outcomes[-1][1] is Outcome.PAUSED, "its second attempt waits"
    queue.counter.post.script = [TAKEN]
    queue.redeliver(first)
    queue.run(queue.counter.now_ms)
    assert queue.endpoint is not None
    assert queue.endpoint.state is EndpointState.DRAINING


tried = partial(account_event, CallbackType.ENDPOINT_TEST)


@pytest.mark.parametrize(("answer", "stays"), [(REFUSED, True), (TAKEN, False)])
def test_a_test_is_sent_while_paused(queue: Queue, answer: Attempt, *, stays: bool) -> None:
    queue.pause()
    event = tried("msg_T", "m1", Mode.LIVE, 1, callback_url=URL)
    queue.counter.shelf.kept["msg_T"] = watched(opened(event), queue.counter.now_ms)
    queue.counter.post.script = [answer]
    assert queue.counter.visit(CallbackReference("msg_T", "m1", turn=0)).attempted
    assert queue.is_paused is stays


def test_tests_that_fail_pause_nothing(queue: Queue) -> None:
    queue.counter.post.script = [REFUSED]
    for number in range(50):
        event = tried(f"msg_T{number}", "m1", Mode.LIVE, 1, callback_url=URL)
        queue.counter.shelf.kept[event.webhook_id] = opened(event)
        queue.counter.visit(CallbackReference(event.webhook_id, "m1", turn=0))
        queue.counter.now_ms += MINUTE
    assert queue.counter.endpoints.kept == {}


def test_modes_and_origins_are_apart(queue: Queue) -> None:
    queue.pause()
    queue.counter.post.script = [TAKEN]
    other = queue.add(50, callback_url=OTHER_URL)
    test = queue.add(51, body='{"data":{"is_test":1}}')
    queue.run(queue.counter.now_ms)
    for webhook_id in (other, test):
        assert queue.delivery(webhook_id).state is DeliveryState.DELIVERED
    assert queue.is_paused


def test_the_default_address_hears_of_another_origin(queue: Queue) -> None:
    queue.counter.post.script = [REFUSED]
    ids = [queue.add(number, callback_url=OTHER_URL) for number in range(5)]
    place = EndpointId("m1", Mode.LIVE, "https://pay.example.net")
    endpoints = queue.counter.endpoints.kept
    queue.run(NOW_MS + HOUR, lambda: place in endpoints and endpoints[place].is_paused)
    queue.counter.post.script = [TAKEN]
    queue.run(queue.counter.now_ms)
    url, _, body = queue.counter.post.sent[-1]
    since = queue.counter.now_ms // 1000
    data = {"is_test": 0, "origin": "https://pay.example.net", "since": since}
    assert url == URL
    assert json.loads(body) == {"type": "endpoint.disabled", "timestamp": since, "data": data}
    assert all(queue.delivery(each).state is DeliveryState.PENDING for each in ids)


def test_its_own_pause_is_not_sent_to_it(queue: Queue) -> None:
    queue.pause()
    types = {each.event.type for each in queue.counter.shelf.kept.values()}
    assert types == {CallbackType.ORDER_PAID}


def test_dying_between_the_pause_and_its_event_sends_it_later(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.counter.post.script = [REFUSED]
    for number in range(5):
        queue.add(number, callback_url=OTHER_URL)
    delay = queue.counter.post.delay

    def die_for_the_event(reference: CallbackReference, seconds: int) -> None:
        if not reference.webhook_id.startswith("msg_B"):
            raise Died
        delay(reference, seconds)

    monkeypatch.setattr(queue.counter.post, "delay", die_for_the_event)
    with pytest.raises(Died):
        queue.run(NOW_MS + HOUR)
    monkeypatch.setattr(queue.counter.post, "delay", delay)
    queue.take()
    queue.counter.post.script = [TAKEN]
    queue.run(queue.counter.now_ms + 5 * MINUTE)
    assert URL in {url for url, _, _ in queue.counter.post.sent}


def test_a_probe_whose_result_is_lost_is_followed_by_another(queue: Queue) -> None:
    queue.pause()
    queue.counter.post.on_send = die
    with pytest.raises(Died):
        queue.run(queue.counter.now_ms + HOUR)
    queue.counter.post.on_send = None
    queue.counter.post.script = [TAKEN]
    queue.run(queue.counter.now_ms + 15 * MINUTE)
    assert {each.state for each in queue.counter.shelf.kept.values()} == {DeliveryState.DELIVERED}


def test_two_that_may_probe_at_the_same_time_are_one_probe(queue: Queue) -> None:
    queue.pause()
    first, second = queue.add(60), queue.add(61)
    queue.counter.now_ms += MINUTE
    outcomes: list[Outcome] = []

    def other() -> None:
        outcomes.append(queue.counter.visit(queue.delivery(second).reference).outcome)

    before = len(queue.counter.post.sent)
    queue.counter.endpoints.meanwhile = other
    outcomes.append(queue.counter.visit(queue.delivery(first).reference).outcome)
    assert outcomes == [Outcome.FAILED, Outcome.PAUSED]
    assert len(queue.counter.post.sent) == before + 1
    assert queue.counter.inside == 0


def test_two_failures_at_the_same_time_both_count(queue: Queue) -> None:
    queue.counter.post.script = [REFUSED]
    first, second = queue.add(1), queue.add(2)

    def fail_too() -> None:
        queue.counter.visit(queue.delivery(second).reference)

    queue.counter.endpoints.meanwhile = fail_too
    queue.counter.visit(queue.delivery(first).reference)
    assert queue.endpoint is not None
    assert (queue.endpoint.failures, queue.endpoint.webhook_ids) == (2, (second, first))


def test_a_new_default_address_gets_what_waited_for_the_old_one(queue: Queue) -> None:
    ids = queue.pause(50)
    queue.run(queue.counter.now_ms + 5 * MINUTE)
    queue.counter.merchant = merchant_of(callback_url=OTHER_URL)
    queue.counter.post.on_send = lambda: queue.counter.post.script.__setitem__(
        0, TAKEN if queue.counter.post.sent[-1][0] == OTHER_URL else REFUSED
    )
    queue.run(queue.counter.now_ms + 30 * MINUTE)
    assert {queue.delivery(each).state for each in ids} == {DeliveryState.DELIVERED}


def test_retry_after_of_a_probe_is_honoured(queue: Queue) -> None:
    queue.pause()
    queue.counter.post.script = [Attempt(503, 1, retry_after="7200")]
    since_ms, before = queue.counter.now_ms, len(queue.counter.post.sent)
    queue.run(since_ms + 2 * HOUR)
    assert len(queue.counter.post.sent) - before == 5, "each delivery was asked to wait"


def test_a_merchant_has_so_many_paused_endpoints(queue: Queue) -> None:
    for number in range(PAUSED_MOST):
        place = EndpointId("m1", Mode.LIVE, f"https://s{number}.example.com")
        queue.counter.endpoints.kept[place] = Endpoint(
            place, version=1, since_ms=1, probe_ms=10**15
        )
    queue.counter.post.script = [REFUSED]
    ids = [queue.add(number) for number in range(10)]
    queue.run(NOW_MS + 30 * HOUR)
    assert {queue.delivery(each).tries for each in ids} == {10}


def test_who_resumes_an_endpoint_has_it_probed_at_once(queue: Queue) -> None:
    ids = queue.pause()
    queue.run(queue.counter.now_ms + 3 * HOUR)
    shelf, endpoints, post = queue.counter.shelf, queue.counter.endpoints, queue.counter.post
    ports = ResumePorts(shelf, endpoints, post.delay, NoJitter(), lambda _: None)
    queue.counter.post.script = [TAKEN]
    resume_endpoint(PLACE, ports, queue.counter.now_ms)
    queue.take()
    queue.run(queue.counter.now_ms)
    assert queue.outcomes[-1][1] is Outcome.DELIVERED
    queue.run(queue.counter.now_ms + 2 * MINUTE)
    assert {queue.delivery(each).state for each in ids} == {DeliveryState.DELIVERED}
    with pytest.raises(OrderNotFound):
        resume_endpoint(PLACE, ports, queue.counter.now_ms)


def test_a_test_key_sees_the_endpoints_of_test(queue: Queue) -> None:
    for mode, since_ms in ((Mode.LIVE, 5), (Mode.TEST, 4)):
        place = EndpointId("m1", mode, ORIGIN)
        queue.counter.endpoints.kept[place] = Endpoint(place, version=1, since_ms=since_ms)
    of = {key: paused_endpoints(queue.counter.endpoints, "m1", key) for key in Mode}
    assert [each.id.mode for each in of[Mode.LIVE]] == [Mode.TEST, Mode.LIVE]
    assert [each.id.mode for each in of[Mode.TEST]] == [Mode.TEST]


def test_the_sweep_reads_no_paused_backlog(queue: Queue) -> None:
    queue.pause(200)
    queue.run(queue.counter.now_ms + 5 * MINUTE)
    waits = [each for each in queue.counter.shelf.kept.values() if each.waits is not None]
    assert len(waits) >= 195
    other = queue.add(900, callback_url=OTHER_URL)
    queue.counter.shelf.kept[other] = redelivered(queue.delivery(other), 0)
    queue.counter.now_ms += 1
    assert queue.counter.sweep()[Swept.QUEUED] <= 2


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Shop.example.com/a?b", "https://shop.example.com"),
        ("https://shop.example.com:443", "https://shop.example.com"),
        ("http://shop.example.com:8080/", "http://shop.example.com:8080"),
        ("http://[2600::1]:8080/", "http://[2600::1]:8080"),
        ("ftp://shop.example.com", None),
        ("", None),
    ],
)
def test_origins(url: str, origin: str | None) -> None:
    assert origin_of(url) == origin


def test_one_broken_endpoint_stops_no_other(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = queue.pause()
    broken = EndpointId("m1", Mode.LIVE, "https://broken.example.com")
    queue.counter.endpoints.kept[broken] = Endpoint(broken, version=1, since_ms=1, probe_ms=1)
    waiting, error = queue.counter.endpoints.waiting, RuntimeError("a bug")

    def fail_for_one(endpoint_id: EndpointId, until_ms: int | None, limit: int) -> list[str]:
        if endpoint_id == broken:
            raise error
        return waiting(endpoint_id, until_ms, limit)

    monkeypatch.setattr(queue.counter.endpoints, "waiting", fail_for_one)
    queue.counter.post.script = [TAKEN]
    queue.run(queue.counter.now_ms + 20 * MINUTE)
    assert {queue.delivery(each).state for each in ids} == {DeliveryState.DELIVERED}
    assert error in queue.counter.reported
