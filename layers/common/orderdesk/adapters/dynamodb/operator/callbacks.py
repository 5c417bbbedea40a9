"""Deliveries of callbacks for operators: reads and redelivery."""

import heapq
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from orderdesk.adapters.dynamodb.audit import audit_writes
from orderdesk.adapters.dynamodb.callback_endpoints import EndpointStore
from orderdesk.adapters.dynamodb.callbacks import KEY, CallbackStore, delivery_item, delivery_of
from orderdesk.adapters.dynamodb.client import DynamoDB, TablesStore, items_of, query
from orderdesk.adapters.dynamodb.keys import (
    BY_ORDER_INDEX,
    TROUBLE_INDEX,
    TROUBLE_SHARDS,
    TableNames,
    trouble_key,
)
from orderdesk.adapters.dynamodb.marshal import Value, readable
from orderdesk.adapters.dynamodb.operator.typed import strictly
from orderdesk.adapters.dynamodb.transactions import next_write, transact
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.callbacks.delivery import Delivery, Trouble
from orderdesk.domain.callbacks.endpoints import Endpoint
from orderdesk.domain.errors import ChangedMeanwhile

_PAGE_LIMIT = 50
# Later than any endpoint is due.
_ALWAYS_MS = 10**15


class OperatorCallbacks(TablesStore):
    def __init__(self, client: DynamoDB, tables: TableNames, retention_days: int) -> None:
        super().__init__(client, tables)
        self._retention_days = retention_days
        self._store = CallbackStore(client, tables.callbacks, retention_days)
        self._endpoints = EndpointStore(client, tables.callbacks, retention_days)

    def delivery(self, webhook_id: str) -> Delivery | None:
        return self._store.delivery(webhook_id)

    def of_number(self, number: str) -> Sequence[Delivery]:
        table, values = self._tables.callbacks, {":number": number}
        asked = query(table, "#number = :number", values, index=BY_ORDER_INDEX)
        return list(self._deliveries(asked))

    def troubled(
        self, kinds: Collection[Trouble], until_ms: int | None = None
    ) -> Iterator[Delivery]:
        keys = [trouble_key(kind, shard) for kind in kinds for shard in range(TROUBLE_SHARDS)]
        partitions = [self._deliveries(self._newest(key, until_ms)) for key in keys]
        return heapq.merge(*partitions, key=lambda delivery: delivery.updated_ms, reverse=True)

    def paused(self) -> Iterator[Endpoint]:
        return (each for each in self._endpoints.due(_ALWAYS_MS) if each.is_paused)

    def change(self, delivery: Delivery, entry: AuditEntry, token: str) -> None:
        item = delivery_item(delivery, self._retention_days)
        write = next_write(self._tables.callbacks, KEY, item, lambda _: ChangedMeanwhile())
        transact(self._client, [write, *audit_writes(self._tables, entry)], token)

    def _newest(self, key: str, until_ms: int | None) -> dict[str, Any]:
        condition, values = "trouble_key = :key", dict[str, Value]({":key": key})
        if until_ms is not None:
            condition, values[":until"] = f"{condition} AND updated_ms <= :until", until_ms
        table, index = self._tables.callbacks, TROUBLE_INDEX
        return query(table, condition, values, index=index, newest_first=True, limit=_PAGE_LIMIT)

    def _deliveries(self, asked: dict[str, Any]) -> Iterator[Delivery]:
        items = items_of(self._client, asked)
        return readable(lambda item: strictly(delivery_of(item)), items)
