"""Which files are being decoded, and what was found out: items of the Guards table.

An uploader's item counts its files of one order, and has each file's claim or answer. Each place
for decoding has an item of its own, which is taken until a time that also identifies who took it.
Both change in one transaction.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, cast

from orderdesk.adapters.dynamodb.client import TableStore
from orderdesk.adapters.dynamodb.keys import drawings_key, place_key
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.domain.errors import OrderdeskError
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.shares import Place
from orderdesk.services.orders.render_receipt import Answer, DrawingBusy, DrawingClaim, DrawingTask

# Longer than the function's timeout, so that only a process that has ended loses its claim.
CLAIM_SECONDS = 22
# A dispute may last for weeks, and the count must not begin again meanwhile.
_KEPT_SECONDS = 90 * 86_400
_MS = 1000
_HASH_LENGTH = 24


class _FileLost(OrderdeskError):
    """The file cannot be claimed, because of what its uploader's `item` says."""

    def __init__(self, item: Item | None) -> None:
        super().__init__("the file cannot be claimed")
        self.item: Any = item or {}


class _PlaceLost(OrderdeskError):
    """Another file has the place, or the claim has run out."""


class DrawingStore(TableStore):
    """Claim files and store their answers; one transaction each, one more for a taken place."""

    def claim(
        self, task: DrawingTask, places: Sequence[Place], most: int, now_ms: int, token: str
    ) -> DrawingClaim | Answer:
        for number, place in enumerate(places):
            claim = DrawingClaim(task, place, now_ms + CLAIM_SECONDS * _MS)
            writes = (self._count(claim, most, now_ms), self._take(claim, now_ms))
            try:
                # Each place is another request, so it has another token.
                transact(self._client, writes, f"{token}{number}")
            except _PlaceLost:
                continue
            except _FileLost as lost:
                return _known(lost.item, task, now_ms)
            return claim
        raise DrawingBusy

    def finish(self, claim: DrawingClaim, answer: Answer | None, token: str) -> None:
        file, mine = _file(claim.task), {":until": claim.until_ms}
        update, names = "REMOVE #until", {"#until": f"until_{file}"}
        values: dict[str, str | int] = {**mine}
        if answer is not None:
            update, names["#answer"] = f"SET #answer = :answer {update}", f"answer_{file}"
            values[":answer"] = json.dumps(answer)
        place = {
            "TableName": self._table,
            "Key": to_item({"pk": place_key(claim.place)}),
            "UpdateExpression": "REMOVE taken_until",
            "ConditionExpression": "taken_until = :until",
            "ExpressionAttributeValues": to_item(mine),
        }
        stored = {
            "TableName": self._table,
            "Key": to_item({"pk": drawings_key(claim.task.counted_for)}),
            "UpdateExpression": update,
            "ConditionExpression": "#until = :until",
            "ExpressionAttributeNames": names,
            "ExpressionAttributeValues": to_item(values),
        }
        writes = [Write({"Update": update}, lambda _: _PlaceLost()) for update in (stored, place)]
        with suppress(_PlaceLost):
            transact(self._client, writes, token)

    def _count(self, claim: DrawingClaim, most: int, now_ms: int) -> Write:
        """Count a file and claim it. Lost: _FileLost."""
        file = _file(claim.task)
        update: dict[str, Any] = {
            "TableName": self._table,
            "Key": to_item({"pk": drawings_key(claim.task.counted_for)}),
            "UpdateExpression": "SET expires_at = :expires, #until = :until ADD drawings :one",
            "ConditionExpression": "attribute_not_exists(#answer)"
            " AND (attribute_not_exists(#until) OR #until < :now)"
            " AND (attribute_not_exists(drawings) OR drawings < :most)",
            "ExpressionAttributeNames": {"#until": f"until_{file}", "#answer": f"answer_{file}"},
            "ExpressionAttributeValues": to_item(
                {
                    ":expires": now_ms // _MS + _KEPT_SECONDS,
                    ":until": claim.until_ms,
                    ":now": now_ms,
                    ":one": 1,
                    ":most": most,
                }
            ),
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        return Write({"Update": update}, _FileLost)

    def _take(self, claim: DrawingClaim, now_ms: int) -> Write:
        """Occupy a place. Lost: _PlaceLost."""
        update: dict[str, Any] = {
            "TableName": self._table,
            "Key": to_item({"pk": place_key(claim.place)}),
            "UpdateExpression": "SET expires_at = :expires, taken_until = :until",
            "ConditionExpression": "attribute_not_exists(taken_until) OR taken_until < :now",
            "ExpressionAttributeValues": to_item(
                {
                    ":expires": now_ms // _MS + _KEPT_SECONDS,
                    ":until": claim.until_ms,
                    ":now": now_ms,
                }
            ),
        }
        return Write({"Update": update}, lambda _: _PlaceLost())


def _known(item: Mapping[str, Any], task: DrawingTask, now_ms: int) -> Answer:
    """Return the file's answer. Raises: DrawingBusy, UnfitReceipt."""
    file = _file(task)
    if (answer := item.get(f"answer_{file}")) is not None:
        return cast("Answer", json.loads(answer))
    if item.get(f"until_{file}", 0) >= now_ms:
        raise DrawingBusy
    raise UnfitReceipt(ReceiptProblem.TRIED_OFTEN)


def _file(task: DrawingTask) -> str:
    """Return the part of an attribute's name that identifies a task's file."""
    return sha256(task.file.encode()).hexdigest()[:_HASH_LENGTH]
