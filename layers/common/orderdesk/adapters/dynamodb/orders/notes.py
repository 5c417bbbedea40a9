"""Notes of disputes: one item of the Orders table for each disputed order.

They are not in the order's item, which every index and listing copies. The transaction that adds a
note also writes the order under its version, so the order's `notes` is the number of notes.
"""

from collections.abc import Mapping
from typing import Any, cast

from orderdesk.adapters.dynamodb.keys import notes_key
from orderdesk.adapters.dynamodb.marshal import Item, Value, to_item
from orderdesk.adapters.dynamodb.orders.items import receipt_of, receipt_value
from orderdesk.adapters.dynamodb.transactions import Write, never
from orderdesk.domain.orders.notes import Asked, Note
from orderdesk.domain.orders.transitions import Actor

_KIND = "notes"


def note_write(table: str, order_no: str, note: Note) -> Write:
    """Append a note."""
    update = {
        "TableName": table,
        "Key": to_item({"pk": notes_key(order_no)}),
        "UpdateExpression": (
            "SET kind = :kind, said = list_append(if_not_exists(said, :none), :new)"
        ),
        "ExpressionAttributeValues": to_item(
            {":kind": _KIND, ":none": [], ":new": [_note_value(note)]}
        ),
    }
    return Write({"Update": update}, never("a note has no condition"))


def notes_of(item: Item) -> tuple[Note, ...]:
    """Return the notes of an item, oldest first."""
    return tuple(map(_note_of, cast("list[Mapping[str, Any]]", item["said"])))


def _note_value(note: Note) -> Value:
    return {
        "by": note.by.value,
        "time": note.time,
        "text": note.text or None,
        "asked": None if note.asked is None else note.asked.value,
        "picture": None if note.picture is None else receipt_value(note.picture),
    }


def _note_of(row: Mapping[str, Any]) -> Note:
    return Note(
        by=Actor(row["by"]),
        time=row["time"],
        text=row.get("text", ""),
        asked=Asked(row["asked"]) if "asked" in row else None,
        picture=receipt_of(row["picture"]) if "picture" in row else None,
    )
