"""The DynamoDB client and its simplest request."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from botocore.session import Session

from orderdesk.adapters.dynamodb.marshal import Item, Value, from_item, to_item
from orderdesk.adapters.sending import CLIENT_CONFIG, read

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def dynamodb_client(session: Session) -> "DynamoDBClient":
    """Make the client; region, credentials and endpoint come from the environment."""
    return cast("DynamoDBClient", session.create_client("dynamodb", config=CLIENT_CONFIG))


def get_item(client: "DynamoDBClient", table: str, key: Mapping[str, Value]) -> Item | None:
    """Read one item as it is now, or None. Raises: TryAgain."""
    answer = read(lambda: client.get_item(TableName=table, Key=to_item(key), ConsistentRead=True))
    item = answer.get("Item")
    return None if item is None else from_item(item)
