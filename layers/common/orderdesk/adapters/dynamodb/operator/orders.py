"""Lists of orders, newest first, and reservations of merchant_order_no."""

from collections.abc import Iterator, Sequence
from itertools import batched
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.client import KEYS_MAX, TableStore, get_items, query_pages
from orderdesk.adapters.dynamodb.keys import DESK_INDEX, desk_key, number_key
from orderdesk.adapters.dynamodb.marshal import readable, to_item
from orderdesk.adapters.dynamodb.orders.items import listed_order_of
from orderdesk.adapters.dynamodb.orders.reads import PAGE_LIMIT, MerchantOrderIndex, reservation_of
from orderdesk.domain.orders.desk_lists import DeskList
from orderdesk.domain.orders.order import Order
from orderdesk.services.ports import Reservation

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class OperatorOrders(TableStore):
    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        super().__init__(client, table)
        self._index = MerchantOrderIndex(client, table)

    def of_merchant(self, merchant_id: str, first_id: int, last_id: int) -> Iterator[Order]:
        return self._index.between(merchant_id, first_id, last_id)

    def of_trader(
        self, trader_id: str, on_desk: DeskList, first_id: int, last_id: int
    ) -> Iterator[Order]:
        if first_id > last_id:
            return
        query = {
            "TableName": self._table,
            "IndexName": DESK_INDEX,
            "KeyConditionExpression": "desk_key = :key AND order_id BETWEEN :first AND :last",
            "ExpressionAttributeValues": to_item(
                {
                    ":key": desk_key(trader_id, on_desk),
                    ":first": first_id,
                    ":last": last_id,
                }
            ),
            "ScanIndexForward": False,
            "Limit": PAGE_LIMIT,
        }
        for page in query_pages(self._client, query):
            yield from readable(listed_order_of, page)

    def reservations(
        self, merchant_ids: Sequence[str], merchant_order_no: str
    ) -> Iterator[Reservation]:
        """Return the reservations of one number, with one read of up to 100 merchants."""
        for some in batched(merchant_ids, KEYS_MAX, strict=False):
            keys = [{"pk": number_key(merchant, merchant_order_no)} for merchant in some]
            found = get_items(self._client, self._table, keys)
            yield from (reservation_of(item) for item in found if item)
