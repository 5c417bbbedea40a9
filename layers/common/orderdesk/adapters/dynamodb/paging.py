"""Query and Scan, page after page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from orderdesk.adapters.dynamodb.marshal import WireItem
from orderdesk.adapters.sending import read

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def query_pages(client: "DynamoDBClient", query: Mapping[str, Any]) -> Iterator[Sequence[WireItem]]:
    """Send a Query until there is no further page. Raises: TryAgain."""
    start: dict[str, Any] = {}
    while True:
        answer = read(lambda: client.query(**query, **start))  # noqa: B023 called at once
        yield answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}


def scan_pages(client: "DynamoDBClient", scan: Mapping[str, Any]) -> Iterator[Sequence[WireItem]]:
    """Send a Scan until there is no further page; for operators only. Raises: TryAgain."""
    start: dict[str, Any] = {}
    while True:
        answer = read(lambda: client.scan(**scan, **start))  # noqa: B023 called at once
        yield answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
