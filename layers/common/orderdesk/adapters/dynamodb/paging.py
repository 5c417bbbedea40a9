"""Query and Scan, page after page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from orderdesk.adapters.dynamodb.marshal import WireItem
from orderdesk.adapters.sending import call

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def query_pages(
    client: "DynamoDBClient", query: Mapping[str, Any], first_limit: int | None = None
) -> Iterator[Sequence[WireItem]]:
    """Send a Query until there is no further page; `first_limit` is of the first page only.

    Raises: TryAgain.
    """
    place: dict[str, Any] = {} if first_limit is None else {"Limit": first_limit}
    while True:
        asked = {**query, **place}
        answer = call(lambda: client.query(**asked))  # noqa: B023 called at once
        yield answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return
        place = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}


def scan_pages(client: "DynamoDBClient", scan: Mapping[str, Any]) -> Iterator[Sequence[WireItem]]:
    """Send a Scan until there is no further page; for operators only. Raises: TryAgain."""
    start: dict[str, Any] = {}
    while True:
        answer = call(lambda: client.scan(**scan, **start))  # noqa: B023 called at once
        yield answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
