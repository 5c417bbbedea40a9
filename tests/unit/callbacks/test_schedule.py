"""When a callback is tried again (contract section 7)."""

from datetime import UTC, datetime
from email.utils import format_datetime
from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.adapters.dynamodb.callback_lanes import LANE_SECONDS
from orderdesk.domain.callbacks.schedule import (
    ATTEMPTS_MAX,
    CROWDED_SECONDS_MAX,
    asked_ms,
    crowded_seconds,
    next_attempt_ms,
)

NOW_MS = 1_790_000_000_000
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
