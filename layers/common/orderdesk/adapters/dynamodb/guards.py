"""Counted attempts, in fixed windows. TTL deletes late, so each window has an item of its own."""

from orderdesk.adapters.dynamodb.client import TableStore, get_item
from orderdesk.adapters.dynamodb.keys import attempts_key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.sending import call
from orderdesk.domain.merchants.request_rate import USE_KEPT_DAYS
from orderdesk.domain.times import SECONDS_PER_DAY

_USED = "used_until_ns"
# The rate needs two seconds of the past. The portal shows when each key was last used.
_KEPT_SECONDS = USE_KEPT_DAYS * SECONDS_PER_DAY
# A round fails only if another container moves the bucket's time past the clock in between, which
# can happen once after each idle period.
_ROUNDS = 3


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
                Key=to_item({"pk": attempts_key(key, window)}),
                UpdateExpression="SET expires_at = :end ADD attempts :one",
                ExpressionAttributeValues=to_item(
                    {":end": (window + 1) * window_seconds, ":one": 1}
                ),
                ReturnValues="UPDATED_NEW",
            )
        )
        return int(answer["Attributes"]["attempts"]["N"]) <= limit

    def counted(self, key: str, window_seconds: int, now: int) -> int:
        item = get_item(self._client, self._table, {"pk": attempts_key(key, now // window_seconds)})
        count = (item or {}).get("attempts", 0)
        assert isinstance(count, int)
        return count
