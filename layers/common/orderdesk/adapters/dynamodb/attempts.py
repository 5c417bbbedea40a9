"""Attempts in the Guards table: one counter a key and window, gone after it."""

from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.client import get_item
from orderdesk.adapters.dynamodb.keys import attempts_key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.sending import read

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class AttemptCounter:
    """Fills the port `Attempts`; one UpdateItem a count."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def count(self, key: str, window_seconds: int, limit: int, now: int) -> bool:
        """Count one; tell whether it is still within the limit. Raises: TryAgain.

        The window is part of the key, so a counter that TTL has not deleted yet counts no more. A
        count whose answer was lost may count twice: on the safe side.
        """
        window = now // window_seconds
        answer = read(
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
        """Tell how many were counted in the window so far. Raises: TryAgain."""
        item = get_item(self._client, self._table, {"pk": attempts_key(key, now // window_seconds)})
        count = (item or {}).get("attempts", 0)
        assert isinstance(count, int)
        return count
