"""Endpoints that failed: one item each in the Callbacks table, until the endpoint answers.

A paused or draining endpoint is in the index `due`, in a partition of its own kind, and a paused
one in `by_merchant` too, under a key that no merchant_id is. What waits for it is in `due` in
partitions of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import batched
from typing import Any

from orderdesk.adapters.dynamodb.callbacks import KEY, delivery_item, save_next
from orderdesk.adapters.dynamodb.client import KEYS_MAX, DynamoDB, Query, TableStore
from orderdesk.adapters.dynamodb.keys import TROUBLE_SHARDS, Index, Key, Prefix
from orderdesk.adapters.dynamodb.marshal import Item, Stored, WireItem, from_item, readable_rows
from orderdesk.adapters.dynamodb.transactions import Write, transact, write_alone
from orderdesk.domain.callbacks.delivery import Delivery
from orderdesk.domain.callbacks.endpoints import PAUSED_MOST, Endpoint, EndpointId, EndpointState
from orderdesk.domain.pricing import Mode

_MS = 1000
# Failures that no pause and no success followed are forgotten after this time.
_KEPT_SECONDS = 3 * 86_400


class EndpointStore(TableStore):
    """Lists leave out malformed items; `report` receives the error of each."""

    def __init__(
        self,
        client: DynamoDB,
        table: str,
        retention_days: int,
        report: Callable[[Exception], None] | None = None,
    ) -> None:
        super().__init__(client, table)
        self._retention_days = retention_days
        self._report = report

    def endpoint(self, endpoint_id: EndpointId) -> Endpoint | None:
        key = {KEY: Key.endpoint(endpoint_id.text)}
        return self._find(self._table, key, _endpoint_of)

    def save(self, endpoint: Endpoint, event: Delivery | None = None) -> None:
        item = endpoint_item(endpoint)
        if event is None:
            save_next(self._client, self._table, item)
            return
        items = (item, delivery_item(event, self._retention_days))
        writes = [Write.put_next(self._table, KEY, each) for each in items]
        transact(self._client, writes, event.event.webhook_id)

    def remove(self, endpoint: Endpoint) -> None:
        removed = Write.delete(
            self._table,
            {KEY: Key.endpoint(endpoint.id.text)},
            f"attribute_not_exists({KEY}) OR version = :version",
            values={":version": endpoint.version},
        )
        write_alone(self._client, removed)

    def paused(self, merchant_id: str, mode: Mode, limit: int) -> Sequence[Endpoint]:
        rows = self._paused_rows(merchant_id, mode, limit)
        return [each for each in self._endpoints(rows) if each.is_paused]

    def paused_origins(self, merchant_id: str, mode: Mode) -> Sequence[str]:
        rows = self._paused_rows(merchant_id, mode, PAUSED_MOST)
        return [str(from_item(row)["place"]) for row in rows]

    def _paused_rows(self, merchant_id: str, mode: Mode, limit: int) -> Sequence[WireItem]:
        key = Key.paused(merchant_id, mode)
        return self._query(self._table, Index.EVENTS, key, limit=limit).page()

    def due(self, until_ms: int) -> Iterator[Endpoint]:
        asked = self._due(Key.DUE_ENDPOINTS, until_ms)
        for page in asked.pages():
            for rows in batched(page, KEYS_MAX, strict=False):
                found = self._endpoints(rows)
                yield from (each for each in found if (each.due_ms or until_ms + 1) <= until_ms)

    def waiting(self, endpoint_id: EndpointId, until_ms: int | None, limit: int) -> Sequence[str]:
        """Read the same number from each shard, in turn, until there are enough."""
        found: list[str] = []
        for shard in range(TROUBLE_SHARDS):
            key, some = Key.waiting(shard, endpoint_id.text), -(-limit // TROUBLE_SHARDS)
            rows = self._due(key, until_ms, some).page()
            found.extend(str(from_item(row)[KEY]) for row in rows)
            if len(found) >= limit:
                break
        return found[:limit]

    def _due(self, key: str, until_ms: int | None, limit: int | None = None) -> Query:
        return self._query(self._table, Index.DUE_CALLBACKS, key, ("<=", until_ms), limit=limit)

    def _endpoints(self, rows: Sequence[WireItem]) -> list[Endpoint]:
        """Read items in the order of their keys; omit malformed ones, and those removed since."""
        keys = [{KEY: from_item(row)[KEY]} for row in rows]
        items = self._get_items(self._table, keys)
        return [*readable_rows(_endpoint_of, filter(None, items), self._report)]


_ENDPOINT = Stored(Endpoint, beside="id")
_NUMBERS = {each.name for each in fields(Endpoint) if each.type in {int, int | None}}


def endpoint_item(endpoint: Endpoint) -> Item:
    """Return the item of an endpoint; only one that is neither paused nor draining expires."""
    id_, due_ms = endpoint.id, endpoint.due_ms
    is_failing = endpoint.state is EndpointState.FAILING
    return {
        KEY: Key.endpoint(id_.text),
        **_ENDPOINT.item(endpoint),
        "due_key": None if due_ms is None else Key.DUE_ENDPOINTS,
        "due_ms": due_ms,
        "merchant_id": Key.paused(id_.merchant_id, id_.mode) if endpoint.is_paused else None,
        "place": id_.origin if endpoint.is_paused else None,
        "expires_at": endpoint.first_ms // _MS + _KEPT_SECONDS if is_failing else None,
    }


def _endpoint_of(row: Mapping[str, Any]) -> Endpoint:
    if any(type(row.get(name, 0)) is not int for name in _NUMBERS):
        raise TypeError("not a number")
    return _ENDPOINT.of(row, id=EndpointId.parse(row[KEY].removeprefix(Prefix.ENDPOINT)))
