"""Deliveries of callbacks: one item each in the Callbacks table, until TTL deletes it.

They are not in Orders, because the stream of Orders is the outbox: every write there is an event.

Concurrent writers: another copy of the message, or an operator's redelivery; the version lets one
of them succeed. A retry after a lost response that finds its own write has succeeded.
"""

import re
import secrets
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from orderdesk.adapters.dynamodb.client import DynamoDB, QueryParts, TableStore
from orderdesk.adapters.dynamodb.keys import TROUBLE_SHARDS, Index, Key
from orderdesk.adapters.dynamodb.marshal import (
    Item,
    Stored,
    from_item,
    readable,
    readable_rows,
    to_item,
)
from orderdesk.adapters.dynamodb.transactions import Unmet, Write, write_alone
from orderdesk.domain.callbacks.delivery import Delivery, Waits
from orderdesk.domain.callbacks.events import ENDPOINT_SIGN, CallbackEvent
from orderdesk.domain.callbacks.steps import opened
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.services.ports import Slice

KEY = "webhook_id"
_SECONDS_A_DAY = 86_400
_WRITE_ID_BYTES = 8
_MS = 1000


_EVENT = Stored(CallbackEvent, beside="webhook_id number body")
_DELIVERY = Stored(Delivery, beside="event waits", usual="turn endpoint_id")


def delivery_item(delivery: Delivery, retention_days: int) -> Item:
    """Return the item of a delivery, which expires `retention_days` after its last change.

    The body is compressed, so that most items are below 1 KB: a write costs one unit less, in the
    table and in each index.
    """
    event, trouble = delivery.event, delivery.trouble
    return {
        KEY: delivery.key,
        "number": event.number or None,  # an index key must not be empty
        "body": zlib.compress(event.body.encode()),
        **_EVENT.item(event),
        **_DELIVERY.item(delivery),
        "place": delivery.place,
        "due_key": _due_key(delivery),
        "waits_for": None if delivery.waits is None else delivery.waits.endpoint,
        "waits_since_ms": None if delivery.waits is None else delivery.waits.since_ms,
        "trouble_key": None if trouble is None else Key.trouble(trouble, _shard(delivery.key)),
        "expires_at": delivery.updated_ms // _MS + retention_days * _SECONDS_A_DAY,
    }


def _due_key(delivery: Delivery) -> str | None:
    if delivery.due_ms is None:
        return None
    shard, waits = _shard(delivery.key), delivery.waits
    return Key.due(shard) if waits is None else Key.waiting(shard, waits.endpoint)


def delivery_of(row: Mapping[str, Any]) -> Delivery:
    """Return the delivery of a row."""
    event = _EVENT.of(
        row,
        webhook_id=row[KEY].partition(ENDPOINT_SIGN)[0],
        number=row.get("number", ""),
        body=zlib.decompress(row["body"]).decode(),
    )
    waits = Waits(row["waits_for"], row["waits_since_ms"]) if "waits_for" in row else None
    return _DELIVERY.of(row, event=event, waits=waits)


def save_next(client: DynamoDB, table: str, item: Item) -> None:
    """Write an item's next state, conditional on the previous version.

    Two writers can write equal states in the same millisecond. `write_id` lets one succeed. Equal
    first states need none: who writes one a second time has written it.
    Raises: ChangedMeanwhile, unless this write is already there; TryAgain.
    """
    if item["version"] != 1:
        item = {**item, "write_id": secrets.token_hex(_WRITE_ID_BYTES)}
    try:
        write_alone(client, Write.put_next(table, KEY, item, Unmet, returns_item=True))
    except Unmet as unmet:
        if unmet.item != from_item(to_item(item)):
            raise ChangedMeanwhile from None


class CallbackStore(TableStore):
    shards = TROUBLE_SHARDS

    def __init__(self, client: DynamoDB, table: str, retention_days: int) -> None:
        super().__init__(client, table)
        self._retention_days = retention_days

    def delivery(self, webhook_id: str) -> Delivery | None:
        return self._find(self._table, {KEY: webhook_id}, delivery_of)

    def record(self, event: CallbackEvent) -> None:
        """Write an event's first record unless it has one. Raises: TryAgain."""
        with suppress(ChangedMeanwhile):
            self.save(opened(event))

    def due(self, shard: int, until_ms: int, limit: int) -> Sequence[str]:
        key, until = Key.due(shard), ("<=", until_ms)
        asked = self._query(self._table, Index.DUE_CALLBACKS, key, until, limit=limit)
        return [str(row[KEY]) for row in asked.rows()]

    def save(self, delivery: Delivery) -> None:
        save_next(self._client, self._table, delivery_item(delivery, self._retention_days))


def _shard(webhook_id: str) -> int:
    return zlib.crc32(webhook_id.encode()) % TROUBLE_SHARDS


_SEQUENCE = re.compile(r"_(\d+)\Z", re.ASCII)


class MerchantCallbackIndex(TableStore):
    """Read a merchant's own deliveries, newest first."""

    def of_merchant(self, merchant_id: str, place: str | None, limit: int) -> Slice[Delivery, str]:
        """Read keys from the index, which projects only keys, then the records."""
        more: QueryParts = {"newest_first": True, "limit": limit + 1}
        rows = self._query(self._table, Index.EVENTS, merchant_id, ("<", place), **more).page()
        read = [from_item(row) for row in rows[:limit]]
        after = str(read[-1]["place"]) if len(rows) > limit else None
        return Slice(self._deliveries([str(row[KEY]) for row in read]), after)

    def of_number(self, number: str, place: str | None, limit: int) -> Slice[Delivery, str]:
        """Read the records from the index; those of one event have the same sequence."""
        after = None if place is None else _start_after(number, place)
        more: QueryParts = {"newest_first": True, "limit": limit + 1, "after": after}
        rows = self._query(self._table, Index.BY_ORDER, number, **more).page()
        last = None
        if len(rows) > limit:
            last = f"{rows[limit - 1][KEY]['S']}"  # also of a malformed record
        return Slice([*readable(delivery_of, rows[:limit])], last)

    def _deliveries(self, keys: Sequence[str]) -> list[Delivery]:
        """Read records in the order of their keys; omit expired and malformed ones."""
        items = self._get_items(self._table, [{KEY: key} for key in keys])
        return [*readable_rows(delivery_of, filter(None, items))]


def _start_after(number: str, place: str) -> Item:
    """Return the index key of a place; it may be a delivery's key without the time."""
    key = place.rpartition("#")[2]
    match = _SEQUENCE.search(key.partition(ENDPOINT_SIGN)[0])
    return {"number": number, "sequence": 0 if match is None else int(match[1]), KEY: key}
