"""Guards: used nonces and counted attempts. TTL deletes late, so conditions check the time."""

from typing import Any

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.client import TableStore, get_item
from orderdesk.adapters.dynamodb.keys import attempts_key, nonce_key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.transactions import Write
from orderdesk.adapters.sending import call, error_code, persistently
from orderdesk.domain.errors import Throttled, TryAgain
from orderdesk.domain.merchants.errors import NonceReused
from orderdesk.domain.merchants.signing import NONCE_RETENTION_SECONDS
from orderdesk.services.ports import Nonce


def _put(table: str, nonce: Nonce) -> dict[str, Any]:
    never_used = "attribute_not_exists(pk)"
    used_long_ago = "expires_at < :now"
    # A retry after a lost response must not fail on its own item.
    used_by_this_call = "holder = :holder"
    return {
        "TableName": table,
        "Item": to_item(
            {
                "pk": nonce_key(nonce.api_key, nonce.value),
                "expires_at": nonce.now + NONCE_RETENTION_SECONDS,
                "holder": nonce.holder,
            }
        ),
        "ConditionExpression": f"{never_used} OR {used_long_ago} OR {used_by_this_call}",
        "ExpressionAttributeValues": to_item({":now": nonce.now, ":holder": nonce.holder}),
    }


def nonce_write(table: str, nonce: Nonce) -> Write:
    """Consume a nonce inside a transaction. Lost: NonceReused."""
    return Write({"Put": _put(table, nonce)}, lambda _: NonceReused())


class NonceStore(TableStore):
    """Consume nonces outside transactions."""

    def consume(self, nonce: Nonce) -> None:
        try:
            persistently(lambda: self._client.put_item(**_put(self._table, nonce)))
        except ClientError as error:
            if error_code(error) == "ConditionalCheckFailedException":
                raise NonceReused from None
            raise
        except Throttled:
            raise TryAgain from None


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
