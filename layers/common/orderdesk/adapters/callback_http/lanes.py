"""The lanes of one container: its threads that send to the same merchant share one lane."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from orderdesk.adapters.dynamodb.callback_lanes import Lane, LaneStore
from orderdesk.domain.errors import TryAgain

# An attempt always ends before its function's time-out. A container that dies keeps its lanes for
# this long.
LANE_SECONDS = 30
_MS = 1000


@dataclass(slots=True)
class _Place:
    """A merchant's lane in this container, and how many threads are in it."""

    lane: Lane | None = None
    threads: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class SharedLanes:
    def __init__(self, store: LaneStore, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._now_ms = now_ms
        self._places: dict[str, _Place] = {}
        self._placing = threading.Lock()

    def enter(self, merchant_id: str) -> bool:
        """Enter this container's lane to a merchant; False if it gets none. Raises: TryAgain."""
        place = self._place(merchant_id)
        with place.lock:
            if place.lane is None:
                now_ms = self._now_ms()
                until_ms = now_ms + LANE_SECONDS * _MS
                place.lane = self._store.take(merchant_id, now_ms, until_ms)
            place.threads += place.lane is not None
            return place.lane is not None

    def leave(self, merchant_id: str) -> None:
        """Leave the lane; the last thread gives it back. If that fails, the lane expires."""
        place = self._place(merchant_id)
        with place.lock:
            place.threads -= 1
            if place.threads == 0 and place.lane is not None:
                lane, place.lane = place.lane, None
                with suppress(TryAgain):
                    self._store.give_back(lane)

    def _place(self, merchant_id: str) -> _Place:
        with self._placing:
            return self._places.setdefault(merchant_id, _Place())
