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
