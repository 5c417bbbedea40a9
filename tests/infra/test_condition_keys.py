"""The IAM condition keys and the record of used rights, which are added to the local emulator."""

from dataclasses import replace
from fnmatch import fnmatchcase
from types import SimpleNamespace
from typing import Any

import pytest

from local import condition_keys, emulator_process
from orderdesk.adapters.dynamodb.merchants import merchant_item
from orderdesk.adapters.dynamodb.transactions import Write
from orderdesk.domain.merchants.merchant import Merchant, MerchantKey, MerchantStatus, Scope
from orderdesk.domain.merchants.own_terms import OwnTermsChange
from orderdesk.domain.pricing import Mode
from tests.support.seed import a_merchant
from tests.support.template import template


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


def test_a_used_right_is_one_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread's line in between would make the record unreadable."""
    written: list[str] = []
    monkeypatch.setattr("sys.stdout", SimpleNamespace(write=written.append, flush=list))
    found = SimpleNamespace(sid="Read", resources=["table/T"])
    monkeypatch.setattr(emulator_process, "_first_match", lambda *_: found)
    asked = SimpleNamespace(principal_arn=":assumed-role/r/s", action="a", resource_arn="table/T")
    for _ in range(2):
        assert emulator_process.first_match(asked, [], "Allow") is found
    assert written == ["used right r Read a table/T\n"]


def are_allowed(attributes: set[str]) -> bool:
    """Return whether the portal's role may change these attributes of a merchant's item."""
    (policy,) = template()["Resources"]["MerchantPortalRole"]["Properties"]["Policies"]
    statements = policy["PolicyDocument"]["Statement"]
    (allowed,) = (each for each in statements if each["Sid"] == "ChangeMerchant")
    patterns = allowed["Condition"]["ForAllValues:StringLike"]["dynamodb:Attributes"]
    return all(any(fnmatchcase(each, pattern) for pattern in patterns) for each in attributes)


def asked(before: Merchant, after: Merchant, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the attributes that IAM sees in the request of a change."""
    keyed = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
    monkeypatch.setattr("ministack.services.dynamodb._tables", {"Merchants": keyed})
    items = merchant_item(before), merchant_item(replace(after, version=before.version + 1))
    write = Write.change("Merchants", "pk", *items)
    return {*condition_keys.item_context(write.action["Update"])["dynamodb:Attributes"]}


MERCHANT = a_merchant("m1")
CHOSEN: list[dict[str, Any]] = [{name: "x"} for name in OwnTermsChange.__annotations__]
OF_MEMBERS = (
    *(replace(MERCHANT, terms=replace(MERCHANT.terms, **chosen)) for chosen in CHOSEN),
    replace(MERCHANT, api_key="x", sealed_secrets=b"x"),
    replace(MERCHANT, test_api_key="x", sealed_test_secrets=b"x", sealed_callback_secrets=b"x"),
    replace(MERCHANT, more_keys=(MerchantKey("x", Mode.LIVE, Scope.FULL, b"x"),)),
)
OF_OPERATORS = (
    replace(MERCHANT, status=MerchantStatus.SUSPENDED),
    replace(MERCHANT, name="x"),
    replace(MERCHANT, terms=replace(MERCHANT.terms, max_rps=999)),
    replace(MERCHANT, terms=replace(MERCHANT.terms, max_open_cny_fen=999)),
    replace(MERCHANT, terms=replace(MERCHANT.terms, other_sums="operator")),
)


@pytest.mark.parametrize("after", OF_MEMBERS)
def test_the_portals_role_may_make_each_change_of_a_member(
    after: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert are_allowed(asked(MERCHANT, after, monkeypatch))


@pytest.mark.parametrize("after", OF_OPERATORS)
def test_the_portals_role_may_make_no_change_that_is_the_operators(
    after: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not are_allowed(asked(MERCHANT, after, monkeypatch))


def test_the_patterns_are_of_the_attributes_that_members_change() -> None:
    """A new attribute of a merchant that a pattern also allows is named here."""
    allowed = {name for name in merchant_item(MERCHANT) if are_allowed({name})}
    assert allowed == {
        *("pk", "version", "api_key", "test_api_key", "more_keys", "addresses"),
        *("sealed_secrets", "sealed_callback_secrets", "sealed_test_secrets"),
        *OwnTermsChange.__annotations__,
    }
