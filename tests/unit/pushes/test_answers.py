"""The result of a push service's response, and when the next attempt is."""

import pytest

from orderdesk.domain.callbacks.delivery import Attempt, Failure
from orderdesk.domain.pushes.notices import GAPS_SECONDS, PushResult, push_result, retry_seconds

NOW = 1_795_268_000
A_DAY = 86_400


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (200, PushResult.TAKEN),
        (201, PushResult.TAKEN),
        (404, PushResult.GONE),
        (410, PushResult.GONE),
        (301, PushResult.REFUSED),
        (400, PushResult.REFUSED),
        (403, PushResult.REFUSED),
        (413, PushResult.REFUSED),
        (408, PushResult.LATER),
        (429, PushResult.LATER),
        (500, PushResult.LATER),
        (503, PushResult.LATER),
    ],
)
def test_a_status(status: int, verdict: PushResult) -> None:
    assert push_result(Attempt(status, 1)) is verdict


@pytest.mark.parametrize("failure", Failure)
def test_without_an_answer_it_is_tried_later_but_not_where_nothing_may_go(failure: Failure) -> None:
    is_refused = failure is Failure.REFUSED_TARGET
    assert push_result(Attempt(None, 1, failure=failure)) is (
        PushResult.GONE if is_refused else PushResult.LATER
    )


def test_what_was_taken_is_not_sent_again_because_the_answer_broke_off() -> None:
    assert push_result(Attempt(201, 1, failure=Failure.RESET)) is PushResult.TAKEN


def test_three_more_attempts_within_the_orders_time() -> None:
    waits = [retry_seconds(tries, NOW + A_DAY, NOW, None) for tries in range(1, 6)]
    assert waits == [*GAPS_SECONDS, None, None]
    assert retry_seconds(1, NOW + 5, NOW, None) is None
    assert retry_seconds(1, NOW + 6, NOW, None) == 5


def test_the_push_service_may_ask_for_more_time_but_not_for_less() -> None:
    assert retry_seconds(1, NOW + A_DAY, NOW, "60") == 60
    assert retry_seconds(1, NOW + A_DAY, NOW, "1") == 5
    assert retry_seconds(1, NOW + 600, NOW, "3600") is None
    assert retry_seconds(1, NOW + 600, NOW, "soon") == 5
