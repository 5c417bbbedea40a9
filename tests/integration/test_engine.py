"""The engine in this process: transactions are whole, and DynamoDB's limits hold."""

from typing import Any

import pytest
from botocore.session import Session
from hypothesis import given
from hypothesis import strategies as st
from ministack.services import dynamodb  # type: ignore[import-untyped]

from orderdesk.adapters.dynamodb.client import dynamodb_client
from tests.support.faults import requests_of
from tests.support.limits import LIMITS, TABLE_DEFINITION
from tests.support.world import World

KEYS = {"Orders": {"pk": {"S": "p"}}, "Ledger": {"pk": {"S": "p"}, "sk": {"S": "s"}}}


@pytest.mark.parametrize("table", KEYS)
def test_a_cancelled_transaction_changes_nothing(world: World, table: str) -> None:
    def key(pk: str) -> dict[str, Any]:
        return KEYS[table] | {"pk": {"S": pk}}

    for pk in ("changed", "deleted"):
        item = {"n": {"N": "1"}, "ns": {"L": [{"N": "1"}]}}
        world.client.put_item(TableName=table, Item=key(pk) | item)
    before = world.items(table)
    update: Any = {
        "TableName": table,
        "UpdateExpression": "SET n = :two, ns[0] = :two",
        "ExpressionAttributeValues": {":two": {"N": "2"}},
    }
    create = update | {"UpdateExpression": "SET n = :two"}
    writes: list[Any] = [
        {"Update": update | {"Key": key("changed")}},
        {"Update": create | {"Key": key("made by an update")}},
        {"Put": {"TableName": table, "Item": key("made by a put")}},
        {"Delete": {"TableName": table, "Key": key("deleted")}},
    ]
    missing = {"Key": key("missing"), "ConditionExpression": "attribute_exists(pk)"}
    refused: Any = {"ConditionCheck": {"TableName": table} | missing}
    with pytest.raises(world.client.exceptions.TransactionCanceledException):
        world.client.transact_write_items(TransactItems=[*writes, refused])
    assert world.items(table) == before
    world.client.transact_write_items(TransactItems=writes)
    after = {row["pk"]: row for row in world.items(table)}
    assert "deleted" not in after
    assert {"made by an update", "made by a put"} <= after.keys()
    assert (after["changed"]["n"], after["changed"]["ns"]) == (2, [2])


def test_dynamodbs_limits(world: World) -> None:
    """tests/infra/test_dynamodb_local.py shows that AWS's own engine has the same ones."""
    world.client.create_table(**TABLE_DEFINITION)
    answers = {name: limit.answers(world.client) for name, limit in LIMITS.items()}
    assert answers == {name: ["", limit.code] for name, limit in LIMITS.items()}


@pytest.mark.parametrize("span", ["BETWEEN :a AND :b", "< :b", "<= :b"])
@given(st.text("aé𝄞", max_size=2), st.text("aé𝄞", max_size=2), st.text("aé𝄞", max_size=2))
def test_the_short_way_of_a_span_is_that_of_the_engine(
    span: str, place: str, one: str, other: str
) -> None:
    values = dict(zip((":a", ":b"), [{"S": each} for each in sorted((one, other))], strict=True))
    asked: Any = {"pk": {"S": "p"}, "sk": {"S": place}}, values | {":p": {"S": "p"}}, {}
    found = {
        dynamodb._evaluate_condition(f"pk = :p AND {shown}", *asked, slot="KeyConditionExpression")
        for shown in (f"sk {span}", f" sk {span}")  # the second is parsed, because of the space
    }
    assert len(found) == 1


def test_a_clients_handlers_are_its_own(world: World) -> None:
    """A fault that a test registers is in no other client, and ends with its test."""
    session = Session()
    first, second = dynamodb_client(session), dynamodb_client(session)
    with requests_of(first) as seen:
        first.list_tables()
        second.list_tables()
        dynamodb_client(Session()).list_tables()
    first.list_tables()
    assert seen == ["ListTables"]
