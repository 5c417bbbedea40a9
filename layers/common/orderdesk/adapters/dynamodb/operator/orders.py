"""Many orders: a merchant's by the index, all merchants' by a scan of the table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.marshal import from_item, to_item
from orderdesk.adapters.dynamodb.orders.items import order_of
from orderdesk.adapters.dynamodb.orders.reads import MerchantOrderIndex
from orderdesk.adapters.dynamodb.paging import scan_pages
from orderdesk.domain.ids import id_range
from orderdesk.domain.orders.order import Order

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class OperatorOrders:
    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table
        self._index = MerchantOrderIndex(client, table)

    def of_merchant(self, merchant_id: str) -> Iterator[Order]:
        return self._index.between(merchant_id, *id_range(None, None))

    def every(self) -> Iterator[Order]:
        """Scan with eventually consistent reads, which do not delay writers."""
        scan = {
            "TableName": self._table,
            "FilterExpression": "kind = :order",
            "ExpressionAttributeValues": to_item({":order": "order"}),
        }
        for page in scan_pages(self._client, scan):
            yield from (order_of(from_item(item)) for item in page)
