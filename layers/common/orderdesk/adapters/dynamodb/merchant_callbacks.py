"""A merchant's own deliveries, newest first."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from orderdesk.adapters.dynamodb.callbacks import KEY, delivery_of
from orderdesk.adapters.dynamodb.client import TableStore, get_items
from orderdesk.adapters.dynamodb.keys import BY_MERCHANT_INDEX, BY_ORDER_INDEX
from orderdesk.adapters.dynamodb.marshal import (
    Value,
    WireItem,
    from_item,
    readable,
    readable_rows,
    to_item,
)
from orderdesk.adapters.sending import call
from orderdesk.domain.callbacks.delivery import Delivery
from orderdesk.services.callbacks.merchant import FoundDeliveries

_SEQUENCE = re.compile(r"_(\d+)\Z", re.ASCII)


class MerchantCallbackIndex(TableStore):
    def of_merchant(self, merchant_id: str, place: str | None, limit: int) -> FoundDeliveries:
        """Read keys from the index, which projects only keys, then the records."""
        condition, values = "merchant_id = :merchant", {":merchant": merchant_id}
        if place is not None:
            condition, values = f"{condition} AND place < :place", {**values, ":place": place}
        rows = self._newest(BY_MERCHANT_INDEX, condition, values, limit + 1)
        read = [from_item(row) for row in rows[:limit]]
        after = str(read[-1]["place"]) if len(rows) > limit else None
        return FoundDeliveries(self._deliveries([str(row[KEY]) for row in read]), after)

    def of_number(self, number: str, place: str | None, limit: int) -> FoundDeliveries:
        condition, values = "#number = :number", dict[str, Value]({":number": number})
        if place is not None:
            condition = f"{condition} AND #sequence < :sequence"
            values[":sequence"] = _sequence_of(place)
        rows = self._newest(BY_ORDER_INDEX, condition, values, limit + 1)
        after = None
        if len(rows) > limit:
            after = f"_{rows[limit - 1]['sequence']['N']}"  # also of a malformed record
        return FoundDeliveries([*readable(delivery_of, rows[:limit])], after)

    def _newest(
        self, index: str, condition: str, values: Mapping[str, Value], limit: int
    ) -> Sequence[WireItem]:
        query: dict[str, Any] = {
            "TableName": self._table,
            "IndexName": index,
            "KeyConditionExpression": condition,
            "ExpressionAttributeValues": to_item(values),
            "ScanIndexForward": False,
            "Limit": limit,
        }
        names = {f"#{name}": name for name in ("number", "sequence") if f"#{name}" in condition}
        if names:
            query["ExpressionAttributeNames"] = names
        return call(lambda: self._client.query(**query))["Items"]

    def _deliveries(self, keys: Sequence[str]) -> list[Delivery]:
        """Read records in the order of their keys; omit expired and malformed ones."""
        items = get_items(self._client, self._table, [{KEY: key} for key in keys])
        return [*readable_rows(delivery_of, filter(None, items))]


def _sequence_of(place: str) -> int:
    """Return the sequence of an event's place; 0, which sorts first, for any other text."""
    match = _SEQUENCE.search(place)
    return 0 if match is None else int(match[1])
