"""A merchant's orders by the index `by_merchant`, newest first."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.keys import BY_MERCHANT_INDEX
from orderdesk.adapters.dynamodb.marshal import from_item, to_item
from orderdesk.adapters.dynamodb.orders import order_of
from orderdesk.adapters.dynamodb.paging import query_pages
from orderdesk.domain.orders import Order

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PAGE_LIMIT = 100
_OF_MERCHANT = "merchant_id = :merchant"
_BETWEEN = "order_id BETWEEN :first AND :last"


class MerchantOrderIndex:
    """Fills the port `MerchantOrders`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def between(self, merchant_id: str, first_id: int, last_id: int) -> Iterator[Order]:
        """Give the orders with ids in [first_id, last_id], newest first. Raises: TryAgain."""
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
