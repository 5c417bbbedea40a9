"""A global secondary index with all attributes: sorted, partitioned, and late."""

import bisect
import heapq
from dataclasses import dataclass
from random import Random

from bench.model.expressions import WireItem
from bench.model.sizes import item_bytes, write_units
from bench.model.throughput import Limits, Partition
from bench.model.timing import Span

type Place = tuple[int, str]

PAGE_BYTES = 1 << 20  # a query reads no more, whatever its Limit


@dataclass(frozen=True, slots=True)
class Schema:
    """An index's name and its keys: a text to partition by, a number to sort by."""

    name: str
    partition: str
    sort: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An item as the index has it, and its size in bytes."""

    item: WireItem
    size_bytes: int


class LaggingIndex:
    """Sees each write some time after the table, the writes of one item in their order.

    Sparse: an item without the partition attribute is not in it. A moved entry is a delete and a
    put, which DynamoDB charges as two writes. Here readers never see the one without the other; on
    the real index they can.
    """

    def __init__(self, schema: Schema, lag: Span, random: Random, limits: Limits) -> None:
        self.schema, self._limits = schema, limits
        self._lag, self._random = lag, random
        self._arriving: list[tuple[int, int, str, WireItem]] = []
        self._arrivals = 0
        self._shown_us: dict[str, int] = {}
        self._places: dict[str, tuple[str, Place]] = {}
        self._order: dict[str, list[Place]] = {}
        self._entries: dict[str, Entry] = {}
        self._partitions: dict[str, Partition] = {}

    def wrote(self, key: str, before: WireItem | None, after: WireItem, now_us: int) -> None:
        """Take a write to the table: charged now, shown after the lag."""
        self._charge(before, after, now_us)
        late_us = now_us + self._lag.draw(self._random)
        shown_us = max(late_us, self._shown_us.get(key, 0))
        self._shown_us[key] = shown_us
        self._arrivals += 1
        heapq.heappush(self._arriving, (shown_us, self._arrivals, key, after))

    def partition(self, value: str, now_us: int) -> Partition:
        """Give what a partition key has left."""
        if value not in self._partitions:
            self._partitions[value] = Partition(self._limits, now_us)
        return self._partitions[value]

    def partition_of(self, item: WireItem) -> str | None:
        """Give an item's partition key, or None where it is not in the index."""
        value = item.get(self.schema.partition)
        return None if value is None else str(value["S"])

    def page(
        self, value: str, after: Place | None, limit: int, now_us: int
    ) -> tuple[list[Entry], Place | None]:
        """Read entries of a partition in order, behind a place, as shown at a time.

        Ends at the limit or at a megabyte; gives the last place where it did, else None.
        """
        self._show(now_us)
        order = self._order.get(value, [])
        start = 0 if after is None else bisect.bisect_right(order, after)
        page: list[Entry] = []
        left_bytes = PAGE_BYTES
        for place in order[start : start + limit]:
            entry = self._entries[place[1]]
            left_bytes -= entry.size_bytes
            if left_bytes < 0:
                break
            page.append(entry)
        cut = len(page) == limit or left_bytes < 0
        return page, order[start + len(page) - 1] if cut else None

    def _show(self, now_us: int) -> None:
        while self._arriving and self._arriving[0][0] <= now_us:
            _, _, key, item = heapq.heappop(self._arriving)
            if key in self._places:
                value, place = self._places.pop(key)
                order = self._order[value]
                del order[bisect.bisect_left(order, place)]
            new_value = self.partition_of(item)
            if new_value is not None:
                place = (int(item[self.schema.sort]["N"]), key)
                bisect.insort(self._order.setdefault(new_value, []), place)
                self._places[key] = new_value, place
                self._entries[key] = Entry(item, item_bytes(item))

    def _charge(self, before: WireItem | None, after: WireItem, now_us: int) -> None:
        old = None if before is None else self._where(before)
        new = self._where(after)
        if before is not None and old is not None and old != new:
            self._take(old[0], before, now_us)
        if new is not None:
            self._take(new[0], after, now_us)

    def _where(self, item: WireItem) -> tuple[str, str] | None:
        value = self.partition_of(item)
        return None if value is None else (value, item[self.schema.sort]["N"])

    def _take(self, value: str, item: WireItem, now_us: int) -> None:
        self.partition(value, now_us).writes.take(write_units(item_bytes(item)))
