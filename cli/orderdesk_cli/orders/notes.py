"""What was said and sent in a dispute, as operators see it."""

from collections.abc import Sequence

from rich.console import RenderableType

from orderdesk.domain.orders.notes import Note
from orderdesk_cli.output import Json, listing, time_text

NOTE_COLUMNS = ("time", "by", "to", "what")


def note_data(note: Note) -> Json:
    """Write a note."""
    return {
        "time": note.time,
        "by": note.by.value,
        "to": None if note.asked is None else note.asked.value,
        "text": note.text or None,
        "picture": None if note.picture is None else note.picture.content_type,
    }


def note_row(note: Note) -> list[str]:
    """Write a note in a row of a table; lines become one."""
    return [
        time_text(note.time),
        note.by.value,
        "" if note.asked is None else note.asked.value,
        " ".join(note.text.split("\n")) if note.picture is None else "a picture",
    ]


def notes_drawn(notes: Sequence[Note]) -> RenderableType:
    """Draw the notes of an order."""
    return listing(list(NOTE_COLUMNS), [note_row(note) for note in notes], "Nothing was said.")
