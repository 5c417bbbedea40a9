"""Counted attempts, in fixed windows. TTL deletes late, so each window has an item of its own."""

from orderdesk.adapters.dynamodb.client import TableStore
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.sending import call


class AttemptCounter(TableStore):
    """Count attempts; one UpdateItem each."""

    def count(self, key: str, window_seconds: int, limit: int, now: int) -> bool:
        """Count an attempt; return whether the count is within the limit.

        Each window has its own item, so an item that TTL has not deleted yet has no effect. After a
        lost response, the attempt may count twice, which never exceeds the limit.
        """
        window = now // window_seconds
        answer = call(
            lambda: self._client.update_item(
                TableName=self._table,
                Key=to_item({"pk": Key.attempts(key, window)}),
                UpdateExpression="SET expires_at = :end ADD attempts :one",
                ExpressionAttributeValues=to_item(
                    {":end": (window + 1) * window_seconds, ":one": 1}
                ),
                ReturnValues="UPDATED_NEW",
            )
        )
        return int(answer["Attributes"]["attempts"]["N"]) <= limit

    def counted(self, key: str, window_seconds: int, now: int) -> int:
        item = self._get_item(self._table, {"pk": Key.attempts(key, now // window_seconds)})
        count = (item or {}).get("attempts", 0)
        assert isinstance(count, int)
        return count
