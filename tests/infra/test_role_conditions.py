"""The conditions of the roles, as the template has them: which items and which secrets."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import audit_key, desk_audit_key
from tests.infra.roles import FUNCTIONS
from tests.support.template import template

RESOURCES = template()["Resources"]
WRITES = {"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"}
# Any trader may be claimed, released and settled by whoever may do so at all.
ANY_ITEM = {"TradersTable"}
ORDERS, BUYS, DRAFTS, NUMBERS = {"B*", "S*"}, {"B*"}, {"D*"}, {"number#*"}
OPEN_BUYS = {"open_buys:*"}
OWED = {"merchant:*", "deposit:*", "fee:*"}
OWED_TEST = {"merchant:*:test", "deposit:*:test", "fee:*:test"}
WRITTEN = {
    ("CreateOrder", "PutItem", "OrdersTable"): ORDERS | DRAFTS | NUMBERS,
    ("CreateOrder", "UpdateItem", "OrdersTable"): OPEN_BUYS,
    ("CreateOrder", "UpdateItem", "LedgerTable"): {"merchant:*"},
    ("CreateOrder", "PutItem", "GuardsTable"): {"nonce#*"},
    ("CreateOrder", "UpdateItem", "GuardsTable"): {"calls#*", "failures#*"},
    ("MerchantApi", "UpdateItem", "OrdersTable"): ORDERS | OPEN_BUYS,
    ("MerchantApi", "UpdateItem", "LedgerTable"): {"merchant:*"},
    ("MerchantApi", "PutItem", "GuardsTable"): {"nonce#*"},
    ("MerchantApi", "UpdateItem", "GuardsTable"): {"calls#*", "attempts#redeliver*"},
    ("MerchantApi", "PutItem", "CallbacksTable"): {"msg_*"},
    ("AdvanceTestOrder", "UpdateItem", "OrdersTable"): ORDERS | {"open_buys:*:test:*"},
    ("AdvanceTestOrder", "UpdateItem", "LedgerTable"): OWED_TEST,
    ("AdvanceTestOrder", "PutItem", "LedgerTable"): OWED_TEST | {"trader:*:test"},
    ("AdvanceTestOrder", "PutItem", "GuardsTable"): {"nonce#*"},
    ("AdvanceTestOrder", "UpdateItem", "GuardsTable"): {"calls#*"},
    ("PayPage", "UpdateItem", "OrdersTable"): BUYS | OPEN_BUYS,
    ("PayPage", "UpdateItem", "GuardsTable"): {"attempts#*"},
    ("TraderDesk", "UpdateItem", "OrdersTable"): ORDERS | OPEN_BUYS,
    ("TraderDesk", "UpdateItem", "LedgerTable"): OWED,
    ("TraderDesk", "PutItem", "LedgerTable"): OWED | {"trader:*"},
    ("TraderDesk", "PutItem", "AuditTable"): {"desk#*"},
    ("TraderDesk", "PutItem", "GuardsTable"): {"session#*", "push#*"},
    ("TraderDesk", "DeleteItem", "GuardsTable"): {"session#*"},
    ("TraderDesk", "UpdateItem", "GuardsTable"): {"attempts#*"},
    ("IdentityPage", "UpdateItem", "OrdersTable"): DRAFTS | NUMBERS | OPEN_BUYS,
    ("IdentityPage", "PutItem", "OrdersTable"): BUYS,
    ("IdentityPage", "DeleteItem", "OrdersTable"): NUMBERS,
    ("IdentityPage", "UpdateItem", "GuardsTable"): {"attempts#*", "failures#*"},
    ("ExpireDrafts", "UpdateItem", "OrdersTable"): ORDERS | DRAFTS | OPEN_BUYS,
    ("ExpireDrafts", "DeleteItem", "OrdersTable"): NUMBERS,
    ("AssignSells", "UpdateItem", "OrdersTable"): {"S*"},
    ("SendCallback", "UpdateItem", "CallbacksTable"): {"lanes#*"},
    ("SendCallback", "PutItem", "CallbacksTable"): {"msg_*"},
    ("SendPush", "PutItem", "GuardsTable"): {"push#*"},
}
OPENED = {
    "CreateOrder": "api",
    "MerchantApi": "api",
    "AdvanceTestOrder": "api",
    "IdentityPage": "api",
    "SendCallback": "callback",
}


def statements() -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each statement of each function's role."""
    for function in FUNCTIONS:
        (policy,) = RESOURCES[f"{function}Role"]["Properties"]["Policies"]
        for statement in policy["PolicyDocument"]["Statement"]:
            yield function, statement.get("Fn::If", ("", statement))[1]


def actions_of(statement: dict[str, Any]) -> list[str]:
    """Give the actions of a statement on AWS."""
    action = statement["Action"]
    action = action["Fn::If"][1] if isinstance(action, dict) else action
    return [action] if isinstance(action, str) else action


def test_a_role_writes_its_own_kinds_of_items_only() -> None:
    written = {}
    for function, statement in statements():
        (action, *others) = actions_of(statement)
        if action not in WRITES:
            assert not WRITES.intersection(others)
            continue
        table, _ = statement["Resource"]["Fn::GetAtt"]
        if table in ANY_ITEM:
            assert "Condition" not in statement
            continue
        condition = statement["Condition"]
        # A request without the key would satisfy ForAllValues.
        assert condition["Null"]["dynamodb:LeadingKeys"] == "false"
        keys = condition["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
        what = function, action.removeprefix("dynamodb:"), table
        assert what not in written
        written[what] = set(keys)
    assert written == WRITTEN


def test_no_role_writes_many_items_or_by_another_language() -> None:
    """BatchWriteItem and PartiQL are actions of their own, with other conditions."""
    actions = {action for _, statement in statements() for action in actions_of(statement)}
    assert not any("BatchWrite" in action or "PartiQL" in action for action in actions)
    assert not any("*" in action for action in actions)


def test_a_role_opens_secrets_of_its_own_purpose_only() -> None:
    opened = {
        function: statement["Condition"]
        for function, statement in statements()
        if actions_of(statement) == ["kms:Decrypt"]
    }
    assert opened == {
        function: {"StringEquals": {"kms:EncryptionContext:purpose": purpose}}
        for function, purpose in OPENED.items()
    }


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_function_reaches_the_operators_audit_trail(function: str) -> None:
    entry = audit_key("2025-11")
    for who, statement in statements():
        if who == function:
            of_own_settings = (who, statement["Sid"]) == ("TraderDesk", "AppendToAudit")
            assert of_own_settings or "AuditTable" not in str(statement["Resource"])
            keys = statement.get("Condition", {}).get("ForAllValues:StringLike", {})
            for pattern in keys.get("dynamodb:LeadingKeys", ()):
                assert not fnmatchcase(entry, pattern)


def test_the_desk_appends_to_its_own_part_of_the_audit_trail_only() -> None:
    (append,) = (each for _, each in statements() if "AuditTable" in str(each["Resource"]))
    assert append["Action"] == "dynamodb:PutItem"
    condition = append["Condition"]
    (pattern,) = condition["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    assert fnmatchcase(desk_audit_key("2025-11"), pattern)
    together = {"dynamodb:EnclosingOperation": ["TransactWriteItems"]}
    assert condition["ForAllValues:StringEquals"] == together
    assert condition["Null"]["dynamodb:EnclosingOperation"] == "false"


def test_nobody_changes_or_deletes_an_entry_of_the_audit_trail() -> None:
    """Its table's own policy says so, to operators and to the account's administrators too."""
    audit = RESOURCES["AuditTable"]["Properties"]
    (only_grows, only_together) = audit["ResourcePolicy"]["PolicyDocument"]["Statement"]
    for statement in (only_grows, only_together):
        assert (statement["Effect"], statement["Principal"]) == ("Deny", "*")
        assert statement["Resource"] == "*"
    assert "Condition" not in only_grows
    assert set(only_grows["Action"]) == {
        "dynamodb:UpdateItem",
        "dynamodb:DeleteItem",
        "dynamodb:BatchWriteItem",
        "dynamodb:PartiQLInsert",
        "dynamodb:PartiQLUpdate",
        "dynamodb:PartiQLDelete",
        "dynamodb:UpdateTimeToLive",
        "dynamodb:DeleteTable",
    }
    assert only_together["Action"] == "dynamodb:PutItem"
    assert only_together["Condition"] == {
        "ForAllValues:StringNotEquals": {"dynamodb:EnclosingOperation": ["TransactWriteItems"]}
    }
    assert "TimeToLiveSpecification" not in audit
