"""When the next attempt of a callback is due (contract section 7).

Times are in milliseconds: a gap in whole seconds could be almost one second too short. `below(n)`
returns a random int in [0, n).
"""

from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

MS: Final = 1000

GAPS_SECONDS: Final = (5, 30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600)
"""The wait after each failed attempt until the next one."""

ATTEMPTS_MAX: Final = 1 + len(GAPS_SECONDS)

# Jitter of up to a tenth, so that callbacks that failed together are not retried together.
_JITTER_PART: Final = 10

# The longest Retry-After that is followed. A longer wait would exceed the queue's retention.
RETRY_AFTER_SECONDS_MAX: Final = 24 * 3600

CROWDED_SECONDS_MAX: Final = 300
_CROWDED_DOUBLINGS: Final = 10

_DIGITS_MAX: Final = 12

type Below = Callable[[int], int]


def next_attempt_ms(
    tries: int, now_ms: int, below: Below, *, retry_after: str | None = None, speedup: int = 1
) -> int | None:
    """Return the time of the retry after `tries` failures, in Unix ms; None after the last one.

    `retry_after` is the receiver's header. It can only delay the attempt. `speedup` divides the
    gaps of the schedule, for tests; it does not divide Retry-After.
    """
    assert tries >= 1
    if tries >= ATTEMPTS_MAX:
        return None
    gap_ms = GAPS_SECONDS[tries - 1] * MS // speedup
    jitter_ms = below(gap_ms // _JITTER_PART + 1)
    return now_ms + max(gap_ms + jitter_ms, asked_ms(retry_after, now_ms))


def crowded_seconds(visits: int, below: Below) -> int:
    """Return how many seconds a message waits because its merchant has no free sending slot.

    The upper bound doubles with each visit, so that a long backlog is retried in small groups.
    """
    return 1 + below(min(1 << min(visits, _CROWDED_DOUBLINGS), CROWDED_SECONDS_MAX))


def asked_ms(retry_after: str | None, now_ms: int) -> int:
    """Return the wait of a Retry-After in ms: seconds or an HTTP date (RFC 9110, 10.2.3).

    It is 0 for no header, for any other text, and for a date in the past.
    """
    text = (retry_after or "").strip()
    if text.isascii() and text.isdigit():
        seconds = int(text) if len(text) <= _DIGITS_MAX else RETRY_AFTER_SECONDS_MAX
        return min(seconds, RETRY_AFTER_SECONDS_MAX) * MS
    until_ms = _date_ms(text)
    return min(max(until_ms - now_ms, 0), RETRY_AFTER_SECONDS_MAX * MS)


def _date_ms(text: str) -> int:
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return 0
    zoned = date if date.tzinfo else date.replace(tzinfo=UTC)
    try:
        since_epoch = zoned - datetime.fromtimestamp(0, UTC)
    except OverflowError:
        return 0
    return (since_epoch.days * 86_400 + since_epoch.seconds) * MS
