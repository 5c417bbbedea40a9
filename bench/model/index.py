"""A global secondary index with all attributes: sorted, partitioned, and eventually consistent."""

import bisect
import heapq
import itertools
from collections import defaultdict
from dataclasses import dataclass
from random import Random

from bench.model.capacity import Partition, item_bytes, write_units
from bench.model.expressions import WireItem
from bench.model.timing import Span
from orderdesk.adapters.dynamodb.keys import IndexKeys

type Place = tuple[int, str]

PAGE_BYTES = 1 << 20  # the maximum of a query


@dataclass(frozen=True, slots=True)
class Entry:
    """An item in the index and its size in bytes."""

    item: WireItem
    size_bytes: int


class LaggingIndex:
    """An index that shows each write after a lag, the writes of one item in order.

    Sparse: it has no item without the partition attribute. A moved entry is a delete and a put,
    which DynamoDB bills as two writes. Here readers never see one without the other; on the real
    index they can. The partition key is a text, and the sort key a number.
    """

    def __init__(self, keys: IndexKeys, lag: Span, random: Random) -> None:
        self.keys, self._lag, self._random = keys, lag, random
        self.partitions = defaultdict[str, Partition](Partition)
        self._arriving: list[tuple[int, int, str, WireItem]] = []
        self._arrivals = itertools.count()
        self._shown_us: dict[str, int] = {}
        self._places: dict[str, tuple[str, Place]] = {}
        self._order: dict[str, list[Place]] = {}
        self._entries: dict[str, Entry] = {}

    def wrote(self, key: str, before: WireItem | None, after: WireItem, now_us: int) -> None:
        """Record a write to the table: billed now, shown after the lag."""
        self._charge(before, after)
        late_us = now_us + self._lag.draw(self._random)
        shown_us = self._shown_us[key] = max(late_us, self._shown_us.get(key, 0))
        heapq.heappush(self._arriving, (shown_us, next(self._arrivals), key, after))

    def partition_of(self, item: WireItem | None) -> str | None:
        """Return an item's partition key, or None if it is not in the index."""
        value = None if item is None else item.get(self.keys.key)
        return None if value is None else str(value["S"])

    def page(
        self, value: str, after: Place | None, limit: int, now_us: int
    ) -> tuple[list[Entry], Place | None]:
        """Return a partition's entries after a place at a time, and the last place or None.

        A page ends at the limit or at one megabyte; then it has a last place.
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
                place = (int(item[self.keys.sort]["N"]), key)
                bisect.insort(self._order.setdefault(new_value, []), place)
                self._places[key] = new_value, place
                self._entries[key] = Entry(item, item_bytes(item))

    def _charge(self, before: WireItem | None, after: WireItem) -> None:
        old, new = self.partition_of(before), self.partition_of(after)
        sort = self.keys.sort
        if before and old and (old != new or before[sort] != after[sort]):
            self._take(old, before)
        if new:
            self._take(new, after)

    def _take(self, value: str, item: WireItem) -> None:
        self.partitions[value].writes.take(write_units(item_bytes(item)))
