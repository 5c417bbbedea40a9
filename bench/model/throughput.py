"""Hot partitions: how much one partition key may read and write in a second."""

from dataclasses import dataclass

from bench.model.timeline import US_PER_SECOND


@dataclass(frozen=True, slots=True)
class Limits:
    """DynamoDB's documented limits of a partition, for reads and for writes on their own.

    `burst_seconds` of unused capacity are kept. DynamoDB keeps up to five minutes, but promises
    none; the model keeps one second.
    """

    write_units_per_second: int = 1_000
    read_units_per_second: int = 3_000
    burst_seconds: int = 1


class Bucket:
    """A token bucket: it admits a request while anything is left, so it may fall below zero."""

    def __init__(self, units_per_second: int, burst_seconds: int, now_us: int) -> None:
        self._rate = units_per_second
        self._full = float(units_per_second * burst_seconds)
        self._left = self._full
        self._at_us = now_us

    def admits(self, now_us: int) -> bool:
        """Tell whether a request is admitted at a time; times never go backwards."""
        gained = (now_us - self._at_us) * self._rate / US_PER_SECOND
        self._left = min(self._full, self._left + gained)
        self._at_us = now_us
        return self._left > 0

    def take(self, units: float) -> None:
        """Use units."""
        self._left -= units


class Partition:
    """One partition key of a table or an index: its own limit for writes and for reads."""

    def __init__(self, limits: Limits, now_us: int) -> None:
        self.writes = Bucket(limits.write_units_per_second, limits.burst_seconds, now_us)
        self.reads = Bucket(limits.read_units_per_second, limits.burst_seconds, now_us)
