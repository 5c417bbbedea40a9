"""The record of a delivery after each attempt, and what to do with its message."""

from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.adapters.dynamodb.callback_lanes import LANE_SECONDS
from orderdesk.domain.callbacks.delivery import Attempt, Delivery, DeliveryState, Failure, Trouble
from orderdesk.domain.callbacks.events import CallbackReference
from orderdesk.domain.callbacks.lanes import SeenAttempts
from orderdesk.domain.callbacks.schedule import (
    ATTEMPTS_MAX,
    CROWDED_SECONDS_MAX,
    GAPS_SECONDS,
    asked_ms,
    crowded_seconds,
    next_attempt_ms,
)
from orderdesk.domain.callbacks.steps import (
    ATTEMPTS_KEPT,
    DELAY_SECONDS_MAX,
    Then,
    after_attempt,
    attempted,
    decide,
    ended,
    opened,
    redelivered,
    waiting_for,
)
from tests.support.deliveries import EVENT, GONE, NOW_MS, REFUSED, TAKEN
from tests.unit.callbacks.counter import FIRST

NEW = opened(EVENT)

ATTEMPTS = st.builds(
    Attempt,
    status=st.sampled_from([200, 204, 299, 301, 400, 404, 410, 429, 500, 503]) | st.none(),
    latency_ms=st.integers(0, 10_000),
    answer=st.binary(max_size=2000),
    failure=st.sampled_from(Failure) | st.none(),
    retry_after=st.sampled_from([None, "0", "7", "86400", "999999999", "soon"]),
)
TAKES = st.builds(Attempt, status=st.integers(200, 299), latency_ms=st.integers(0, 10_000))
FAILS = ATTEMPTS.filter(lambda attempt: not attempt.delivered)


def after(
    delivery: Delivery,
    attempt: Attempt,
    now_ms: int = NOW_MS,
    reference: CallbackReference | None = None,
) -> Delivery:
    return attempted(
        delivery,
        attempt,
        "https://shop.example.com/",
        reference=reference or delivery.reference,
        at_ms=now_ms - attempt.latency_ms,
        now_ms=now_ms,
        below=lambda bound: bound // 2,
    )


@given(st.lists(ATTEMPTS, min_size=1, max_size=15))
def test_at_most_ten_attempts_none_too_early(attempts: list[Attempt]) -> None:
    """A pending delivery always has a message, or the sweep will send one in time."""
    delivery, now_ms, sent = NEW, NOW_MS, 0
    for attempt in attempts:
        if decide(delivery, delivery.reference, now_ms).then is not Then.SEND:
            break
        sent += 1
        before, delivery = delivery, after(delivery, attempt, now_ms)
        decision = after_attempt(before, delivery, before.reference)
        if delivery.state is not DeliveryState.PENDING:
            assert delivery.due_ms is None
            continue
        assert delivery.next_ms is not None
        assert delivery.due_ms is not None
        if decision.then is Then.WAIT:
            assert 0 < decision.seconds <= DELAY_SECONDS_MAX
            assert now_ms + decision.seconds * 1000 >= delivery.next_ms
            assert delivery.due_ms >= delivery.next_ms, "no second message before the first"
        else:
            assert delivery.due_ms < delivery.next_ms
        now_ms = delivery.next_ms
        waited = now_ms - delivery.updated_ms
        assert waited >= GAPS_SECONDS[sent - 1] * 1000
        if attempt.retry_after in {"7", "86400"}:
            assert waited >= int(attempt.retry_after) * 1000
    assert sent <= ATTEMPTS_MAX
    assert delivery.tries == sent
    assert delivery.version == sent + 1


@given(FAILS.filter(lambda attempt: attempt.status != 410))
def test_the_tenth_failure_buries_it(attempt: Attempt) -> None:
    delivery = NEW
    for _ in range(ATTEMPTS_MAX):
        assert delivery.state is DeliveryState.PENDING
        before, delivery = delivery.reference, after(delivery, attempt)
    assert (delivery.state, delivery.trouble) == (DeliveryState.DEAD, Trouble.DEAD)
    assert decide(delivery, before, NOW_MS + 10**12).then is Then.DEAD_LETTER


@given(TAKES, st.lists(ATTEMPTS, max_size=15))
def test_delivered_stays_delivered(taken: Attempt, later: list[Attempt]) -> None:
    delivery = after(NEW, taken)
    for attempt in later:
        delivery = after(delivery, attempt)
    assert (delivery.state, delivery.next_ms, delivery.trouble) == (
        DeliveryState.DELIVERED,
        None,
        None,
    )
    assert decide(delivery, delivery.reference, NOW_MS).then is Then.DELETE


@given(FAILS)
def test_410_stops(attempt: Attempt) -> None:
    delivery = after(after(NEW, attempt), GONE) if attempt.status != 410 else after(NEW, attempt)
    assert delivery.state is DeliveryState.GONE
    assert decide(delivery, delivery.reference, NOW_MS).then is Then.DELETE
    assert after(delivery, attempt).state is DeliveryState.GONE


@pytest.mark.parametrize("state", [DeliveryState.UNDELIVERABLE, DeliveryState.SKIPPED])
def test_what_ends_without_an_attempt(state: DeliveryState) -> None:
    delivery = ended(NEW, state, NOW_MS)
    assert (delivery.version, delivery.attempts) == (2, ())
    assert decide(delivery, delivery.reference, NOW_MS).then is Then.DELETE


def test_an_attempt_is_on_record() -> None:
    answer = b"\xff" + b"x" * 2000
    delivery = after(NEW, Attempt(503, 1234, answer, Failure.TOO_LONG))
    (kept,) = delivery.attempts
    assert (kept.at_ms, kept.status, kept.latency_ms) == (NOW_MS - 1234, 503, 1234)
    assert kept.failure == "too_long"
    assert kept.answer == "\ufffd" + "x" * 1023
    assert delivery.trouble is Trouble.FAILING
    reference = delivery.reference
    assert decide(delivery, reference, NOW_MS) == decide(delivery, reference, NOW_MS + 1)
    # 5 s and half of a tenth, in whole seconds
    assert decide(delivery, reference, NOW_MS).seconds == 6


def test_a_redelivery_begins_the_schedule_anew_and_ends_the_message_before() -> None:
    dead = NEW
    for _ in range(ATTEMPTS_MAX):
        dead = after(dead, REFUSED)
    begun = redelivered(dead, NOW_MS)
    earlier, again = dead.reference, begun.reference
    assert (begun.state, begun.tries, len(begun.attempts)) == (DeliveryState.PENDING, 0, 10)
    assert decide(begun, earlier, NOW_MS).then is Then.DELETE
    assert decide(begun, again, NOW_MS).then is Then.SEND
    late = after(begun, REFUSED, reference=earlier)  # the message before was being sent
    assert (late.tries, late.next_ms, len(late.attempts)) == (0, None, 11)
    assert decide(late, again, NOW_MS).then is Then.SEND
    assert after(begun, TAKEN, reference=again).state is DeliveryState.DELIVERED


def test_one_message_carries_a_delivery() -> None:
    failed = after(NEW, REFUSED)
    assert decide(failed, FIRST, NOW_MS + 10**9).then is Then.DELETE
    both = after(failed, REFUSED, reference=FIRST)  # sent at the same time, written second
    assert (both.tries, both.next_ms, len(both.attempts)) == (1, failed.next_ms, 2)
    assert both.reference == failed.reference


def test_the_record_does_not_grow_for_ever() -> None:
    delivery = replace(NEW, state=DeliveryState.DELIVERED)
    for number in range(2 * ATTEMPTS_KEPT):
        delivery = after(delivery, Attempt(200, number))
    assert [kept.latency_ms for kept in delivery.attempts] == list(
        range(ATTEMPTS_KEPT, 2 * ATTEMPTS_KEPT)
    )


def test_a_delivery_that_waits_on_has_waited_since_the_first_time() -> None:
    waits = waiting_for(waiting_for(NEW, "an endpoint", NOW_MS), "another", NOW_MS + 5).waits
    assert waits is not None
    assert (waits.endpoint, waits.since_ms) == ("another", NOW_MS)


@pytest.mark.parametrize(("attempt", "quick_ms"), [(TAKEN, NOW_MS), (REFUSED, None)])
def test_only_an_attempt_that_was_taken_widens_a_lane(
    attempt: Attempt, quick_ms: int | None
) -> None:
    assert SeenAttempts().after(attempt, max_rps=1, now_ms=NOW_MS).quick_ms == quick_ms


MINUTE, HOUR = 60, 3600
CONTRACT = (5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR)
DAY_MS = 24 * HOUR * 1000


def least(bound: int) -> int:
    return 0


def most(bound: int) -> int:
    return bound - 1


def test_the_schedule_of_the_contract() -> None:
    gaps = []
    for tries in range(1, ATTEMPTS_MAX + 1):
        at_ms = next_attempt_ms(tries, NOW_MS, least)
        gaps.append(None if at_ms is None else (at_ms - NOW_MS) / 1000)
    assert gaps == [*CONTRACT, None]


def test_up_to_a_tenth_more() -> None:
    longest = [next_attempt_ms(tries, 0, most) for tries in range(1, ATTEMPTS_MAX)]
    assert longest == [gap * 1100 for gap in CONTRACT]


@given(st.integers(1, 9), st.randoms(use_true_random=False), st.integers(0, 10**6))
def test_retry_after_puts_off_and_never_brings_forward(
    tries: int, chance: Random, asked: int
) -> None:
    at_ms = next_attempt_ms(tries, NOW_MS, chance.randrange, retry_after=str(asked))
    assert at_ms is not None
    assert at_ms >= NOW_MS + CONTRACT[tries - 1] * 1000
    assert at_ms >= NOW_MS + min(asked * 1000, DAY_MS)
    assert at_ms <= NOW_MS + max(CONTRACT[tries - 1] * 1100, DAY_MS)


def test_retry_after_is_a_date_or_a_number_and_at_most_a_day() -> None:
    assert asked_ms("9" * 5000, NOW_MS) == DAY_MS
    date = datetime.fromtimestamp(NOW_MS // 1000 + 90, UTC)
    assert asked_ms(format_datetime(date, usegmt=True), NOW_MS) == 90_000
    assert asked_ms("Sun, 06 Nov 1994 08:49:37 GMT", NOW_MS) == 0
    assert asked_ms("Fri, 31 Dec 9999 23:59:59 GMT", NOW_MS) == DAY_MS


@pytest.mark.parametrize(
    "text", [None, "", "soon", "-1", "1.5", "１２", "Sun, 99 Nov 1994 08:49:37 GMT", "\x00"]
)
def test_what_asks_for_nothing(text: str | None) -> None:
    assert asked_ms(text, NOW_MS) == 0


@given(st.text() | st.from_regex(r"\A[A-Z][a-z]{2}, \d{1,4} [A-Z][a-z]{2} -?\d{1,6} .{0,20}\Z"))
def test_nothing_a_receiver_writes_there_breaks_it(text: str) -> None:
    assert 0 <= asked_ms(text, NOW_MS) <= DAY_MS


def test_a_backlog_comes_in_few_at_a_time() -> None:
    longest = [crowded_seconds(visits, most) for visits in (1, 2, 3, 8, 9, 500)]
    assert longest == [2, 4, 8, 256, 300, 300]
    assert crowded_seconds(500, least) == 1


def test_tests_need_not_wait_but_retry_after_stays() -> None:
    assert next_attempt_ms(9, 0, least, speedup=100_000) == 432
    assert next_attempt_ms(9, 0, least, retry_after="3", speedup=100_000) == 3000


def test_a_new_callback_waits_less_than_a_minute_for_lanes_that_nobody_gave_back() -> None:
    """All lanes became free just before the message; one in a hundred may wait longer."""
    chance = Random(1)

    def waited_seconds() -> int:
        seconds = 0
        for visits in count(1):
            seconds += crowded_seconds(visits, chance.randrange)
            if seconds > LANE_SECONDS:
                break
        return seconds

    waits = sorted(waited_seconds() for _ in range(10_000))
    assert waits[5_000] <= 20
    assert waits[9_900] <= 50
    assert waits[-1] <= LANE_SECONDS + CROWDED_SECONDS_MAX
