"""The store model's client with the reads of refused orders, which no scenario of bench sends.

A refused buy looks up its number and uses its nonce; a refused sell reads all shards of its
merchant's balance in one transaction.
"""

from typing import Any

from bench.model import refusals
from bench.model.client import Answer, StoreClient
from bench.model.table import Record, Stamp, Table


class ReadingClient(StoreClient):
    """Also gets and puts one item, and reads items in a transaction."""

    def get_item(self, **asked: Any) -> Answer:
        table = self._store.tables[asked["TableName"]]
        item = table.item(table.key_of(asked["Key"]))
        return {} if item is None else {"Item": item}

    def put_item(self, **put: Any) -> Answer:
        return self.transact_write_items(TransactItems=[{"Put": put}])

    def transact_get_items(self, **request: Any) -> Answer:
        gets = [get["Get"] for get in request["TransactItems"]]
        return self._send("TransactGetItems", lambda: {"Responses": self._at_one_moment(gets)})

    def _at_one_moment(self, gets: list[dict[str, Any]]) -> list[Answer]:
        """Read everything twice, and cancel if an item is being written."""
        places = [(self._store.tables[get["TableName"]], get["Key"]) for get in gets]
        before = [_seen(*place) for place in places]
        self._timeline.wait(self._timing.read.draw(self._store._random))
        busy = [
            _seen(*place) != then or then[1] for place, then in zip(places, before, strict=True)
        ]
        if any(busy):
            conflict = refusals.reason(refusals.CONFLICT)
            raise refusals.cancelled([conflict if is_busy else None for is_busy in busy])
        items = [table.item(table.key_of(key)) for table, key in places]
        return [{} if item is None else {"Item": item} for item in items]


def _seen(table: Table, key: Any) -> tuple[Stamp, bool]:
    """Return when an item was last written, and whether a transaction holds it."""
    record = table._records.get(table.key_of(key), Record())
    return record.written, record.holder is not None
