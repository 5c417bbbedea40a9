"""A table's storage node: items with their locks and timestamps, and the partitions' limits."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.model import refusals
from bench.model.expressions import WireItem
from bench.model.index import LaggingIndex
from bench.model.refusals import Reason
from bench.model.sizes import item_bytes, write_units
from bench.model.throughput import Partitioned
from bench.model.writes import Write

type Stamp = tuple[int, int]
"""A transaction's timestamp: when it reached its coordinator, and a running number."""


@dataclass(slots=True)
class Record:
    """What a storage node keeps of a key; `item` is None before the first write.

    `written` is the timestamp of the last write, `holder` that of the transaction that has
    prepared a write and neither committed nor cancelled it yet.
    """

    item: WireItem | None = None
    written: Stamp = (0, 0)
    holder: Stamp | None = None


class Table(Partitioned):
    """Items by key, each in a partition of its own.

    Its methods take no virtual time; the caller waits before and after.
    """

    def __init__(self, key_names: Sequence[str], *indexes: LaggingIndex) -> None:
        super().__init__()
        self.key_names = key_names
        self._records: dict[str, Record] = {}
        self.indexes = {index.schema.name: index for index in indexes}

    def key_of(self, item: WireItem) -> str:
        """Give an item's key as one text."""
        return "\0".join(str(item[name]["S"]) for name in self.key_names)

    def item(self, key: str) -> WireItem | None:
        """Read the item as the last commit left it; a lock does not stop reads."""
        record = self._records.get(key)
        return None if record is None else record.item

    def items(self) -> list[WireItem]:
        """Read them all."""
        return [record.item for record in self._records.values() if record.item is not None]

    def refusal(self, write: Write, stamp: Stamp, now_us: int) -> Reason | None:
        """Say why a write cannot be accepted, or None.

        The checks are throttling, the lock, the condition, then the timestamp: a write that is
        stamped before the item's last write came too late. A throttled write costs nothing. Every
        other refused write costs as much as an accepted one.
        """
        key = self.key_of(write.key)
        record = self._records.setdefault(key, Record())
        if not self._admits(key, record.item, now_us):
            return refusals.reason(refusals.THROTTLED)
        self._charge(key, write, record.item, now_us)
        if record.holder is not None:
            return refusals.reason(refusals.CONFLICT)
        if not write.may_change(record.item):
            told = record.item if write.returns_old else None
            return refusals.reason(refusals.CONDITION, told)
        if record.written >= stamp:
            return refusals.reason(refusals.CONFLICT)
        return None

    def hold(self, write: Write, stamp: Stamp | None) -> None:
        """Lock the item for a transaction that has prepared its write; None gives it back."""
        self._records[self.key_of(write.key)].holder = stamp

    def commit(self, write: Write, stamp: Stamp, now_us: int) -> None:
        """Carry out a prepared write, the second time that a transaction is charged for it."""
        key = self.key_of(write.key)
        self._charge(key, write, self._records[key].item, now_us)
        self.apply(write, stamp, now_us)

    def apply(self, write: Write, stamp: Stamp, now_us: int) -> None:
        """Change the item and tell the indexes."""
        key = self.key_of(write.key)
        record = self._records.setdefault(key, Record())
        before, after = record.item, write.applied_to(record.item)
        record.item, record.written, record.holder = after, max(stamp, record.written), None
        for index in self.indexes.values():
            index.wrote(key, before, after, now_us)

    def _admits(self, key: str, item: WireItem | None, now_us: int) -> bool:
        """Ask the item's partition and its indexes': a full index refuses the table's write."""
        if not self.partition(key, now_us).writes.admits(now_us):
            return False
        for index in self.indexes.values():
            value = index.partition_of(item)
            if value is not None and not index.partition(value, now_us).writes.admits(now_us):
                return False
        return True

    def _charge(self, key: str, write: Write, item: WireItem | None, now_us: int) -> None:
        # The larger of before and after counts; an update here changes a size by bytes at most.
        measured = write.key if write.puts or item is None else item
        self.partition(key, now_us).writes.take(write_units(item_bytes(measured)))
