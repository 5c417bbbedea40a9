"""The roles of the functions in the template: which items and secrets their conditions allow."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import audit_key
from tests.infra.roles import FUNCTIONS, TRACED
from tests.support.template import template

RESOURCES = template()["Resources"]
SERVICE_ROLES = "arn:*:iam::*:role/aws-service-role"  # only AWS services can assume them
WRITES = {"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"}
# Any trader may be claimed, released and settled by a role that may write traders.
ANY_ITEM = {"TradersTable"}
# The beginnings of the keys of the items that functions write.
KINDS = {
    "OrdersTable": ("B*", "S*", "D*", "number#", "open_buys:"),
    "LedgerTable": (
        *("merchant:", "deposit:", "fee:", "trader:", "funding:"),
        *("proposals", "requests", "addresses#", "seals", "payouts", "checkpoints#"),
    ),
    "MerchantsTable": ("merchant#", "team#", "name#", "rates"),
    "GuardsTable": (
        "nonce#",
        "calls#",
        "refused#",
        "failures#",
        "days#",
        "attempts#",
        "session#",
        "push#",
        "visits#",
        "challenge#",
        "answer#",
        "drawings#",
        "figures#",
        "hands#",
        "solo#",
    ),
    "CallbacksTable": ("msg_", "lanes#", "endpoint#"),
    "AuditTable": ("desk#", "portal#", "audit#", "seals#"),
}


def statements_of(function: str) -> Iterator[dict[str, Any]]:
    """Yield each statement of a function's role, those under a condition included."""
    (policy,) = RESOURCES[f"{function}Role"]["Properties"]["Policies"]
    for statement in policy["PolicyDocument"]["Statement"]:
        yield statement.get("Fn::If", ("", statement))[1]


def statements() -> Iterator[tuple[str, dict[str, Any]]]:
    for function in FUNCTIONS:
        for statement in statements_of(function):
            yield function, statement


def actions_of(statement: dict[str, Any]) -> list[str]:
    action = statement["Action"]
    action = action["Fn::If"][1] if isinstance(action, dict) else action
    return [action] if isinstance(action, str) else action


def tables_of(statement: dict[str, Any]) -> list[str]:
    resources = statement["Resource"]
    resources = resources if isinstance(resources, list) else [resources]
    return [each["Fn::GetAtt"][0] for each in resources]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_write_is_restricted_to_kinds_of_items(function: str) -> None:
    """`test_role_conditions_on_stack.py` shows which items the patterns exclude."""
    for statement in statements_of(function):
        (action, *others) = actions_of(statement)
        if action not in WRITES:
            assert not WRITES.intersection(others)
            continue
        tables = tables_of(statement)
        if ANY_ITEM.issuperset(tables):
            assert "Condition" not in statement
            continue
        condition = statement["Condition"]
        # A request without the key satisfies ForAllValues.
        assert condition["Null"]["dynamodb:LeadingKeys"] == "false"
        patterns = condition["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
        of_tables = [
            table for each in patterns for table in tables if each.startswith(KINDS[table])
        ]
        # Each pattern is of one table, so it allows nothing in the others.
        assert (len(of_tables), {*of_tables}) == (len(patterns), {*tables})


def test_no_role_uses_batch_writes_or_partiql() -> None:
    """Their actions have other condition keys."""
    actions = {action for _, statement in statements() for action in actions_of(statement)}
    assert not any("BatchWrite" in action or "PartiQL" in action for action in actions)
    assert not any("*" in action for action in actions)


def test_a_role_decrypts_secrets_of_its_purposes() -> None:
    """`test_role_conditions_on_stack.py` shows which purpose each role has."""
    purposes = [
        statement["Condition"]["StringEquals"]["kms:EncryptionContext:purpose"]
        for _, statement in statements()
        if "kms:Decrypt" in actions_of(statement)
    ]
    of_operators = ["api", "test", "callback", "proposal"]  # they make and replace each kind
    of_the_portal = ["api", "test", "callback"]  # members make and rotate each kind
    merchants = ["api", "test"]  # the identity page needs `api` for its links, and no more
    several = {str(merchants), str(of_the_portal), str(of_operators)}
    known = {"api", "callback", "withdrawal"} | several  # operators compare requests' digests
    assert {str(each) for each in purposes} == known


def test_a_statement_names_resources_of_the_stack() -> None:
    """X-Ray's two actions accept no resource; operators may be any user or role of the account."""
    anything = [statement["Sid"] for _, statement in statements() if statement["Resource"] == "*"]
    assert sorted(anything) == ["FindRole", *["SendTraces"] * len(TRACED), "Simulate"]
    for _, statement in statements():
        assert statement["Effect"] == "Allow"
        if statement["Resource"] != "*":
            resources = statement["Resource"]
            for resource in resources if isinstance(resources, list) else [resources]:
                ((how, named),) = resource.items()
                if how == "Fn::Sub":
                    assert re.match(r"\$\{\w+\.Arn\}(/|-restored-\*$)", named)
                else:
                    assert how in {"Fn::GetAtt", "Ref"}


@pytest.mark.parametrize("function", sorted({*FUNCTIONS} - {"OperatorApi"}))
def test_only_the_operators_function_reaches_their_audit_trail(function: str) -> None:
    entry = audit_key("2025-11")
    for who, statement in statements():
        if who == function:
            may = {
                ("TraderDesk", "AppendToAudit"),
                ("MerchantPortal", "AppendToAudit"),
                ("MerchantPortal", "ReadTrail"),
                ("SealBooks", "ReadEntries"),
                ("SealBooks", "StoreDay"),
            }
            assert (who, statement["Sid"]) in may or "AuditTable" not in str(statement["Resource"])
            keys = statement.get("Condition", {}).get("ForAllValues:StringLike", {})
            for pattern in keys.get("dynamodb:LeadingKeys", ()):
                assert not fnmatchcase(entry, pattern)


def test_nobody_changes_or_deletes_an_entry_of_the_audit_trail() -> None:
    """It also denies administrators. Only the role that replicates global tables is excluded."""
    audit = RESOURCES["AuditTable"]["Properties"]
    (only_grows, only_together) = audit["ResourcePolicy"]["PolicyDocument"]["Statement"]
    for statement in (only_grows, only_together):
        assert (statement["Effect"], statement["Principal"]) == ("Deny", "*")
        assert statement["Resource"] == "*"
    replicates = {"aws:PrincipalArn": f"{SERVICE_ROLES}/replication.dynamodb.amazonaws.com/*"}
    assert only_grows["Condition"] == {"ArnNotLike": replicates}
    denied = {
        action["Fn::If"][1] if isinstance(action, dict) else action
        for action in only_grows["Action"]
    }
    assert denied == {
        *("dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem"),
        *("dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate", "dynamodb:PartiQLDelete"),
        *("dynamodb:UpdateTimeToLive", "dynamodb:DeleteTable"),
    }
    assert only_together["Action"] == "dynamodb:PutItem"
    assert only_together["Condition"] == {
        "ForAllValues:StringNotEquals": {"dynamodb:EnclosingOperation": ["TransactWriteItems"]},
        "ArnNotLike": replicates,
    }
    assert "TimeToLiveSpecification" not in audit
