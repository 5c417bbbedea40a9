"""The store model answers as DynamoDB Local does, to the same requests one after the other.

What DynamoDB Local does not show is in test_store_model.py: time, locks, limits, a lagging index.
"""

import re
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from bench.model.client import StoreClient
from bench.model.store import TABLES, Store
from bench.model.timeline import US_PER_SECOND, Timeline
from bench.model.timing import Span, Timing
from local import dynamodb_local
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from tests.model.store_world import put, rotation_query
from tests.support.template import table_definition

type Request = tuple[str, dict[str, Any]]

MISSING = dynamodb_local.what_is_missing()
AT_ONCE = Timing(**dict.fromkeys(Timing.__slots__, Span(0)))
TRADERS, ORDERS, REQUESTS, CLOCK = 5, 3, 1_500, count(10**15)
UPDATES = (
    "SET last_accepted_at = :now, #name = :day ADD open_orders :one, available_micro :minus",
    "SET last_accepted_at = :now, rotation_key = :key ADD open_orders :one",
    "REMOVE rotation_key, nothing SET #name = :day",
    "ADD days :days, held_micro :sum",
)
CONDITIONS = (
    "",
    "attribute_exists(rotation_key) AND (open_orders < :most OR available_micro >= :minus)",
    "attribute_not_exists(trader_id) OR rotation_key <> :key",
    "attribute_not_exists(trader_id)",
    "NOT contains(days, :day) AND last_accepted_at < :now",
    "last_accepted_at = :now",
)


def drawn(random: Random, first: int) -> Request:
    """Draw a request for the traders from `first` on; no two of the index have one sort key."""
    traders = [f"t{first + number}" for number in range(TRADERS) if random.random() < 0.4] or [
        f"t{first}"
    ]
    match random.choice(["write", "write", "write", "query", "get"]):
        case "write":
            orders = [put(f"o{n}") for n in range(ORDERS) if random.random() < 0.3]
            for each in orders if random.random() < 0.7 else ():
                del each["Put"]["ConditionExpression"]
            return "transact_write_items", {
                "TransactItems": [*orders, *(update(random, one) for one in traders)]
            }
        case "query":
            values: Item = {
                ":key": random.choice(["live#0", "live#1"]),
                ":from": random.randrange(60),
            }
            least = {"FilterExpression": "open_orders >= :from"} if random.random() < 0.5 else {}
            used = values if least else {":key": values[":key"]}
            asked = {"ExpressionAttributeValues": to_item(used), "Limit": random.choice([1, 2, 64])}
            return "query", rotation_query(**asked, **least)
        case _:
            keys = [to_item({"trader_id": one}) for one in traders]
            return "batch_get_item", {"RequestItems": {TABLES.traders: {"Keys": keys}}}


def update(random: Random, trader_id: str) -> dict[str, Any]:
    """Return an update of one of the adapters' forms, under a condition that may fail."""
    expression, condition = random.choice(UPDATES), random.choice(CONDITIONS)
    day = random.choice(["d1", "d2"])
    values: dict[str, Any] = {
        ":now": next(CLOCK),
        ":key": random.choice(["live#0", "live#1"]),
        ":one": 1,
        ":most": random.randrange(9),
        ":minus": -random.randrange(9),
        ":sum": 10**9,
        ":day": day,
        ":days": frozenset([day]),
    }
    used = {*re.findall(r":\w+", f"{expression} {condition}")}
    made = {
        "TableName": TABLES.traders,
        "Key": to_item({"trader_id": trader_id}),
        "UpdateExpression": expression,
        "ExpressionAttributeValues": to_item({name: values[name] for name in used}),
        "ReturnValuesOnConditionCheckFailure": random.choice(["ALL_OLD", "NONE"]),
    }
    names = {"#name": "name"} if "#name" in expression else None
    given = {"ConditionExpression": condition or None, "ExpressionAttributeNames": names}
    return {"Update": made | {name: value for name, value in given.items() if value}}


def answered(send: Callable[..., Any], request: dict[str, Any]) -> Any:
    """Return an answer or an error without what is of one transmission only."""
    try:
        answer = send(**request)
    except ClientError as error:
        answer = dict[str, Any](error.response)
    own = ("ResponseMetadata", "UnprocessedKeys", "Message")
    return in_order({name: value for name, value in answer.items() if name not in own})


def in_order(value: Any, name: str = "") -> Any:
    """Return a value with its names, the elements of sets, and the items of a batch in order."""
    if isinstance(value, dict):
        return {name: in_order(each, name) for name, each in sorted(value.items())}
    if isinstance(value, list):
        whole = [in_order(each) for each in value]
        return sorted(whole, key=str) if name in {"SS", TABLES.traders} else whole
    return value


@pytest.mark.skipif(bool(MISSING), reason=f"DynamoDB Local needs {MISSING}")
def test_the_model_answers_as_dynamodb_local(tmp_path: Path) -> None:
    random, timeline = Random(1), Timeline()
    model: Any = StoreClient(Store(timeline, AT_ONCE, random), random)
    with dynamodb_local.running(print, tmp_path) as url:
        session = boto3.Session("a", "b", region_name="us-east-1")
        real: Any = session.client("dynamodb", endpoint_url=url)
        for table in (TABLES.traders, TABLES.orders):
            real.create_table(TableName=table, **table_definition(f"{table}Table"))
        met = Counter[str]()
        for number in range(REQUESTS):
            operation, request = drawn(random, number // 100)
            while request:
                ours, its = (answered(getattr(one, operation), request) for one in (model, real))
                assert ours == its, (number, operation, request)
                timeline.wait(US_PER_SECOND)  # so that nothing is throttled
                met.update(each["Code"] for each in its.get("CancellationReasons", ()))
                met["items of failed conditions"] += "Item" in str(its.get("CancellationReasons"))
                met["written"] += its == {}
                after = its.get("LastEvaluatedKey")
                met["pages"] += after is not None
                met["filtered"] += its.get("ScannedCount", 0) > its.get("Count", 0)
                request = {**request, "ExclusiveStartKey": after} if after else {}
    assert len(met) == 6, met
    assert min(met.values()) > 50, met
