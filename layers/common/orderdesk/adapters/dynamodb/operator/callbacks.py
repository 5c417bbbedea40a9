"""Deliveries of callbacks for operators: reads and redelivery."""

import heapq
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from orderdesk.adapters.dynamodb.audit import audit_writes
from orderdesk.adapters.dynamodb.callback_endpoints import EndpointStore
from orderdesk.adapters.dynamodb.callbacks import (
    CallbackStore,
    delivery_item,
    delivery_of,
    put_next,
)
from orderdesk.adapters.dynamodb.client import TablesStore, query_pages
from orderdesk.adapters.dynamodb.keys import (
    BY_ORDER_INDEX,
    TROUBLE_INDEX,
    TROUBLE_SHARDS,
    TableNames,
    trouble_key,
)
from orderdesk.adapters.dynamodb.marshal import readable, to_item
from orderdesk.adapters.dynamodb.operator.typed import strictly
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.callbacks.delivery import Delivery, Trouble
from orderdesk.domain.callbacks.endpoints import Endpoint
from orderdesk.domain.errors import ChangedMeanwhile

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_PAGE_LIMIT = 50
# Later than any endpoint is due.
_ALWAYS_MS = 10**15


class OperatorCallbacks(TablesStore):
    def __init__(self, client: "DynamoDBClient", tables: TableNames, retention_days: int) -> None:
        super().__init__(client, tables)
        self._retention_days = retention_days
        self._store = CallbackStore(client, tables.callbacks, retention_days)
        self._endpoints = EndpointStore(client, tables.callbacks, retention_days)

    def delivery(self, webhook_id: str) -> Delivery | None:
        return self._store.delivery(webhook_id)

    def of_number(self, number: str) -> Sequence[Delivery]:
        query = {
            "TableName": self._tables.callbacks,
            "IndexName": BY_ORDER_INDEX,
            "KeyConditionExpression": "#number = :number",
            "ExpressionAttributeNames": {"#number": "number"},
            "ExpressionAttributeValues": to_item({":number": number}),
        }
        return list(self._deliveries(query))

    def troubled(
        self, kinds: Collection[Trouble], until_ms: int | None = None
    ) -> Iterator[Delivery]:
        keys = [trouble_key(kind, shard) for kind in kinds for shard in range(TROUBLE_SHARDS)]
        partitions = [self._deliveries(self._newest(key, until_ms)) for key in keys]
        return heapq.merge(*partitions, key=lambda delivery: delivery.updated_ms, reverse=True)

    def paused(self) -> Iterator[Endpoint]:
        return (each for each in self._endpoints.due(_ALWAYS_MS) if each.is_paused)

    def change(self, delivery: Delivery, entry: AuditEntry, token: str) -> None:
        put = put_next(self._tables.callbacks, delivery_item(delivery, self._retention_days))
        write = Write({"Put": put}, lambda _: ChangedMeanwhile())
        transact(self._client, [write, *audit_writes(self._tables, entry)], token)

    def _newest(self, key: str, until_ms: int | None) -> dict[str, Any]:
        condition, values = "trouble_key = :key", {":key": key}
        until = {} if until_ms is None else {":until": until_ms}
        return {
            "TableName": self._tables.callbacks,
            "IndexName": TROUBLE_INDEX,
            "KeyConditionExpression": f"{condition} AND updated_ms <= :until"
            if until
            else condition,
            "ExpressionAttributeValues": to_item({**values, **until}),
            "ScanIndexForward": False,
            "Limit": _PAGE_LIMIT,
        }

    def _deliveries(self, query: dict[str, Any]) -> Iterator[Delivery]:
        for page in query_pages(self._client, query):
            yield from readable(lambda item: strictly(delivery_of(item)), page)
