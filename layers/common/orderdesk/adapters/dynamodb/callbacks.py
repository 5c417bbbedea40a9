"""Deliveries of callbacks: one item each in the Callbacks table, until TTL deletes it.

They are not in Orders, because the stream of Orders is the outbox: every write there is an event.

Concurrent writers: another copy of the message, or an operator's redelivery; the version lets one
of them succeed. A retry after a lost response that finds its own write has succeeded.
"""

import secrets
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.client import TableStore, get_item
from orderdesk.adapters.dynamodb.keys import (
    DUE_INDEX,
    TROUBLE_SHARDS,
    due_callback_key,
    trouble_key,
    waiting_key,
)
from orderdesk.adapters.dynamodb.marshal import Item, Value, from_item, to_item
from orderdesk.adapters.sending import call, error_code
from orderdesk.domain.callbacks.delivery import Delivery, DeliveryState, KeptAttempt, Waits
from orderdesk.domain.callbacks.events import ENDPOINT_SIGN, CallbackEvent, CallbackType
from orderdesk.domain.callbacks.steps import opened
from orderdesk.domain.errors import ChangedMeanwhile

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEY = "webhook_id"
_SECONDS_A_DAY = 86_400
_WRITE_ID_BYTES = 8
_MS = 1000


def delivery_item(delivery: Delivery, retention_days: int) -> Item:
    """Return the item of a delivery, which expires `retention_days` after its last change.

    The body is compressed, so that most items are below 1 KB: a write costs one unit less, in the
    table and in each index.
    """
    event = delivery.event
    trouble = delivery.trouble
    return {
        KEY: delivery.key,
        "endpoint_id": delivery.endpoint_id or None,
        "merchant_id": event.merchant_id,
        "number": event.number or None,  # an index key must not be empty
        "sequence": event.sequence,
        "place": delivery.place,
        "type": event.type.value,
        "timestamp": event.timestamp,
        "callback_url": event.callback_url,
        "body": zlib.compress(event.body.encode()),
        "state": delivery.state.value,
        "updated_ms": delivery.updated_ms,
        "version": delivery.version,
        "round": delivery.round,
        "tries": delivery.tries,
        "next_ms": delivery.next_ms,
        "due_ms": delivery.due_ms,
        "due_key": _due_key(delivery),
        "waits_for": None if delivery.waits is None else delivery.waits.endpoint,
        "waits_since_ms": None if delivery.waits is None else delivery.waits.since_ms,
        "turn": delivery.turn or None,
        "url": delivery.url,
        "attempts": [_attempt_value(attempt) for attempt in delivery.attempts],
        "trouble_key": None if trouble is None else trouble_key(trouble, _shard(delivery.key)),
        "expires_at": delivery.updated_ms // _MS + retention_days * _SECONDS_A_DAY,
    }


def _due_key(delivery: Delivery) -> str | None:
    if delivery.due_ms is None:
        return None
    shard, waits = _shard(delivery.key), delivery.waits
    return due_callback_key(shard) if waits is None else waiting_key(shard, waits.endpoint)


def delivery_of(item: Mapping[str, Value]) -> Delivery:
    """Return the delivery of an item."""
    row = cast("Mapping[str, Any]", item)
    return Delivery(
        event=_event_of(row),
        state=DeliveryState(row["state"]),
        updated_ms=row["updated_ms"],
        version=row["version"],
        round=row["round"],
        tries=row["tries"],
        next_ms=row.get("next_ms"),
        due_ms=row.get("due_ms"),
        turn=row.get("turn", 0),
        waits=Waits(row["waits_for"], row["waits_since_ms"]) if "waits_for" in row else None,
        url=row["url"],
        attempts=tuple(_attempt_of(value) for value in row["attempts"]),
        endpoint_id=row.get("endpoint_id", ""),
    )


def _event_of(row: Mapping[str, Any]) -> CallbackEvent:
    return CallbackEvent(
        webhook_id=row[KEY].partition(ENDPOINT_SIGN)[0],
        type=CallbackType(row["type"]),
        merchant_id=row["merchant_id"],
        number=row.get("number", ""),
        sequence=row["sequence"],
        timestamp=row["timestamp"],
        callback_url=row.get("callback_url"),
        body=zlib.decompress(row["body"]).decode(),
    )


def put_next(table: str, item: Item) -> dict[str, Any]:
    """Return the Put of an item's next state, conditional on the previous version."""
    request: dict[str, Any] = {"TableName": table, "Item": to_item(item)}
    version = item["version"]
    assert isinstance(version, int)
    if version == 1:
        return request | {"ConditionExpression": f"attribute_not_exists({KEY})"}
    return request | {
        "ConditionExpression": "version = :before",
        "ExpressionAttributeValues": to_item({":before": version - 1}),
    }


def save_next(client: "DynamoDBClient", table: str, item: Item) -> None:
    """Write an item's next state, conditional on the previous version.

    Two writers can write equal states in the same millisecond. `write_id` lets one succeed. Equal
    first states need none: who writes one a second time has written it.
    Raises: ChangedMeanwhile, unless this write is already there; TryAgain.
    """
    if item["version"] != 1:
        item = {**item, "write_id": secrets.token_hex(_WRITE_ID_BYTES)}
    request = put_next(table, item)
    request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    try:
        call(lambda: client.put_item(**request))
    except ClientError as error:
        if error_code(error) != "ConditionalCheckFailedException":
            raise
        there = cast("Mapping[str, Any]", error.response).get("Item") or {}
        if from_item(there) != from_item(request["Item"]):
            raise ChangedMeanwhile from None


class CallbackStore(TableStore):
    shards = TROUBLE_SHARDS

    def __init__(self, client: "DynamoDBClient", table: str, retention_days: int) -> None:
        super().__init__(client, table)
        self._retention_days = retention_days

    def delivery(self, webhook_id: str) -> Delivery | None:
        item = get_item(self._client, self._table, {KEY: webhook_id})
        return None if item is None else delivery_of(item)

    def record(self, event: CallbackEvent) -> None:
        """Write an event's first record unless it has one. Raises: TryAgain."""
        with suppress(ChangedMeanwhile):
            self.save(opened(event))

    def due(self, shard: int, until_ms: int, limit: int) -> Sequence[str]:
        """Return the webhook_ids of a shard's due deliveries, the longest due first.

        The index may lag. Raises: TryAgain.
        """
        query: dict[str, Any] = {
            "TableName": self._table,
            "IndexName": DUE_INDEX,
            "KeyConditionExpression": "due_key = :key AND due_ms <= :until",
            "ExpressionAttributeValues": to_item(
                {":key": due_callback_key(shard), ":until": until_ms}
            ),
            "Limit": limit,
        }
        rows = call(lambda: self._client.query(**query))["Items"]
        return [str(from_item(row)[KEY]) for row in rows]

    def save(self, delivery: Delivery) -> None:
        save_next(self._client, self._table, delivery_item(delivery, self._retention_days))


def _attempt_value(attempt: KeptAttempt) -> dict[str, Value]:
    value: dict[str, Value] = {
        "at_ms": attempt.at_ms,
        "status": attempt.status,
        "latency_ms": attempt.latency_ms,
        "failure": attempt.failure,
        "answer": attempt.answer,
    }
    return {name: part for name, part in value.items() if part is not None}


def _attempt_of(value: Mapping[str, Any]) -> KeptAttempt:
    return KeptAttempt(
        at_ms=value["at_ms"],
        status=value.get("status"),
        latency_ms=value["latency_ms"],
        failure=value.get("failure"),
        answer=value["answer"],
    )


def _shard(webhook_id: str) -> int:
    return zlib.crc32(webhook_id.encode()) % TROUBLE_SHARDS
