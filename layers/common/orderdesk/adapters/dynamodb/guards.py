"""Guards: nonces that were used. DynamoDB's TTL deletes late, so conditions compare the time."""

from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.keys import nonce_key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.transactions import Statement
from orderdesk.adapters.sending import error_code, persistently
from orderdesk.domain.errors import NonceReused, Throttled, TryAgain
from orderdesk.domain.signing import NONCE_RETENTION_SECONDS
from orderdesk.services.ports import Nonce

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def _put(table: str, nonce: Nonce) -> dict[str, Any]:
    never_used = "attribute_not_exists(pk)"
    used_long_ago = "expires_at < :now"
    # A write sent again because its answer was lost must not meet itself.
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


def nonce_statement(table: str, nonce: Nonce) -> Statement:
    """Consume a nonce inside a transaction; lost: NonceReused."""
    return Statement({"Put": _put(table, nonce)}, lambda _: NonceReused())


class NonceStore:
    """Consumes nonces on their own, where nothing else is written."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def consume(self, nonce: Nonce) -> None:
        """Consume a nonce. Raises: NonceReused, TryAgain."""
        try:
            persistently(lambda: self._client.put_item(**_put(self._table, nonce)))
        except ClientError as error:
            if error_code(error) == "ConditionalCheckFailedException":
                raise NonceReused from None
            raise
        except Throttled:
            raise TryAgain from None
