"""Endpoints that failed: one item each in the Callbacks table, until the endpoint answers.

A paused or draining endpoint is in the index `due`, in a partition of its own kind, and a paused
one in `by_merchant` too, under a key that no merchant_id is. What waits for it is in `due` in
partitions of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import batched
from typing import TYPE_CHECKING, Any, cast

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.callbacks import KEY, delivery_item, put_next, save_next
from orderdesk.adapters.dynamodb.client import (
    KEYS_MAX,
    TableStore,
    get_item,
    get_items,
    query_pages,
)
from orderdesk.adapters.dynamodb.keys import (
    BY_MERCHANT_INDEX,
    DUE_ENDPOINTS_KEY,
    DUE_INDEX,
    ENDPOINT_PREFIX,
    TROUBLE_SHARDS,
    endpoint_key,
    paused_key,
    waiting_key,
)
from orderdesk.adapters.dynamodb.marshal import (
    Item,
    Value,
    WireItem,
    from_item,
    readable_rows,
    to_item,
)
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.adapters.sending import call, error_code
from orderdesk.domain.callbacks.delivery import Delivery
from orderdesk.domain.callbacks.endpoints import PAUSED_MOST, Endpoint, EndpointId, EndpointState
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.modes import Mode

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_MS = 1000
# Failures that no pause and no success followed are forgotten after this time.
_KEPT_SECONDS = 3 * 86_400


class EndpointStore(TableStore):
    """Lists leave out malformed items; `report` receives the error of each."""

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        retention_days: int,
        report: Callable[[Exception], None] | None = None,
    ) -> None:
        super().__init__(client, table)
        self._retention_days = retention_days
        self._report = report

    def endpoint(self, endpoint_id: EndpointId) -> Endpoint | None:
        item = get_item(self._client, self._table, {KEY: endpoint_key(endpoint_id.text)})
        return None if item is None else _endpoint_of(item)

    def save(self, endpoint: Endpoint, event: Delivery | None = None) -> None:
        item = endpoint_item(endpoint)
        if event is None:
            save_next(self._client, self._table, item)
            return
        puts = [
            put_next(self._table, item),
            put_next(self._table, delivery_item(event, self._retention_days)),
        ]
        writes = [Write({"Put": put}, lambda _: ChangedMeanwhile()) for put in puts]
        transact(self._client, writes, event.event.webhook_id)

    def remove(self, endpoint: Endpoint) -> None:
        request: dict[str, Any] = {
            "TableName": self._table,
            "Key": to_item({KEY: endpoint_key(endpoint.id.text)}),
            "ConditionExpression": f"attribute_not_exists({KEY}) OR version = :version",
            "ExpressionAttributeValues": to_item({":version": endpoint.version}),
        }
        try:
            call(lambda: self._client.delete_item(**request))
        except ClientError as error:
            if error_code(error) != "ConditionalCheckFailedException":
                raise
            raise ChangedMeanwhile from None

    def paused(self, merchant_id: str, mode: Mode, limit: int) -> Sequence[Endpoint]:
        rows = self._paused_rows(merchant_id, mode, limit)
        return [each for each in self._endpoints(rows) if each.is_paused]

    def paused_origins(self, merchant_id: str, mode: Mode) -> Sequence[str]:
        rows = self._paused_rows(merchant_id, mode, PAUSED_MOST)
        return [str(from_item(row)["place"]) for row in rows]

    def _paused_rows(self, merchant_id: str, mode: Mode, limit: int) -> Sequence[WireItem]:
        key = paused_key(merchant_id, mode)
        return self._query(BY_MERCHANT_INDEX, "merchant_id = :key", {":key": key}, limit)

    def due(self, until_ms: int) -> Iterator[Endpoint]:
        query = _query(
            self._table,
            DUE_INDEX,
            "due_key = :key AND due_ms <= :until",
            {":key": DUE_ENDPOINTS_KEY, ":until": until_ms},
        )
        for page in query_pages(self._client, query):
            for rows in batched(page, KEYS_MAX, strict=False):
                found = self._endpoints(rows)
                yield from (each for each in found if (each.due_ms or until_ms + 1) <= until_ms)

    def waiting(self, endpoint_id: EndpointId, until_ms: int | None, limit: int) -> Sequence[str]:
        """Read the same number from each shard, in turn, until there are enough."""
        found: list[str] = []
        for shard in range(TROUBLE_SHARDS):
            values: dict[str, Value] = {":key": waiting_key(shard, endpoint_id.text)}
            condition = "due_key = :key"
            if until_ms is not None:
                condition, values[":until"] = f"{condition} AND due_ms <= :until", until_ms
            rows = self._query(DUE_INDEX, condition, values, -(-limit // TROUBLE_SHARDS))
            found.extend(str(from_item(row)[KEY]) for row in rows)
            if len(found) >= limit:
                break
        return found[:limit]

    def _query(
        self, index: str, condition: str, values: Mapping[str, Value], limit: int
    ) -> Sequence[WireItem]:
        query = {**_query(self._table, index, condition, values), "Limit": limit}
        return call(lambda: self._client.query(**query))["Items"]

    def _endpoints(self, rows: Sequence[WireItem]) -> list[Endpoint]:
        """Read items in the order of their keys; omit malformed ones, and those removed since."""
        keys = [{KEY: from_item(row)[KEY]} for row in rows]
        items = get_items(self._client, self._table, keys)
        return [*readable_rows(_endpoint_of, filter(None, items), self._report)]


def _query(table: str, index: str, condition: str, values: Mapping[str, Value]) -> dict[str, Any]:
    return {
        "TableName": table,
        "IndexName": index,
        "KeyConditionExpression": condition,
        "ExpressionAttributeValues": to_item(values),
    }


def endpoint_item(endpoint: Endpoint) -> Item:
    """Return the item of an endpoint; only one that is neither paused nor draining expires."""
    id_, due_ms = endpoint.id, endpoint.due_ms
    is_failing = endpoint.state is EndpointState.FAILING
    return {
        KEY: endpoint_key(id_.text),
        "version": endpoint.version,
        "failures": endpoint.failures,
        "webhook_ids": list(endpoint.webhook_ids),
        "first_ms": endpoint.first_ms,
        "since_ms": endpoint.since_ms,
        "probes": endpoint.probes,
        "probe_ms": endpoint.probe_ms,
        "resumed_ms": endpoint.resumed_ms,
        "due_key": None if due_ms is None else DUE_ENDPOINTS_KEY,
        "due_ms": due_ms,
        "merchant_id": paused_key(id_.merchant_id, id_.mode) if endpoint.is_paused else None,
        "place": id_.origin if endpoint.is_paused else None,
        "expires_at": endpoint.first_ms // _MS + _KEPT_SECONDS if is_failing else None,
    }


def _endpoint_of(item: Mapping[str, Value]) -> Endpoint:
    row = cast("Mapping[str, Any]", item)
    return Endpoint(
        id=EndpointId.parse(row[KEY].removeprefix(ENDPOINT_PREFIX)),
        version=int(row["version"]),
        failures=int(row["failures"]),
        webhook_ids=tuple(row["webhook_ids"]),
        first_ms=int(row["first_ms"]),
        since_ms=_ms_of(row, "since_ms"),
        probes=int(row["probes"]),
        probe_ms=int(row["probe_ms"]),
        resumed_ms=_ms_of(row, "resumed_ms"),
    )


def _ms_of(row: Mapping[str, Any], name: str) -> int | None:
    return int(row[name]) if name in row else None
