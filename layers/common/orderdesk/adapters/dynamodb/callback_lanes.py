"""Lanes: a limit on the containers that send to one merchant at a time; one item in Callbacks.

A container leases a lane until a stored time, which also identifies the owner, and renews or
releases it before. The lane of a crashed container expires. If two containers lease the same lane,
the condition of one write fails and returns the item with the free lanes. The threads of a
container that send to the same merchant share one lane.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.callbacks import KEY
from orderdesk.adapters.dynamodb.client import TableStore
from orderdesk.adapters.dynamodb.keys import lanes_key
from orderdesk.adapters.dynamodb.marshal import Item, from_item, to_item
from orderdesk.adapters.sending import call, error_code
from orderdesk.domain.errors import TryAgain
from orderdesk.services.ports import Chance

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


# A crashed container blocks its lane for this long. Callbacks that find no lane wait longer each
# time, so the lease is short.
LANE_SECONDS = 13
# An attempt takes at most 10 s. A thread renews the lane if less time than this is left.
_ATTEMPT_SECONDS = 11
_MS = 1000
_KEPT_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class Lane:
    """One of a merchant's lanes, and the end of its lease (Unix ms)."""

    merchant_id: str
    number: int
    until_ms: int


class LaneStore(TableStore):
    """Lease and release lanes; each merchant has `lanes` of them."""

    def __init__(self, client: "DynamoDBClient", table: str, lanes: int, chance: Chance) -> None:
        super().__init__(client, table)
        self._lanes = lanes
        self._chance = chance

    def take(self, merchant_id: str, now_ms: int, until_ms: int) -> Lane | None:
        """Lease a free lane of a merchant; None if all are leased. Raises: TryAgain."""
        free = list(range(self._lanes))
        while free:
            lane = Lane(merchant_id, free[self._chance.below(len(free))], until_ms)
            is_free = "attribute_not_exists(#lane) OR #lane < :asked"
            there = self._set(lane, until_ms, is_free, now_ms)
            if there is None:
                return lane
            free.remove(lane.number)
            free = [number for number in free if _until(there, number) < now_ms]
        return None

    def renew(self, lane: Lane, until_ms: int) -> Lane | None:
        """Extend a lease; None if another container has the lane. Raises: TryAgain."""
        renewed = replace(lane, until_ms=until_ms)
        there = self._set(renewed, until_ms, "#lane = :asked", lane.until_ms)
        return renewed if there is None else None

    def give_back(self, lane: Lane) -> None:
        """Release a lane unless another container has it. Raises: TryAgain."""
        self._set(lane, 0, "#lane = :asked", lane.until_ms)

    def _set(self, lane: Lane, to_ms: int, condition: str, asked_ms: int) -> Item | None:
        """Set a lane; return the stored item if the condition fails."""
        update: dict[str, Any] = {
            "TableName": self._table,
            "Key": to_item({KEY: lanes_key(lane.merchant_id)}),
            "UpdateExpression": "SET #lane = :to, expires_at = :expires",
            "ConditionExpression": condition,
            "ExpressionAttributeNames": {"#lane": _attribute(lane.number)},
            "ExpressionAttributeValues": to_item(
                {
                    ":to": to_ms,
                    ":asked": asked_ms,
                    ":expires": lane.until_ms // _MS + _KEPT_SECONDS,
                }
            ),
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        try:
            call(lambda: self._client.update_item(**update))
        except ClientError as error:
            if error_code(error) != "ConditionalCheckFailedException":
                raise
            return from_item(cast("dict[str, Any]", error.response).get("Item") or {})
        return None


def _attribute(number: int) -> str:
    return f"lane_{number}"


def _until(item: Item, number: int) -> int:
    until = item.get(_attribute(number), 0)
    assert isinstance(until, int)
    return until


@dataclass(slots=True)
class _Place:
    """A merchant's lane in this container, and the number of threads that use it."""

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
        """Use this container's lane to a merchant; False if none is free. Raises: TryAgain."""
        place = self._place(merchant_id)
        with place.lock:
            place.lane = self._lane(merchant_id, place.lane)
            place.threads += place.lane is not None
            return place.lane is not None

    def leave(self, merchant_id: str) -> None:
        """Stop using the lane; the last thread releases it. If that fails, the lease expires."""
        place = self._place(merchant_id)
        with place.lock:
            place.threads -= 1
            if place.threads == 0 and place.lane is not None:
                lane, place.lane = place.lane, None
                with suppress(TryAgain):
                    self._store.give_back(lane)

    def _lane(self, merchant_id: str, lane: Lane | None) -> Lane | None:
        """Return a lane leased for one attempt: the current lane, renewed if needed, or another.

        The current lane is lost if its lease expired and another container has it.
        Raises: TryAgain.
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
