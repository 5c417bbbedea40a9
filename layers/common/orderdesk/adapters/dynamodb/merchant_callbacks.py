"""A merchant's own deliveries, newest first."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from orderdesk.adapters.dynamodb.callbacks import KEY, delivery_of
from orderdesk.adapters.dynamodb.client import TableStore, get_items, page_of, query
from orderdesk.adapters.dynamodb.keys import Index
from orderdesk.adapters.dynamodb.marshal import (
    Item,
    Value,
    WireItem,
    from_item,
    readable,
    readable_rows,
)
from orderdesk.domain.callbacks.delivery import Delivery
from orderdesk.domain.callbacks.events import ENDPOINT_SIGN
from orderdesk.services.ports import Slice

_SEQUENCE = re.compile(r"_(\d+)\Z", re.ASCII)


class MerchantCallbackIndex(TableStore):
    def of_merchant(self, merchant_id: str, place: str | None, limit: int) -> Slice[Delivery, str]:
        """Read keys from the index, which projects only keys, then the records."""
        condition, values = "merchant_id = :merchant", {":merchant": merchant_id}
        if place is not None:
            condition, values = f"{condition} AND place < :place", {**values, ":place": place}
        rows = self._newest(condition, values, limit + 1, index=Index.BY_MERCHANT)
        read = [from_item(row) for row in rows[:limit]]
        after = str(read[-1]["place"]) if len(rows) > limit else None
        return Slice(self._deliveries([str(row[KEY]) for row in read]), after)

    def of_number(self, number: str, place: str | None, limit: int) -> Slice[Delivery, str]:
        """Read the records from the index; those of one event have the same sequence."""
        after = None if place is None else _start_after(number, place)
        condition, values, index = "#number = :number", {":number": number}, Index.BY_ORDER
        rows = self._newest(condition, values, limit + 1, index=index, after=after)
        last = None
        if len(rows) > limit:
            last = f"{rows[limit - 1][KEY]['S']}"  # also of a malformed record
        return Slice([*readable(delivery_of, rows[:limit])], last)

    def _newest(
        self, condition: str, values: Mapping[str, Value], limit: int, **place: Any
    ) -> Sequence[WireItem]:
        asked = query(self._table, condition, values, newest_first=True, limit=limit, **place)
        return page_of(self._client, asked)

    def _deliveries(self, keys: Sequence[str]) -> list[Delivery]:
        """Read records in the order of their keys; omit expired and malformed ones."""
        items = get_items(self._client, self._table, [{KEY: key} for key in keys])
        return [*readable_rows(delivery_of, filter(None, items))]


def _start_after(number: str, place: str) -> Item:
    """Return the index key of a place; it may be a delivery's key without the time."""
    key = place.rpartition("#")[2]
    match = _SEQUENCE.search(key.partition(ENDPOINT_SIGN)[0])
    return {"number": number, "sequence": 0 if match is None else int(match[1]), KEY: key}
