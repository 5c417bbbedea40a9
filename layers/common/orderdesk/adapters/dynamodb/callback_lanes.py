"""Lanes: a limit on the containers that send to one merchant at a time; one item in Callbacks.

A container leases a lane until a stored time, which also identifies the owner, and renews or
releases it before. The lane of a crashed container expires. If two containers lease the same lane,
the condition of one write fails and returns the item with the free lanes. The threads of a
container that send to the same merchant share one lane.

The item also has how many lanes the merchant has (`domain/callbacks/lanes.py`). It changes with the
same requests that lease and release lanes.
"""

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from orderdesk.adapters.dynamodb.callbacks import KEY
from orderdesk.adapters.dynamodb.client import DynamoDB, TableStore
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.transactions import Unmet, Write, write_alone
from orderdesk.domain.callbacks.delivery import Attempt
from orderdesk.domain.callbacks.lanes import BURST_MS, SeenAttempts, Width, lanes_for, mean_ms
from orderdesk.domain.errors import TryAgain
from orderdesk.services.ports import Chance

# A crashed container blocks its lane for this long. Callbacks that find no lane wait longer each
# time, so the lease is short.
LANE_SECONDS = 13
# An attempt takes at most 10 s. A thread renews the lane if less time than this is left.
_ATTEMPT_SECONDS = 11
_MS = 1000
_KEPT_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class Lane:
    """One of a merchant's lanes, and the end of its lease (Unix ms).

    `width` and `paid_us` are from the merchant's item after the lease: its lanes, and until when
    (Unix us) its attempts have used up its rate.
    """

    merchant_id: str
    number: int
    until_ms: int
    width: Width
    paid_us: int = 0


class LaneStore(TableStore):
    """Lease and release lanes; each merchant begins with `lanes` of them."""

    def __init__(self, client: DynamoDB, table: str, lanes: int, chance: Chance) -> None:
        super().__init__(client, table)
        self._lanes = lanes
        self._chance = chance

    def take(self, merchant_id: str, most: int, now_ms: int, until_ms: int) -> Lane | None:
        """Lease a free lane of a merchant, whose lanes may grow to `most`.

        Return None if all are leased, or if the merchant's rate is used up.

        If all are leased and its endpoints take more, a lane is added. Raises: TryAgain.
        """
        width, tried = Width(self._lanes), set[int]()
        free = list(range(width.lanes))
        while free:
            lane = Lane(merchant_id, free[self._chance.below(len(free))], until_ms, width)
            leased, there = self._set(lane, _IS_FREE, now_ms, values={":burst": _burst_us(now_ms)})
            width = self._width(there, most)
            if leased:
                return replace(lane, width=width, paid_us=_number(there, "paid_us"))
            if _number(there, "paid_us") >= _burst_us(now_ms):
                return None
            tried.add(lane.number)
            untried = sorted(set(range(width.lanes)) - tried)
            free = [each for each in untried if _number(there, _attribute(each)) < now_ms]
        return self._added(merchant_id, width, most, now_ms, until_ms)

    def _added(
        self, merchant_id: str, width: Width, most: int, now_ms: int, until_ms: int
    ) -> Lane | None:
        grown = width.grown(most, now_ms)
        if grown is None:
            return None
        lane = Lane(merchant_id, width.lanes, until_ms, grown)
        condition = f"{_IS_FREE} AND (attribute_not_exists(width) OR width = :seen)"
        leased, there = self._set(
            *(lane, condition, now_ms),
            {"width": grown.lanes, "grown_ms": now_ms},
            {":seen": width.lanes, ":burst": _burst_us(now_ms)},
        )
        return replace(lane, paid_us=_number(there, "paid_us")) if leased else None

    def renew(self, lane: Lane, until_ms: int) -> Lane | None:
        """Extend a lease; None if another container has the lane. Raises: TryAgain."""
        renewed = replace(lane, until_ms=until_ms)
        return renewed if self._set(renewed, _IS_MINE, lane.until_ms)[0] else None

    def give_back(self, lane: Lane, seen: SeenAttempts, now_ms: int) -> None:
        """Release a lane unless another container has it. Raises: TryAgain.

        Its attempts use up the merchant's rate. If one found congestion, the lanes are halved.
        """
        also: dict[str, int] = {}
        if seen.cost_us:
            # Where the rate is used up in advance, other containers add to it at the same time.
            is_ahead = lane.paid_us > now_ms * _MS
            name = "more_us" if is_ahead else "paid_us"
            also[name] = seen.cost_us if is_ahead else now_ms * _MS + seen.cost_us
        if seen.quick_ms is not None:
            also["quick_ms"] = seen.quick_ms
        if seen.congested_ms is not None:
            halved = lane.width.halved(self._lanes, seen.congested_ms)
            also |= {"width": halved.lanes, "failed_ms": seen.congested_ms}
        self._set(replace(lane, until_ms=0), _IS_MINE, lane.until_ms, also)

    def _width(self, item: Item, most: int) -> Width:
        lanes = _number(item, "width", self._lanes)
        times = (_number(item, name) for name in ("grown_ms", "quick_ms", "failed_ms"))
        return Width(max(min(lanes, most), self._lanes), *times)

    def _set(
        self,
        lane: Lane,
        condition: str,
        asked_ms: int,
        also: Mapping[str, int] = MappingProxyType({}),
        values: Mapping[str, int] = MappingProxyType({}),
    ) -> tuple[bool, Item]:
        """Set a lane's lease and `also`; return whether the condition held, and the item."""
        sets = ", ".join(_SETS.get(name, f"{name} = :{name}") for name in also)
        write = Write.update(
            self._table,
            {KEY: Key.lanes(lane.merchant_id)},
            "SET #lane = :to, expires_at = :expires" + (sets and f", {sets}"),
            condition,
            Unmet,
            values={
                ":to": lane.until_ms,
                ":asked": asked_ms,
                ":expires": max(lane.until_ms, asked_ms) // _MS + _KEPT_SECONDS,
                **{f":{name}": value for name, value in also.items()},
                **values,
            },
            names={"#lane": _attribute(lane.number)},
            returns_item=True,
        )
        try:
            return True, write_alone(self._client, write, "ALL_NEW")
        except Unmet as unmet:
            return False, unmet.item


_IS_FREE = (
    "(attribute_not_exists(#lane) OR #lane < :asked)"
    " AND (attribute_not_exists(paid_us) OR paid_us < :burst)"
)
_IS_MINE = "#lane = :asked"
_SETS = {"more_us": "paid_us = paid_us + :more_us"}


def _attribute(number: int) -> str:
    return f"lane_{number}"


def _number(item: Item, name: str, default: int = 0) -> int:
    value = item.get(name, default)
    assert isinstance(value, int)
    return value


def _burst_us(now_ms: int) -> int:
    return (now_ms + BURST_MS) * _MS


@dataclass(slots=True)
class _Place:
    """A merchant's lane in this container, the number of threads that use it, and what they saw.

    `max_rps` is the merchant's rate, `latency_ms` the mean of an attempt.
    """

    lane: Lane | None = None
    threads: int = 0
    max_rps: int = 1
    seen: SeenAttempts = field(default_factory=SeenAttempts)
    latency_ms: int | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class SharedLanes:
    def __init__(self, store: LaneStore, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._now_ms = now_ms
        self._places: dict[str, _Place] = {}
        self._placing = threading.Lock()

    def enter(self, merchant_id: str, max_rps: int) -> bool:
        """Use this container's lane to a merchant; False if none is free. Raises: TryAgain."""
        place = self._place(merchant_id)
        with place.lock:
            place.max_rps = max_rps
            place.lane = self._lane(merchant_id, place)
            place.threads += place.lane is not None
            return place.lane is not None

    def leave(self, merchant_id: str, attempt: Attempt | None = None) -> None:
        """Stop using the lane; the last thread releases it. If that fails, the lease expires."""
        place = self._place(merchant_id)
        with place.lock:
            place.threads -= 1
            if attempt is not None:
                place.seen = place.seen.after(attempt, place.max_rps, self._now_ms())
                place.latency_ms = mean_ms(place.latency_ms, attempt.latency_ms)
            if place.threads == 0 and place.lane is not None:
                lane, place.lane = place.lane, None
                seen, place.seen = place.seen, SeenAttempts()
                with suppress(TryAgain):
                    self._store.give_back(lane, seen, self._now_ms())

    def _lane(self, merchant_id: str, place: _Place) -> Lane | None:
        """Return a lane leased for one attempt: the current lane, renewed if needed, or another.

        The current lane is lost if its lease expired and another container has it.
        Raises: TryAgain.
        """
        now_ms, lane = self._now_ms(), place.lane
        if lane is not None and lane.until_ms - now_ms >= _ATTEMPT_SECONDS * _MS:
            return lane
        until_ms = now_ms + LANE_SECONDS * _MS
        renewed = None if lane is None else self._store.renew(lane, until_ms)
        most = lanes_for(place.max_rps, place.latency_ms)
        return renewed or self._store.take(merchant_id, most, now_ms, until_ms)

    def _place(self, merchant_id: str) -> _Place:
        with self._placing:
            return self._places.setdefault(merchant_id, _Place())
