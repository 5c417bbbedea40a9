"""Item sizes, capacity units, and the units a second of one partition key."""

from collections.abc import Mapping
from typing import Any

from ministack.services import dynamodb  # type: ignore[import-untyped]

from orderdesk.domain.times import US_PER_SECOND

WRITE_UNIT_BYTES = 1024
READ_UNIT_BYTES = 4096
# DynamoDB's documented limits of a partition; reads and writes count separately.
READ_UNITS_PER_SECOND, WRITE_UNITS_PER_SECOND = 3_000, 1_000
# Unused capacity is kept for this time. DynamoDB keeps up to five minutes, but guarantees none.
BURST_SECONDS = 1


def item_bytes(item: Mapping[str, Any]) -> int:
    """Return the billed size of an item: names and values."""
    return int(dynamodb._item_size_bytes(item))


def write_units(size_bytes: int) -> int:
    """Return the units of one write of an item; a transaction writes each item twice."""
    return max(1, -(-size_bytes // WRITE_UNIT_BYTES))


def read_units(size_bytes: int, *, consistent: bool) -> float:
    """Return the units of reading an item, or a query's page, whose sizes are added first."""
    units = max(1, -(-size_bytes // READ_UNIT_BYTES))
    return units if consistent else units / 2


class Bucket:
    """A token bucket. It admits a request while any unit is left, so it may fall below zero."""

    def __init__(self, units_per_second: int) -> None:
        self._rate, self._at_us = units_per_second, 0
        self._left = self._full = float(units_per_second * BURST_SECONDS)

    def admits(self, now_us: int) -> bool:
        """Return whether a request is admitted at a time; times must not decrease."""
        gained = (now_us - self._at_us) * self._rate / US_PER_SECOND
        self._left = min(self._full, self._left + gained)
        self._at_us = now_us
        return self._left > 0

    def take(self, units: float) -> None:
        self._left -= units


class Partition:
    """One partition key of a table or an index, with limits for writes and for reads."""

    def __init__(self) -> None:
        self.writes = Bucket(WRITE_UNITS_PER_SECOND)
        self.reads = Bucket(READ_UNITS_PER_SECOND)
