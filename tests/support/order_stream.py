"""Records of the Orders table's stream, and what its event source hands over of them."""

import json
from collections.abc import Mapping
from itertools import count
from typing import Any

import boto3

from orderdesk.adapters.dynamodb.marshal import to_item
from tests.support.template import template

RELAY: dict[str, Any] = template()["Resources"]["RelayEventsFunction"]["Properties"]
SOURCE: dict[str, Any] = RELAY["Events"]["OrdersStream"]["Properties"]
PATTERNS = [json.loads(each["Pattern"]) for each in SOURCE["FilterCriteria"]["Filters"]]

_POSITIONS = count(1)


def stream_record(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> dict[str, Any]:
    """Make the record of a write as Lambda hands it over."""
    images = {"NewImage": to_item(after)}
    if before is not None:
        images["OldImage"] = to_item(before)
    position = next(_POSITIONS)
    return {
        "eventID": f"{position:032x}",
        "eventName": "INSERT" if before is None else "MODIFY",
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "us-east-1",
        "dynamodb": {
            "ApproximateCreationDateTime": 1,
            "Keys": to_item({"pk": after["pk"]}),
            **images,
            "SequenceNumber": f"{position:030d}",
            "SizeBytes": 1,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
        "eventSourceARN": "arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/s",
    }


class OrderStream:
    """The stream of a table on moto, read from one look to the next."""

    def __init__(self, client: Any, table: str) -> None:
        streamed = client.update_table(
            TableName=table,
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        )
        self._arn = streamed["TableDescription"]["LatestStreamArn"]
        self._streams = boto3.client("dynamodbstreams")
        self._seen = 0

    def records(self) -> list[dict[str, Any]]:
        """Give the records of what was written since the last call.

        From the beginning each time: a transaction that fails replaces moto's tables by copies, and
        an iterator would go on with the old one.
        """
        described = self._streams.describe_stream(StreamArn=self._arn)["StreamDescription"]
        begin = self._streams.get_shard_iterator(
            StreamArn=self._arn,
            ShardId=described["Shards"][0]["ShardId"],
            ShardIteratorType="TRIM_HORIZON",
        )
        answer = self._streams.get_records(ShardIterator=begin["ShardIterator"])
        records = [dict(record) for record in answer["Records"]]
        seen, self._seen = self._seen, len(records)
        return records[seen:]


def passes(record: Mapping[str, Any]) -> bool:
    """Tell whether the event source hands a record over: one of its patterns matches."""
    return any(_matches(pattern, record) for pattern in PATTERNS)


def _matches(pattern: Mapping[str, Any], record: Mapping[str, Any]) -> bool:
    return all(
        _matches(wanted, record.get(name) or {})
        if isinstance(wanted, dict)
        else any(_allows(one, record.get(name)) for one in wanted)
        for name, wanted in pattern.items()
    )


def _allows(wanted: object, value: object) -> bool:
    return (value is not None) is wanted["exists"] if isinstance(wanted, dict) else value == wanted
