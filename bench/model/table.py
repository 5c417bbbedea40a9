"""A table's storage node: items with locks and timestamps, and the partitions' limits."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bench.model import refusals
from bench.model.capacity import Partition, item_bytes, write_units
from bench.model.expressions import WireItem, Write
from bench.model.index import LaggingIndex
from bench.model.refusals import Reason

type Stamp = tuple[int, int]
"""A transaction's timestamp: its arrival at the coordinator, and a serial number."""


@dataclass(slots=True)
class Record:
    """The storage node's record of a key; `item` is None before the first write.

    `written` is the timestamp of the last write, `holder` that of a transaction that has
    prepared a write and has neither committed nor cancelled it.
    """

    item: WireItem | None = None
    written: Stamp = (0, 0)
    holder: Stamp | None = None


class Table:
    """Items by key, each in a partition of its own.

    The methods take no virtual time; the caller waits before and after.
    """

    def __init__(self, key_names: Sequence[str], *indexes: LaggingIndex) -> None:
        self.key_names = key_names
        self.partitions = defaultdict[str, Partition](Partition)
        self._records = defaultdict[str, Record](Record)
        self.indexes = {index.keys.name: index for index in indexes}

    def key_of(self, item: WireItem) -> str:
        """Return an item's key as one text."""
        return "\0".join(str(item[name]["S"]) for name in self.key_names)

    def item(self, key: str) -> WireItem | None:
        """Return the item after the last commit; a lock does not stop reads."""
        record = self._records.get(key)
        return None if record is None else record.item

    def items(self) -> list[WireItem]:
        return [record.item for record in self._records.values() if record.item is not None]

    def refusal(self, write: Write, stamp: Stamp, now_us: int) -> Reason | None:
        """Return the reason to refuse a write, or None.

        The checks are throttling, the lock, the condition, then the timestamp: a write with a
        timestamp before the item's last write is refused. A throttled write costs no units. Any
        other refused write costs as many as an accepted one.
        """
        key = self.key_of(write.key)
        record = self._records[key]
        if not self._admits(key, record.item, now_us):
            return refusals.reason(refusals.THROTTLED)
        self._charge(key, write, record.item)
        if record.holder is not None:
            return refusals.reason(refusals.CONFLICT)
        if not write.may_change(record.item):
            old = record.item if write.returns_old else None
            return refusals.reason(refusals.CONDITION, old)
        if record.written >= stamp:
            return refusals.reason(refusals.CONFLICT)
        return None

    def hold(self, write: Write, stamp: Stamp | None) -> None:
        """Lock the item for a transaction that has prepared its write; None unlocks it."""
        self._records[self.key_of(write.key)].holder = stamp

    def commit(self, write: Write, stamp: Stamp, now_us: int) -> None:
        """Apply a prepared write; the transaction pays for it a second time."""
        key = self.key_of(write.key)
        self._charge(key, write, self._records[key].item)
        self.apply(write, stamp, now_us)

    def apply(self, write: Write, stamp: Stamp, now_us: int) -> None:
        """Change the item and update the indexes."""
        key = self.key_of(write.key)
        record = self._records[key]
        before, after = record.item, write.applied_to(record.item)
        record.item, record.written, record.holder = after, max(stamp, record.written), None
        for index in self.indexes.values():
            index.wrote(key, before, after, now_us)

    def _admits(self, key: str, item: WireItem | None, now_us: int) -> bool:
        """Return whether the partitions of the item and of its indexes admit a write."""
        if not self.partitions[key].writes.admits(now_us):
            return False
        for index in self.indexes.values():
            value = index.partition_of(item)
            if value is not None and not index.partitions[value].writes.admits(now_us):
                return False
        return True

    def _charge(self, key: str, write: Write, item: WireItem | None) -> None:
        # DynamoDB bills the larger of both sizes; an update here changes the size by a few bytes.
        measured = write.key if write.puts or item is None else item
        self.partitions[key].writes.take(write_units(item_bytes(measured)))
