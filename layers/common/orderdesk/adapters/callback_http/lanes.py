"""The lanes of one container: its threads that send to the same merchant share one lane."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from orderdesk.adapters.dynamodb.callback_lanes import Lane, LaneStore
from orderdesk.domain.errors import TryAgain

# A container that dies, or cannot give its lane back, keeps it for this long. It is short, because
# callbacks that find no lane wait longer from visit to visit.
LANE_SECONDS = 13
# An attempt takes 10 s at most. A thread that enters a lane with less left renews it.
_ATTEMPT_SECONDS = 11
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
            place.lane = self._lane(merchant_id, place.lane)
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

    def _lane(self, merchant_id: str, lane: Lane | None) -> Lane | None:
        """Give a lane for the time of an attempt: the present one, renewed if need be, or another.

        The present lane is lost if it expired and another container took it. Raises: TryAgain.
        """
        now_ms = self._now_ms()
        if lane is not None and lane.until_ms - now_ms >= _ATTEMPT_SECONDS * _MS:
            return lane
        until_ms = now_ms + LANE_SECONDS * _MS
        renewed = None if lane is None else self._store.renew(lane, until_ms)
        return renewed or self._store.take(merchant_id, now_ms, until_ms)

    def _place(self, merchant_id: str) -> _Place:
        with self._placing:
            return self._places.setdefault(merchant_id, _Place())
