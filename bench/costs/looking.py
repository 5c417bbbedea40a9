"""Looks at the items of a DynamoDB request, before it is sent and after it was answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.costs.records import Read, Request, Write
from bench.costs.units import Table, WireItem

_SINGLE_WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem"})
_TRANSACTION = "TransactWriteItems"


@dataclass(frozen=True, slots=True)
class Found:
    """An item that is about to be written."""

    table: str
    key: WireItem
    item: WireItem | None


@dataclass(frozen=True, slots=True)
class Looker:
    """Looks with the very client that sends the request."""

    client: Any
    tables: Mapping[str, Table]

    def before(self, operation: str, params: Mapping[str, Any]) -> tuple[Found, ...]:
        """Give what the items of a write are now."""
        found = []
        for write in _writes_of(operation, params):
            table = write["TableName"]
            whole = write.get("Key") or write["Item"]
            key = {name: whole[name] for name in self.tables[table].keys}
            found.append(Found(table, key, self._item(table, key)))
        return tuple(found)

    def request(
        self,
        operation: str,
        params: Mapping[str, Any],
        answer: Mapping[str, Any],
        before: Sequence[Found],
    ) -> Request:
        """Give an answered request with what it read and wrote."""
        writes = tuple(
            Write(
                table=found.table,
                key=found.key,
                before=found.item,
                after=self._item(found.table, found.key),
                transactional=operation == _TRANSACTION,
            )
            for found in before
        )
        return Request("dynamodb", operation, self._read(operation, params, answer), writes)

    def _read(
        self, operation: str, params: Mapping[str, Any], answer: Mapping[str, Any]
    ) -> Read | None:
        match operation:
            case "GetItem":
                items = [answer["Item"]] if "Item" in answer else []
            case "Query":
                # What a filter leaves out is read all the same.
                items = self._all(params) if "FilterExpression" in params else answer["Items"]
            case _:
                return None
        consistent = params.get("ConsistentRead", False)
        return Read(params["TableName"], params.get("IndexName"), items, consistent)

    def _all(self, params: Mapping[str, Any]) -> list[WireItem]:
        condition = params["KeyConditionExpression"]
        values = params["ExpressionAttributeValues"]
        without_filter = {name: v for name, v in params.items() if name != "FilterExpression"}
        without_filter["ExpressionAttributeValues"] = {
            name: value for name, value in values.items() if name in condition
        }
        return list(self.client.query(**without_filter)["Items"])

    def _item(self, table: str, key: WireItem) -> WireItem | None:
        answer = self.client.get_item(TableName=table, Key=key, ConsistentRead=True)
        item: WireItem | None = answer.get("Item")
        return item


def _writes_of(operation: str, params: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if operation == _TRANSACTION:
        return [write for item in params["TransactItems"] for write in item.values()]
    return [params] if operation in _SINGLE_WRITES else []
