"""DynamoDB's rules: how many request units a read or a write takes, in a table and its indexes.

From the developer guide's "Read and write operations" and "Global secondary indexes". What it
leaves open was measured by others against the live service (paritysuite/dynamodb-conformance,
nubo-db/dynoxide #188): in a transaction each item of a table costs twice, its index entries once,
and a condition adds nothing. DynamoDB Local is no witness here: in a transaction it counts four for
either, and of several writes to one table a single one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bench.model.sizes import item_bytes, read_units, write_units

type WireItem = Mapping[str, Mapping[str, Any]]

TRANSACTION_FACTOR = 2
# Billed as stored, not as read or written: of every item, and of every index entry.
STORED_OVERHEAD_BYTES = 100


@dataclass(frozen=True, slots=True)
class Index:
    """A global secondary index: its keys, and what it holds beside them; None for everything."""

    name: str
    keys: tuple[str, ...]
    projected: frozenset[str] | None

    def entry(self, item: WireItem | None, table_keys: Sequence[str]) -> WireItem | None:
        """Give an item's entry, or None where it has none."""
        if item is None or any(key not in item for key in self.keys):
            return None
        if self.projected is None:
            return item
        held = {*self.keys, *table_keys, *self.projected}
        return {name: value for name, value in item.items() if name in held}


@dataclass(frozen=True, slots=True)
class Table:
    """A table's keys and indexes."""

    keys: tuple[str, ...]
    indexes: tuple[Index, ...] = ()


def units_of_read(size: int, *, consistent: bool) -> Decimal:
    """Give what one request takes that reads so many bytes; nothing found costs like one unit."""
    return Decimal(read_units(size, consistent=consistent))


def units_of_write(before: WireItem | None, after: WireItem | None) -> int:
    """Give what one write of an item takes outside of a transaction: by the larger state."""
    return write_units(max(item_bytes(before or {}), item_bytes(after or {})))


def index_write_units(
    index: Index, table: Table, before: WireItem | None, after: WireItem | None
) -> int:
    """Give what a write of an item takes in an index; a changed key is a delete and a put."""
    old, new = index.entry(before, table.keys), index.entry(after, table.keys)
    if old == new:
        return 0
    if old is None or new is None or any(old[key] != new[key] for key in index.keys):
        return sum(units_of_write(entry, None) for entry in (old, new) if entry is not None)
    return units_of_write(old, new)
