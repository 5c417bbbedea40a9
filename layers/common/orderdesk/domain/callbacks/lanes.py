"""How many containers send to one merchant at a time: lanes, by what its endpoints take.

A merchant begins with a few lanes. While all are in use and attempts succeed quickly, one more is
added at a time. An attempt that finds an endpoint congested halves their number. Times are in Unix
ms.
"""

from dataclasses import dataclass, replace
from typing import Final, Self

from orderdesk.domain.callbacks.delivery import Attempt
from orderdesk.domain.callbacks.schedule import MS
from orderdesk.domain.times import US_PER_SECOND

LANES_MOST: Final = 30
"""Of send-callback's 50 containers, so that others always find some."""

THREADS: Final = 10
"""How many callbacks a container sends at the same time: the size of a batch."""

QUICK_MS: Final = 1 * MS
"""A longer attempt is slow: more lanes would only hold more containers."""

GROWTH_GAP_MS: Final = 1 * MS
BURST_MS: Final = 1 * MS
"""How much of its rate a merchant may use in advance."""

PROOF_MS: Final = 5 * MS
"""For how long a quick success shows that an endpoint takes more."""

CALM_MS: Final = 10 * MS
"""How long no attempt may have found congestion before a lane is added."""

# Too many requests; service unavailable.
_BUSY_STATUSES: Final = frozenset({429, 503})
# Batches are not always full.
_SPARE_PERCENT: Final = 150
_UNKNOWN_LATENCY_MS: Final = 200
# What our own requests about a callback take.
_OWN_MS: Final = 35
_PERCENT: Final = 100
# A container's mean counts each new attempt as an eighth.
_MEAN_PARTS: Final = 8


@dataclass(frozen=True, slots=True)
class Width:
    """A merchant's number of lanes, and when one was last added.

    `quick_ms` is when an attempt last succeeded quickly, `failed_ms` when one found congestion.
    """

    lanes: int
    grown_ms: int = 0
    quick_ms: int = 0
    failed_ms: int = 0

    def grown(self, most: int, now_ms: int) -> Self | None:
        """Return the width with one more lane, or None if none may be added now."""
        takes_more = now_ms - self.failed_ms >= CALM_MS and now_ms - self.quick_ms <= PROOF_MS
        if self.lanes >= most or not takes_more or now_ms - self.grown_ms < GROWTH_GAP_MS:
            return None
        return replace(self, lanes=self.lanes + 1, grown_ms=now_ms)

    def halved(self, least: int, now_ms: int) -> Self:
        """Return the width after an attempt that found congestion."""
        return replace(self, lanes=max(self.lanes // 2, least), failed_ms=now_ms)


def is_quick(attempt: Attempt) -> bool:
    """Return whether an attempt shows that the endpoint takes more."""
    return attempt.delivered and attempt.latency_ms <= QUICK_MS


def congests(attempt: Attempt) -> bool:
    """Return whether an attempt shows that the endpoint cannot take more.

    A quick refusal is about the callback, not about how many there are.
    """
    return (
        (attempt.failure is not None and not attempt.delivered)
        or attempt.status in _BUSY_STATUSES
        or attempt.latency_ms > QUICK_MS
    )


def lanes_for(max_rps: int, latency_ms: int | None) -> int:
    """Return how many lanes send so many callbacks a second, by the mean latency of an attempt."""
    known_ms = _UNKNOWN_LATENCY_MS if latency_ms is None else latency_ms
    threads_e5 = max_rps * (known_ms + _OWN_MS) * _SPARE_PERCENT
    return min(max(-(-threads_e5 // (MS * _PERCENT * THREADS)), 1), LANES_MOST)


def mean_ms(before_ms: int | None, latency_ms: int) -> int:
    """Return the moving mean of latencies after one more."""
    if before_ms is None:
        return latency_ms
    return before_ms + (latency_ms - before_ms) // _MEAN_PARTS


@dataclass(frozen=True, slots=True)
class SeenAttempts:
    """What the attempts of a lease cost of the rate (us), and what they saw.

    `quick_ms` is when one last succeeded quickly, `congested_ms` when one found congestion.
    """

    cost_us: int = 0
    quick_ms: int | None = None
    congested_ms: int | None = None

    def after(self, attempt: Attempt, max_rps: int, now_ms: int) -> "SeenAttempts":
        """Return what was seen after one more attempt of a merchant with this rate."""
        return SeenAttempts(
            self.cost_us + US_PER_SECOND // max_rps,
            now_ms if is_quick(attempt) else self.quick_ms,
            now_ms if congests(attempt) else self.congested_ms,
        )
