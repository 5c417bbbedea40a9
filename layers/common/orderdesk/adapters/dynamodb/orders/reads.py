"""Reads of orders, drafts and reservations: by key consistently, by index with some lag."""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from orderdesk.adapters.dynamodb.client import get_item
from orderdesk.adapters.dynamodb.keys import (
    BY_MERCHANT_INDEX,
    DESK_INDEX,
    DUE_INDEX,
    DUE_SHARDS,
    desk_key,
    matching_key,
    number_key,
)
from orderdesk.adapters.dynamodb.marshal import Item, Value, from_item, to_item
from orderdesk.adapters.dynamodb.orders.items import draft_of, order_of
from orderdesk.adapters.dynamodb.paging import query_pages
from orderdesk.adapters.sending import read
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.turns import WaitingSell
from orderdesk.services.ports import Reservation

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def reservation_of(item: Mapping[str, Value]) -> Reservation:
    """Read a reservation from its item."""
    row = cast("Mapping[str, Any]", item)
    names = ("order_no", "pending_no", "expire_time", "fingerprint")
    return Reservation(*(row.get(name) for name in names))


class OrderStore:
    """Reads by key; one consistent GetItem each."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def order(self, order_no: str) -> Order | None:
        item = self._get(order_no)
        return None if item is None else order_of(item)

    def draft(self, pending_no: str) -> Draft | None:
        item = self._get(pending_no)
        return None if item is None else draft_of(item)

    def reservation(self, merchant_id: str, merchant_order_no: str) -> Reservation | None:
        item = self._get(number_key(merchant_id, merchant_order_no))
        return None if item is None else reservation_of(item)

    def _get(self, key: str) -> Item | None:
        return get_item(self._client, self._table, {"pk": key})


PAGE_LIMIT = 100
_OF_MERCHANT = "merchant_id = :merchant"
_BETWEEN = "order_id BETWEEN :first AND :last"


class MerchantOrderIndex:
    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def between(self, merchant_id: str, first_id: int, last_id: int) -> Iterator[Order]:
        if first_id > last_id:
            return
        query = {
            "TableName": self._table,
            "IndexName": BY_MERCHANT_INDEX,
            "KeyConditionExpression": f"{_OF_MERCHANT} AND {_BETWEEN}",
            "ExpressionAttributeValues": to_item(
                {":merchant": merchant_id, ":first": first_id, ":last": last_id}
            ),
            "ScanIndexForward": False,
            "Limit": PAGE_LIMIT,
        }
        for page in query_pages(self._client, query):
            yield from (order_of(from_item(item)) for item in page)


_PAGE_LIMIT = 100


class DeskOrderIndex:
    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def open_orders(self, trader_id: str) -> Sequence[Order]:
        query = self._query(desk_key(trader_id, is_open=True))
        return [order_of(from_item(i)) for page in query_pages(self._client, query) for i in page]

    def done(self, trader_id: str, before_id: int | None, limit: int) -> Sequence[Order]:
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


# 16 queries find nothing in an idle minute. A page of 250 entries has about 40 KB.
_WAITING_LIMIT = 250


class WaitingSellIndex:
    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def waiting(self, mode: Mode, until: int) -> Iterator[WaitingSell]:
        shards = (self._shard(mode, shard, until) for shard in range(DUE_SHARDS))
        for _, order_no, merchant_id in heapq.merge(*shards):
            yield WaitingSell(order_no, merchant_id)

    def _shard(self, mode: Mode, shard: int, until: int) -> Iterator[tuple[int, str, str]]:
        query = {
            "TableName": self._table,
            "IndexName": DUE_INDEX,
            "KeyConditionExpression": "due_key = :key AND due_time <= :until",
            "ExpressionAttributeValues": to_item(
                {":key": matching_key(mode, shard), ":until": until}
            ),
            "Limit": _WAITING_LIMIT,
        }
        for page in query_pages(self._client, query):
            for item in page:
                row = from_item(item)
                since, order_no, merchant_id = row["due_time"], row["pk"], row["merchant_id"]
                assert isinstance(since, int)
                assert isinstance(order_no, str)
                assert isinstance(merchant_id, str)
                yield since, order_no, merchant_id
