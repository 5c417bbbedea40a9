"""The result of an attempt to send a push (RFC 8030)."""

from enum import StrEnum
from typing import Final

from orderdesk.domain.callbacks.delivery import Attempt, Failure
from orderdesk.domain.callbacks.schedule import MS, asked_ms

GAPS_SECONDS: Final = (5, 30, 120)
"""The wait after each failed attempt until the next one."""

_SUCCESS: Final = range(200, 300)
_GONE: Final = frozenset({404, 410})
_BUSY: Final = frozenset({408, 429})
_FIRST_SERVER_ERROR: Final = 500


class PushResult(StrEnum):
    """What a push service's response means."""

    TAKEN = "taken"
    GONE = "gone"
    REFUSED = "refused"
    LATER = "later"


def push_result(attempt: Attempt) -> PushResult:
    """Classify an attempt. A refused target counts as GONE, because it stays refused."""
    status = attempt.status
    if status in _GONE or attempt.failure is Failure.REFUSED_TARGET:
        return PushResult.GONE
    if status in _SUCCESS:
        return PushResult.TAKEN
    if status is None or status in _BUSY or status >= _FIRST_SERVER_ERROR:
        return PushResult.LATER
    return PushResult.REFUSED


def retry_seconds(tries: int, until: int, now: int, retry_after: str | None) -> int | None:
    """Return the wait after `tries` failed attempts; None if no attempt fits before `until`.

    Times in Unix seconds. `retry_after` is the push service's header. It can only increase the
    wait.
    """
    if tries > len(GAPS_SECONDS):
        return None
    asked = -(-asked_ms(retry_after, now * MS) // MS)
    wait = max(GAPS_SECONDS[tries - 1], asked)
    return wait if now + wait < until else None
