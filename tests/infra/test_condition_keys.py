"""The IAM condition keys that are added to the local emulator."""

import json
from typing import Any

import pytest

from local import condition_keys
from local.condition_keys import attributes

WRITES: list[tuple[dict[str, Any], list[str]]] = [
    (
        {
            "Key": {"trader_id": {"S": "t1"}},
            "UpdateExpression": "SET last_accepted_at = :now, #a0 = :a0 ADD open_orders :one",
            "ConditionExpression": "attribute_exists(rotation_key) AND NOT version <> :v",
            "ExpressionAttributeNames": {"#a0": "online"},
        },
        ["last_accepted_at", "online", "open_orders", "rotation_key", "trader_id", "version"],
    ),
    (
        {
            "Key": {"pk": {"S": "rates"}},
            "UpdateExpression": "SET #side = if_not_exists(other.deep, :rate) REMOVE list[0].part",
            "ConditionExpression": "#side.set_at BETWEEN :a AND :b OR size (#side) IN (:c)",
            "ExpressionAttributeNames": {"#side": "buy"},
        },
        ["buy", "list", "other", "pk"],
    ),
    ({"Item": {"pk": {"S": "audit#2026-01"}, "who": {"S": "me"}}}, ["pk", "who"]),
    ({"Key": {"pk": {"S": "x"}}, "ProjectionExpression": "who"}, []),
]


@pytest.mark.parametrize(("request_", "named"), WRITES)
def test_a_write_names_its_key_what_it_writes_and_what_it_compares(
    request_: dict[str, Any], named: list[str]
) -> None:
    assert attributes(request_) == named


def test_a_request_without_an_item_keeps_what_the_emulator_knows() -> None:
    body = json.dumps({"TableName": "nobodys", "ProjectionExpression": "a, b"}).encode()
    assert condition_keys.service_context(body)["dynamodb:Attributes"] == ["a", "b"]


def test_a_batch_that_is_read_names_the_key_of_each_item(monkeypatch: pytest.MonkeyPatch) -> None:
    keyed = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
    monkeypatch.setattr("ministack.services.dynamodb._tables", {"Ledger": keyed})
    keys = [{"pk": {"S": key}, "sk": {"S": "balance"}} for key in ("merchant:m1", "fee:m1")]
    context = condition_keys.batch_context({"RequestItems": {"Ledger": {"Keys": keys}}})
    assert context == {"dynamodb:LeadingKeys": ["merchant:m1", "fee:m1"]}
    assert condition_keys.batch_context({"TableName": "Ledger"}) == {}
