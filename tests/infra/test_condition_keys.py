"""The IAM condition keys that are added to the local emulator."""

import pytest

from local import condition_keys


def test_a_batch_that_is_read_names_the_key_of_each_item(monkeypatch: pytest.MonkeyPatch) -> None:
    keyed = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
    monkeypatch.setattr("ministack.services.dynamodb._tables", {"Ledger": keyed})
    keys = [{"pk": {"S": key}, "sk": {"S": "balance"}} for key in ("merchant:m1", "fee:m1")]
    context = condition_keys.batch_context({"RequestItems": {"Ledger": {"Keys": keys}}})
    assert context == {"dynamodb:LeadingKeys": ["merchant:m1", "fee:m1"]}
    assert condition_keys.batch_context({"TableName": "Ledger"}) == {}


def test_a_query_of_a_table_names_its_partition_key() -> None:
    query = {
        "KeyConditionExpression": "pk = :key AND sk <= :until",
        "ExpressionAttributeValues": {":key": {"S": "portal#m1"}, ":until": {"S": "~"}},
    }
    assert condition_keys.query_context(query) == {"dynamodb:LeadingKeys": ["portal#m1"]}
    assert condition_keys.query_context({**query, "IndexName": "by_merchant"}) == {}
    assert condition_keys.query_context({"Key": {"pk": {"S": "portal#m1"}}}) == {}
