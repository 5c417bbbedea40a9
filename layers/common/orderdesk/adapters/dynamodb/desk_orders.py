"""A trader's orders by the index `desk`, and the sells that wait for a trader."""

import heapq
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from orderdesk.adapters.dynamodb.keys import (
    DESK_INDEX,
    DUE_INDEX,
    DUE_SHARDS,
    desk_key,
    matching_key,
)
from orderdesk.adapters.dynamodb.marshal import Value, from_item, to_item
from orderdesk.adapters.dynamodb.orders import order_of
from orderdesk.adapters.dynamodb.paging import query_pages
from orderdesk.adapters.sending import read
from orderdesk.domain.orders import Order

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_PAGE_LIMIT = 100


class DeskOrderIndex:
    """Fills the port `DeskOrders`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def open_orders(self, trader_id: str) -> Sequence[Order]:
        """Give all open orders of a trader, newest first. Raises: TryAgain."""
        query = self._query(desk_key(trader_id, is_open=True))
        return [order_of(from_item(i)) for page in query_pages(self._client, query) for i in page]

    def done(self, trader_id: str, before_id: int | None, limit: int) -> Sequence[Order]:
        """Give orders of a trader that are over, newest first. Raises: TryAgain."""
        query = self._query(desk_key(trader_id, is_open=False), before_id) | {"Limit": limit}
        answer = read(lambda: self._client.query(**query))
        return [order_of(from_item(item)) for item in answer["Items"]]

    def _query(self, key: str, before_id: int | None = None) -> dict[str, Any]:
        values: dict[str, Value] = {":key": key}
        condition = "desk_key = :key"
        if before_id is not None:
            values[":before"] = before_id
            condition += " AND order_id < :before"
        return {
            "TableName": self._table,
            "IndexName": DESK_INDEX,
            "KeyConditionExpression": condition,
            "ExpressionAttributeValues": to_item(values),
            "ScanIndexForward": False,
        }


class WaitingSellIndex:
    """Fills the port `WaitingSells`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def waiting(self, until: int) -> Iterator[str]:
        """Give each that waits since `until` (Unix seconds), longest first. Raises: TryAgain."""
        shards = (self._shard(shard, until) for shard in range(DUE_SHARDS))
        for _, order_no in heapq.merge(*shards):
            yield order_no

    def _shard(self, shard: int, until: int) -> Iterator[tuple[int, str]]:
        query = {
            "TableName": self._table,
            "IndexName": DUE_INDEX,
            "KeyConditionExpression": "due_key = :key AND due_time <= :until",
            "ExpressionAttributeValues": to_item({":key": matching_key(shard), ":until": until}),
            "Limit": _PAGE_LIMIT,
        }
        for page in query_pages(self._client, query):
            for item in page:
                row = from_item(item)
                since, order_no = row["due_time"], row["pk"]
                assert isinstance(since, int)
                assert isinstance(order_no, str)
                yield since, order_no
