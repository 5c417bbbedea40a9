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
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.transactions import Unmet, Write, transact
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


class _FileLost(Unmet):
    """The file cannot be claimed, because of what its uploader's `item` says."""


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
        values: Item = {**mine}
        if answer is not None:
            update, names["#answer"] = f"SET #answer = :answer {update}", f"answer_{file}"
            values[":answer"] = json.dumps(answer)
        key, place = Key.drawings(claim.task.counted_for), Key.place(claim.place)
        writes = [
            Write.update(
                *(self._table, {"pk": key}, update, "#until = :until", lambda _: _PlaceLost()),
                values=values,
                names=names,
            ),
            Write.update(
                *(self._table, {"pk": place}, "REMOVE taken_until", "taken_until = :until"),
                lambda _: _PlaceLost(),
                values=mine,
            ),
        ]
        with suppress(_PlaceLost):
            transact(self._client, writes, token)

    def _count(self, claim: DrawingClaim, most: int, now_ms: int) -> Write:
        """Count a file and claim it. Lost: _FileLost."""
        file = _file(claim.task)
        return Write.update(
            self._table,
            {"pk": Key.drawings(claim.task.counted_for)},
            "SET expires_at = :expires, #until = :until ADD drawings :one",
            "attribute_not_exists(#answer)"
            " AND (attribute_not_exists(#until) OR #until < :now)"
            " AND (attribute_not_exists(drawings) OR drawings < :most)",
            _FileLost,
            values={**_claimed(claim, now_ms), ":one": 1, ":most": most},
            names={"#until": f"until_{file}", "#answer": f"answer_{file}"},
            returns_item=True,
        )

    def _take(self, claim: DrawingClaim, now_ms: int) -> Write:
        """Occupy a place. Lost: _PlaceLost."""
        return Write.update(
            self._table,
            {"pk": Key.place(claim.place)},
            "SET expires_at = :expires, taken_until = :until",
            "attribute_not_exists(taken_until) OR taken_until < :now",
            lambda _: _PlaceLost(),
            values=_claimed(claim, now_ms),
        )


def _claimed(claim: DrawingClaim, now_ms: int) -> Item:
    """Return the values with which a file and a place are claimed."""
    expires = now_ms // _MS + _KEPT_SECONDS
    return {":expires": expires, ":until": claim.until_ms, ":now": now_ms}


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
