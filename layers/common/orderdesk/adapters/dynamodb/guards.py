"""Counted attempts, in fixed windows. TTL deletes late, so each window has an item of its own."""

from typing import cast

from orderdesk.adapters.dynamodb.client import TableStore
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.transactions import Write, write_alone


class AttemptCounter(TableStore):
    """Count attempts; one UpdateItem each."""

    def count(self, key: str, window_seconds: int, limit: int, now: int) -> bool:
        """Count an attempt; return whether the count is within the limit.

        Each window has its own item, so an item that TTL has not deleted yet has no effect. After a
        lost response, the attempt may count twice, which never exceeds the limit.
        """
        window = now // window_seconds
        write = Write.update(
            self._table,
            {"pk": Key.attempts(key, window)},
            "SET expires_at = :end ADD attempts :one",
            "",
            values={":end": (window + 1) * window_seconds, ":one": 1},
        )
        return cast("int", write_alone(self._client, write, "UPDATED_NEW")["attempts"]) <= limit

    def counted(self, key: str, window_seconds: int, now: int) -> int:
        item = self._get_item(self._table, {"pk": Key.attempts(key, now // window_seconds)})
        count = (item or {}).get("attempts", 0)
        assert isinstance(count, int)
        return count
