"""A merchant's request rate: `max_rps` calls a second, bursts of twice that (contract section 3).

It is a token bucket, stored as the time until which the calls so far have used up the rate. A call
moves that time forward by 1/max_rps seconds. It may be at most two seconds ahead of the clock, so a
merchant without recent calls may make 2 x max_rps calls at once. Times are Unix nanoseconds, so
that dividing a second by the rate loses less than a millionth.
"""

from dataclasses import dataclass

from orderdesk.domain.times import SECONDS_PER_DAY

NS_PER_SECOND = 1_000_000_000
BURST_NS = 2 * NS_PER_SECOND
# A refused call that waited longer than this is counted again.
LATE_NS = BURST_NS // 4

DEFAULT_MAX_RPS = 50
# One item takes 1,000 updates a second, and an update counts at least UNCOUNTED_MOST calls while
# there is room.
HIGHEST_MAX_RPS = 2_000

# A container with fewer calls of a merchant in a second does not count them in the store.
UNCOUNTED_MOST = 5
_UNCOUNTED_SHARE = 10

# A container counts the first call of each day in China, so the bucket's time also shows on which
# day a key was last used, for as many days.
USE_KEPT_DAYS = 400
_DAY_NS = SECONDS_PER_DAY * NS_PER_SECOND
_DAY_OFFSET_NS = 8 * 3_600 * NS_PER_SECOND


def cost_ns(calls: int, max_rps: int) -> int:
    """Return how far calls move the bucket's time, rounded up."""
    return -(-calls * NS_PER_SECOND // max_rps)


def latest_start_ns(calls: int, max_rps: int, now_ns: int) -> int:
    """Return the latest time of a bucket that still has room for calls."""
    return now_ns + BURST_NS - cost_ns(calls, max_rps)


@dataclass(frozen=True, slots=True)
class Seen:
    """What one container has counted and read of a merchant's calls.

    `uncounted` calls came since `since_ns` and are not in the store's count. `used_until_ns` is the
    bucket's time at the last count, which was made on `day`. Until `refused_until_ns` all calls are
    refused.
    """

    since_ns: int = 0
    uncounted: int = 0
    used_until_ns: int = 0
    refused_until_ns: int = 0
    day: int = 0


def next_call(seen: Seen, max_rps: int, now_ns: int) -> tuple[Seen, int]:
    """Return what the container knows after one more call, and how many calls to count before it.

    A few calls in a second pass uncounted. Near the limit, each call is counted before it passes,
    and so is the first call of a day.
    """
    if now_ns < seen.refused_until_ns:
        return seen, 0  # it is refused
    goes_on = seen.since_ns <= now_ns < seen.since_ns + NS_PER_SECOND
    since, calls = (seen.since_ns, seen.uncounted + 1) if goes_on else (now_ns, 1)
    is_near = seen.used_until_ns > now_ns + BURST_NS // 4
    is_first = seen.day != _day_of(now_ns)
    enough = 1 if is_near or is_first else min(UNCOUNTED_MOST, max(1, max_rps // _UNCOUNTED_SHARE))
    if calls < enough:
        return Seen(since, calls, seen.used_until_ns, day=seen.day), 0
    return Seen(now_ns, 0, seen.used_until_ns, day=seen.day), calls


def after_count(used_ns: int | None, now_ns: int) -> Seen:
    """Return what a container knows after counting; `used_ns` is None if there is no room.

    Without room, calls are refused for the rest of the second, so a flood costs one request a
    container and second.
    """
    day = _day_of(now_ns)
    if used_ns is not None:
        return Seen(now_ns, 0, used_ns, day=day)
    end_of_second = (now_ns // NS_PER_SECOND + 1) * NS_PER_SECOND
    # The bucket is full, so stay near its limit for one more second.
    return Seen(now_ns, 0, now_ns + BURST_NS, end_of_second, day)


def _day_of(now_ns: int) -> int:
    """Return the number of a day in China."""
    return (now_ns + _DAY_OFFSET_NS) // _DAY_NS


def retry_after_seconds(seen: Seen, now_ns: int) -> int:
    """Return the seconds until the container counts again, rounded up; at least 1."""
    return max(1, -(-(seen.refused_until_ns - now_ns) // NS_PER_SECOND))
