"""Virtual time: code waits without sleeping, and the order of events is fixed.

The project's code is synchronous. Each order runs in a greenlet, and `wait` suspends it within the
call until its time is due. There is one thread, so other code runs only while an order waits.
"""

import heapq
import itertools
from collections.abc import Callable

from greenlet import getcurrent, greenlet

# 2026-11-21T00:00:00Z, the morning of a trading day: no run crosses its midnight.
START_US = 1_795_219_200_000_000


class Timeline:
    """Virtual Unix time in microseconds, and the greenlets that are due."""

    def __init__(self, now_us: int = START_US) -> None:
        self.now_us = now_us
        self._due: list[tuple[int, int, greenlet]] = []
        self._turns = itertools.count()
        self._hub = getcurrent()

    def spawn(self, body: Callable[[], object], at_us: int | None = None) -> None:
        """Start a body at a time (None: now); `run` raises its exceptions."""
        start_us = self.now_us if at_us is None else at_us
        self._schedule(start_us, greenlet(body, parent=self._hub))

    def wait(self, span_us: int) -> None:
        """Suspend the caller for a span; others run meanwhile."""
        self.wait_until(self.now_us + span_us)

    def wait_until(self, when_us: int) -> None:
        """Suspend the caller until a time; return at once if it is in the past."""
        if when_us <= self.now_us:
            return
        if not self._due or self._due[0][0] > when_us:
            self.now_us = when_us  # nothing else is due before
            return
        me = getcurrent()
        if me is self._hub:
            self.run(until_us=when_us)
            return
        self._schedule(when_us, me)
        self._hub.switch()

    def run(self, until_us: int | None = None) -> None:
        """Run the greenlets that are due, until none is left or until a time."""
        while self._due and (until_us is None or self._due[0][0] <= until_us):
            self.now_us, _, body = heapq.heappop(self._due)
            body.switch()
        if until_us is not None:
            self.now_us = max(self.now_us, until_us)

    def _schedule(self, when_us: int, body: greenlet) -> None:
        heapq.heappush(self._due, (when_us, next(self._turns), body))
