"""Hot partitions: how much one partition key may read and write in a second."""

from bench.model.timeline import US_PER_SECOND

# DynamoDB's documented limits of a partition, for reads and for writes on their own.
READ_UNITS_PER_SECOND, WRITE_UNITS_PER_SECOND = 3_000, 1_000
# Unused capacity is kept so long. DynamoDB keeps up to five minutes, but promises none.
BURST_SECONDS = 1


class Bucket:
    """A token bucket: it admits a request while anything is left, so it may fall below zero."""

    def __init__(self, units_per_second: int, now_us: int) -> None:
        self._rate, self._at_us = units_per_second, now_us
        self._left = self._full = float(units_per_second * BURST_SECONDS)

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

    def __init__(self, now_us: int) -> None:
        self.writes = Bucket(WRITE_UNITS_PER_SECOND, now_us)
        self.reads = Bucket(READ_UNITS_PER_SECOND, now_us)


class Partitioned:
    """A table or an index: each of its partition keys is a partition of its own."""

    def __init__(self) -> None:
        self._partitions: dict[str, Partition] = {}

    def partition(self, key: str, now_us: int) -> Partition:
        """Give what a partition key has left."""
        if key not in self._partitions:
            self._partitions[key] = Partition(now_us)
        return self._partitions[key]
