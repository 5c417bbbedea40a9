"""Reads orders, drafts and reservations; one consistent GetItem each."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from orderdesk.adapters.dynamodb.client import get_item
from orderdesk.adapters.dynamodb.keys import number_key
from orderdesk.adapters.dynamodb.marshal import Item, Value
from orderdesk.adapters.dynamodb.orders import draft_of, order_of
from orderdesk.domain.drafts import Draft
from orderdesk.domain.orders import Order
from orderdesk.services.ports import Reservation

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def reservation_of(item: Mapping[str, Value]) -> Reservation:
    """Read a reservation from its item."""
    row = cast("Mapping[str, Any]", item)
    return Reservation(row.get("order_no"), row.get("pending_no"), row.get("expire_time"))


class OrderStore:
    """Reads the Orders table."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def order(self, order_no: str) -> Order | None:
        """Give an order, or None. Raises: TryAgain."""
        item = self._get(order_no)
        return None if item is None else order_of(item)

    def draft(self, pending_no: str) -> Draft | None:
        """Give a draft, or None. Raises: TryAgain."""
        item = self._get(pending_no)
        return None if item is None else draft_of(item)

    def reservation(self, merchant_id: str, merchant_order_no: str) -> Reservation | None:
        """Give the last reservation of a number, or None. Raises: TryAgain."""
        item = self._get(number_key(merchant_id, merchant_order_no))
        return None if item is None else reservation_of(item)

    def _get(self, key: str) -> Item | None:
        return get_item(self._client, self._table, {"pk": key})
