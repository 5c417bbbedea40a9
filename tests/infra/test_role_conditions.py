"""The roles of the functions in the template: which items and secrets their conditions allow."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from tests.infra.roles import FUNCTIONS, TRACED
from tests.support.template import template

RESOURCES = template()["Resources"]
SERVICE_ROLES = "arn:*:iam::*:role/aws-service-role"  # only AWS services can assume them
WRITES = {"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"}
# Any trader may be claimed, released and settled by a role that may write traders.
ANY_ITEM = {"TradersTable"}
BUY = "B202511210009876543210123"
ACCOUNTS = ("fee:m1", "merchant:m1", "deposit:m1", "trader:t1")
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


# What a compromised function cannot write: the function, the action, the table, a key that it may
# write there, and keys that it may not.
WRITES_OF = [
    ("CreateOrder", "Put", "Guards", "nonce#mk_x#1", ["session#x", "attempts#x#1", "failures#x"]),
    ("CreateOrder", "Put", "Orders", "number#m1#x", ["open_buys:m1:live:0"]),
    ("CreateOrder", "Update", "Orders", BUY, ["S202511210009876543210123"]),
    ("CreateOrder", "Update", "Ledger", "merchant:m1:live", ["fee:m1:live"]),
    ("PayPage", "Update", "Guards", "attempts#x#1", ["session#x"]),
    ("RenderReceipt", "Update", "Guards", "drawings#m1", ["session#x"]),
    ("AssignSells", "Update", "Orders", "S1", ["open_buys:m1:live:0", BUY]),
    ("AdvanceTestOrder", "Put", "Ledger", "fee:m1:test", [f"{each}:live" for each in ACCOUNTS]),
    ("AdvanceTestOrder", "Update", "Ledger", "fee:m1:test", [f"{each}:live" for each in ACCOUNTS]),
    ("AdvanceTestOrder", "Update", "Orders", "open_buys:m1:test:0", ["open_buys:m1:live:0"]),
    ("TraderDesk", "Put", "Guards", "session#x", ["nonce#mk_x#1", "attempts#x#1"]),
    ("TraderDesk", "Put", "Ledger", "fee:m1:live", ["audit#2025-11", "funding::live"]),
    ("TraderDesk", "Update", "Ledger", "fee:m1:live", ["audit#2025-11"]),
    ("TraderDesk", "Put", "Audit", "desk#2025-11", ["audit#2025-11", "portal#m1"]),
    ("MerchantPortal", "Put", "Audit", "portal#m1", ["audit#2025-11", "desk#2025-11"]),
    ("MerchantPortal", "Put", "Guards", "visits#m1#u1", ["session#x", "nonce#mk_x#1", "answer#x"]),
    ("MerchantPortal", "Update", "Merchants", "merchant#m1", ["rates"]),
    ("MerchantApi", "Put", "Callbacks", "msg_B1_2", ["lanes#m1"]),
    ("IdentityPage", "Put", "Orders", BUY, ["S202511210009876543210123", "open_buys:m1:live:0"]),
]


@pytest.mark.parametrize(("function", "action", "table", "own", "others"), WRITES_OF)
def test_a_role_writes_its_own_kinds_of_items_only(
    function: str, action: str, table: str, own: str, others: list[str]
) -> None:
    patterns = [
        pattern
        for statement in statements_of(function)
        if f"dynamodb:{action}Item" in actions_of(statement)
        and f"{table}Table" in tables_of(statement)
        for pattern in statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    ]
    may = [key for key in (own, *others) if any(fnmatchcase(key, each) for each in patterns)]
    assert may == [own]


def test_functions_append_to_the_audit_trail_only_with_what_they_write() -> None:
    appends = [each for _, each in statements() if each["Sid"] == "AppendToAudit"]
    assert len(appends) == 3
    for each in appends:
        together = each["Condition"]["ForAllValues:StringEquals"]
        assert together == {"dynamodb:EnclosingOperation": ["TransactWriteItems"]}
        assert each["Condition"]["Null"]["dynamodb:EnclosingOperation"] == "false"


MERCHANTS = ("api", "test")
PURPOSES = {
    "CreateOrder": [MERCHANTS],
    "MerchantApi": [MERCHANTS],
    "AdvanceTestOrder": [MERCHANTS],
    "IdentityPage": [("api",)],  # for its links
    "SendCallback": [("callback",)],
    "MerchantPortal": [(*MERCHANTS, "callback")],  # members make and rotate each kind
    # Operators make and replace each kind, and compare requests' digests.
    "OperatorApi": [(*MERCHANTS, "callback", "proposal"), ("withdrawal",)],
    "PayOut": [("withdrawal",)],
}


def test_a_role_opens_secrets_of_its_own_purpose_only() -> None:
    found: dict[str, list[tuple[str, ...]]] = {}
    for function, statement in statements():
        if "kms:Decrypt" in actions_of(statement):
            purposes = statement["Condition"]["StringEquals"]["kms:EncryptionContext:purpose"]
            listed = (purposes,) if isinstance(purposes, str) else tuple(purposes)
            found.setdefault(function, []).append(listed)
    assert found == PURPOSES


def granted_by_resources(found: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield each statement by which a resource itself allows something, with the resource."""
    if isinstance(found, dict):
        if "Principal" in found and found.get("Effect") != "Deny":
            yield path[0], found
        for name, each in found.items():
            if name != "AssumeRolePolicyDocument":
                yield from granted_by_resources(each, (*path, name))
    for each in found if isinstance(found, list) else ():
        yield from granted_by_resources(each, path)


def test_no_resource_allows_anybody_anything_but_iam() -> None:
    """So a role has the rights of its policy, and an operator those of one of three policies."""
    root = {"AWS": {"Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:root"}}
    for name, each in granted_by_resources(RESOURCES):
        assert RESOURCES[name]["Type"] == "AWS::KMS::Key"
        assert (each["Sid"], each["Principal"]) == ("IamDecides", root)


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
    entry = Key.audit("2025-11")
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
