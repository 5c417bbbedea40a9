"""What a request to DynamoDB reads and writes, and the end of all that a test wrote."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import batched
from typing import Any

from orderdesk.adapters.dynamodb.marshal import from_item, to_item

type Key = tuple[str, str]
_BATCH_MOST = 25  # items that one request writes
SINGLE_WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem"})


@dataclass(frozen=True, slots=True)
class Access:
    """One request: its operation, and the items that it reads and writes.

    `tables` are those of which it may read any item.
    """

    operation: str
    reads: frozenset[Key]
    writes: frozenset[Key]
    tables: frozenset[str] = frozenset()

    def meets(self, other: "Access") -> bool:
        """Return whether the order of two requests can matter: one writes what the other touches.

        Of two requests that do not meet, only one order has to be tried.
        """
        return self._changes(other) or other._changes(self)

    def _changes(self, other: "Access") -> bool:
        written = {table for table, _ in self.writes}
        return bool(self.writes & (other.reads | other.writes) or written & other.tables)

    def __str__(self) -> str:
        what = sorted({table for table, _ in self.writes or self.reads} | self.tables)
        return f"{self.operation} {'+'.join(what)}"


class Accesses:
    """Parses the requests of a client's tables; each table's keys are read once."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._names: dict[str, tuple[str, ...]] = {}

    def of(self, operation: str, body: bytes) -> Access:
        """Return the access of a request as botocore is about to send it."""
        asked = json.loads(body)
        if operation in SINGLE_WRITES:
            return Access(operation, frozenset(), frozenset({self._key(asked)}))
        match operation:
            case "GetItem":
                return Access(operation, frozenset({self._key(asked)}), frozenset())
            case "BatchGetItem":
                return Access(operation, frozenset(self._batch(asked)), frozenset())
            case "TransactGetItems" | "TransactWriteItems":
                return self._transaction(operation, asked["TransactItems"])
            case "Query" | "Scan":
                table = frozenset({asked["TableName"]})
                return Access(operation, frozenset(), frozenset(), table)
            case _:
                raise AssertionError(operation)

    def _batch(self, asked: Any) -> Iterator[Key]:
        for table, part in asked["RequestItems"].items():
            yield from (self._key({"TableName": table, "Key": key}) for key in part["Keys"])

    def _transaction(self, operation: str, actions: Any) -> Access:
        reads, writes = set[Key](), set[Key]()
        for action in actions:
            ((kind, asked),) = action.items()
            (reads if kind in {"Get", "ConditionCheck"} else writes).add(self._key(asked))
        return Access(operation, frozenset(reads), frozenset(writes))

    def _key(self, asked: Mapping[str, Any]) -> Key:
        """Return a request's table, and its item's key as JSON."""
        table, item = asked["TableName"], asked.get("Key") or asked["Item"]
        return table, json.dumps({name: item[name] for name in self.names(table)})

    def names(self, table: str) -> tuple[str, ...]:
        """Return the names of a table's key attributes."""
        if table not in self._names:
            schema = self._client.describe_table(TableName=table)["Table"]["KeySchema"]
            self._names[table] = tuple(each["AttributeName"] for each in schema)
        return self._names[table]


class Undo:
    """Keeps items as they were before their first write, and restores them."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._before: dict[Key, Any] = {}

    def note(self, access: Access) -> None:
        """Keep what a request is about to write, before the first write only."""
        self._before |= self._stored(access.writes - self._before.keys())

    def changes(self) -> list[str]:
        """Return every item that is not as it was before, as text without its audit_id."""
        found = list[str]()
        for (table, key), item in self._stored(self._before).items():
            if item != self._before[table, key]:
                row = {} if item is None else from_item(item)
                text = f"{table} {key} {sorted(row.items())}"
                found.append(text.replace(str(row.get("audit_id", " ")), " "))
        return sorted(found)

    def undo(self) -> None:
        """Restore every item that was written."""
        before, self._before = self._before, {}
        for part in batched(before.items(), _BATCH_MOST, strict=False):
            writes: Any = defaultdict(list)
            for (table, key), item in part:
                if item is None:
                    writes[table].append({"DeleteRequest": {"Key": json.loads(key)}})
                else:
                    writes[table].append({"PutRequest": {"Item": to_item(from_item(item))}})
            self._client.batch_write_item(RequestItems=dict(writes))

    def _stored(self, keys: Collection[Key]) -> dict[Key, Any]:
        """Return the items of keys; None for a missing one."""
        found: dict[Key, Any] = dict.fromkeys(keys)
        for part in batched(keys, _BATCH_MOST, strict=False):
            asked: Any = defaultdict(lambda: {"Keys": [], "ConsistentRead": True})
            for table, key in part:
                asked[table]["Keys"].append(json.loads(key))
            answer = self._client.batch_get_item(RequestItems=dict(asked))["Responses"]
            for table, key in part:
                names = json.loads(key)
                found[table, key] = next(
                    (row for row in answer[table] if names.items() <= row.items()), None
                )
        return found
