"""DynamoDB's request units of a request, by table and index.

From the developer guide's "Read and write operations" and "Global secondary indexes". The rest was
measured by others against the live service (paritysuite/dynamodb-conformance, nubo-db/dynoxide
#188): in a transaction each item of a table costs twice, its index entries once, and a condition
adds nothing. DynamoDB Local counts transactions differently.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from bench.model.capacity import item_bytes, read_units, write_units

type Definition = Mapping[str, Any]
"""A table or an index, as the template or CreateTable describes it."""
type Units = Iterator[tuple[str, str, Decimal]]
"""Each: "reads" or "writes", the table or table/index, and how many."""


def units_read(operation: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Units:
    if operation in {"GetItem", "Query"}:
        items = answer.get("Items", [answer.get("Item", {})])
        assert answer.get("ScannedCount", 1) == len(items), "filtered items are billed too"
        place = "/".join(filter(None, (params["TableName"], params.get("IndexName"))))
        size, consistent = sum(map(item_bytes, items)), params.get("ConsistentRead", False)
        yield "reads", place, Decimal(read_units(size, consistent=consistent))
    for table, asked in params.get("RequestItems", {}).items():  # BatchGetItem
        consistent = asked.get("ConsistentRead", False)
        for item in answer["Responses"][table]:
            yield "reads", table, Decimal(read_units(item_bytes(item), consistent=consistent))


def writes_in(operation: str, params: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if operation == "TransactWriteItems":
        return [write for each in params["TransactItems"] for write in each.values()]
    return [params] if operation in {"PutItem", "UpdateItem", "DeleteItem"} else []


def units_written(name: str, table: Definition, *states: Any, transactional: bool) -> Units:
    """Yield the units of a write, with the item's states before and after; None is no item."""
    yield "writes", name, Decimal(_larger(*states) * (2 if transactional else 1))
    for index in table.get("GlobalSecondaryIndexes", ()):
        units = index_write_units(index, table, *states)
        yield "writes", f"{name}/{index['IndexName']}", Decimal(units)


def index_write_units(index: Definition, table: Definition, *states: Any) -> int:
    """Return the units of a write in an index, with the item's states before and after."""
    old, new = (_entry(index, table, item) for item in states)
    if old == new:
        return 0
    if old and new and all(old[key] == new[key] for key in key_names(index)):
        return _larger(old, new)
    return sum(_larger(entry) for entry in (old, new) if entry)  # a delete and a put


def key_names(definition: Definition) -> Sequence[str]:
    return [each["AttributeName"] for each in definition["KeySchema"]]


def _entry(index: Definition, table: Definition, item: Any) -> Any:
    if item is None or any(key not in item for key in key_names(index)):
        return None
    projection = index["Projection"]
    held = {*key_names(index), *key_names(table), *projection.get("NonKeyAttributes", ())}
    everything = projection["ProjectionType"] == "ALL"
    return {name: value for name, value in item.items() if everything or name in held}


def _larger(*states: Any) -> int:
    return write_units(max(item_bytes(state or {}) for state in states))
