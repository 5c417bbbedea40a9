"""Records of the Orders table's stream, in Lambda's format."""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from orderdesk.adapters.dynamodb.marshal import Item, from_item
from orderdesk.adapters.dynamodb.orders.items import draft_of, order_of
from orderdesk.domain.callbacks.events import Subject
from orderdesk.services.callbacks.relay import Change, StreamRecord

_READERS: Mapping[object, Callable[[Item], Subject]] = MappingProxyType(
    {"order": order_of, "draft": draft_of}
)


def stream_record(record: Mapping[str, Any]) -> StreamRecord:
    """Return a record that parses its images on first use, so a parse error affects only itself.

    The result is cached, because callbacks and pushes read the same records.
    """
    written = record["dynamodb"]
    return StreamRecord(
        position=written["SequenceNumber"],
        number=written["Keys"]["pk"]["S"],
        read=cache(lambda: _change(written.get("OldImage"), written.get("NewImage"))),
    )


def _change(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> Change | None:
    """Return the change of both images; None for a reservation and for a deleted item."""
    after = from_item(new or {})
    reader = _READERS.get(after.get("kind"))
    if reader is None:
        return None
    return Change(None if old is None else reader(from_item(old)), reader(after))
