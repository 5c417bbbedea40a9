"""Orders, many at a time: a merchant's by the index, everybody's by reading through the table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.keys import BY_MERCHANT_INDEX
from orderdesk.adapters.dynamodb.marshal import from_item, to_item
from orderdesk.adapters.dynamodb.orders import order_of
from orderdesk.adapters.dynamodb.paging import query_pages, scan_pages
from orderdesk.domain.orders import Order

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PAGE_LIMIT = 100


class OperatorOrders:
    """Fills the port `OrderListing`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def of_merchant(self, merchant_id: str) -> Iterator[Order]:
        """Give a merchant's orders, newest first. Raises: TryAgain."""
        query = {
            "TableName": self._table,
            "IndexName": BY_MERCHANT_INDEX,
            "KeyConditionExpression": "merchant_id = :merchant",
            "ExpressionAttributeValues": to_item({":merchant": merchant_id}),
            "ScanIndexForward": False,
            "Limit": PAGE_LIMIT,
        }
        for page in query_pages(self._client, query):
            yield from (order_of(from_item(item)) for item in page)

    def every(self) -> Iterator[Order]:
        """Give every order, in no order; writers are not held up. Raises: TryAgain."""
        scan = {
            "TableName": self._table,
            "FilterExpression": "kind = :order",
            "ExpressionAttributeValues": to_item({":order": "order"}),
        }
        for page in scan_pages(self._client, scan):
            yield from (order_of(from_item(item)) for item in page)
