"""The operators' managed policies in the template (contract section 10)."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.traders.items import trader_item
from orderdesk.domain.modes import Mode
from orderdesk.domain.traders.trader import Trader
from orderdesk.web.operator.commands import COMMANDS, Role
from tests.support.template import template

RESOURCES = template()["Resources"]
OUTPUTS = template()["Outputs"]
POLICIES = ("ViewerPolicy", "SupportPolicy", "FinancePolicy")
LEADING_KEYS, ATTRIBUTES = "dynamodb:LeadingKeys", "dynamodb:Attributes"
READS = {
    *("cloudformation:DescribeStacks", "s3:GetObject"),
    *("dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:Scan"),
}
ORDERS, OWED = {"B*", "S*"}, {"merchant:*", "deposit:*", "fee:*"}
MONEY = {"funding:*", "proposals"}
WRITTEN = {
    ("SupportPolicy", "UpdateItem", "OrdersTable"): ORDERS | {"open_buys:*"},
    ("SupportPolicy", "UpdateItem", "LedgerTable"): OWED,
    ("SupportPolicy", "PutItem", "LedgerTable"): OWED | {"trader:*"},
    ("SupportPolicy", "PutItem", "AuditTable"): {"audit#*"},
    ("SupportPolicy", "PutItem", "CallbacksTable"): {"msg_*"},
    ("FinancePolicy", "PutItem", "MerchantsTable"): {"merchant#*"},
    ("FinancePolicy", "UpdateItem", "MerchantsTable"): {"merchant#*", "rates"},
    ("FinancePolicy", "UpdateItem", "LedgerTable"): MONEY,
    ("FinancePolicy", "PutItem", "LedgerTable"): MONEY,
}
# Support sets a trader's duty, finance sets these terms.
TERMS_OF_TRADERS = {
    *("name", "mode", "shard", "created_at", "access_code_hash", "methods"),
    *("min_cny_fen", "max_cny_fen", "max_open", "daily_cap_fen", "unique_amounts"),
    *("own_limits", "methods_changed_at"),
}


INVOKE = "execute-api:Invoke"
ROLES = {Role.VIEWER: "ViewerPolicy", Role.SUPPORT: "SupportPolicy", Role.FINANCE: "FinancePolicy"}
STAGE = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${OperatorApi}/v1/POST/"
POLICY_CHARACTERS_MAX = 6_144  # without white space
POLICY_FRAME = 200  # its version, and the rest of the statement about commands


def all_of(policy: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = RESOURCES[policy]["Properties"]["PolicyDocument"]["Statement"]
    return listed


def statements(policy: str) -> list[dict[str, Any]]:
    """Return the statements about data."""
    return [each for each in all_of(policy) if each["Action"] != INVOKE]


def commands(policy: str) -> set[str]:
    """Return the commands that a policy names, each by its whole path."""
    (invokes,) = (each for each in all_of(policy) if each["Action"] == INVOKE)
    assert invokes["Effect"] == "Allow"
    assert set(invokes) == {"Sid", "Effect", "Action", "Resource"}
    (_, joined) = invokes["Resource"]["Fn::Split"]
    text, names = joined["Fn::Sub"]
    assert names == {"Call": {"Fn::Sub": STAGE}}
    named = text.split(" ")
    assert all(each.startswith("${Call}") for each in named)
    assert len(set(named)) == len(named)
    return {each.removeprefix("${Call}") for each in named}


@pytest.mark.parametrize("role", Role)
def test_a_role_may_call_its_commands(role: Role) -> None:
    known = {name for name, command in COMMANDS.items() if command.role is role}
    assert known <= commands(ROLES[role])


def test_no_command_is_in_two_policies() -> None:
    named = [name for policy in POLICIES for name in commands(policy)]
    assert len(set(named)) == len(named)


def test_no_policy_has_a_wildcard_or_the_path_without_a_second_person() -> None:
    for policy in POLICIES:
        assert not any("*" in name or "/" in name for name in commands(policy))


@pytest.mark.parametrize("policy", POLICIES)
def test_a_policy_is_not_too_long_for_iam(policy: str) -> None:
    # the longest partition and region, the account and the id of an API instead of their names
    call = STAGE.replace("${AWS::Partition}", "aws-cn").replace("${AWS::Region}", "ap-southeast-1")
    call = call.replace("${AWS::AccountId}", "0" * 12).replace("${OperatorApi}", "0" * 10)
    resources = [call + name for name in commands(policy)]
    others = [each for each in all_of(policy) if each["Action"] != INVOKE]
    text = json.dumps([*others, {"Resource": resources}]).replace(" ", "")
    assert len(text) + POLICY_FRAME <= POLICY_CHARACTERS_MAX


def all_statements() -> Iterator[tuple[str, dict[str, Any]]]:
    for policy in POLICIES:
        yield from ((policy, statement) for statement in statements(policy))


@pytest.mark.parametrize("policy", POLICIES)
def test_cloudformation_names_a_policy_and_an_output_has_its_arn(policy: str) -> None:
    assert "ManagedPolicyName" not in RESOURCES[policy]["Properties"]
    assert OUTPUTS[f"{policy}Arn"]["Value"] == {"Ref": policy}
    attached = {"Users", "Groups", "Roles"} & RESOURCES[policy]["Properties"].keys()
    assert not attached, "the account attaches it to its operators"


def test_a_statement_allows_one_action_on_one_resource() -> None:
    sids = [statement["Sid"] for _, statement in all_statements()]
    assert len(set(sids)) == len(sids)
    for _, statement in all_statements():
        assert statement["Effect"] == "Allow"
        assert isinstance(statement["Action"], str)
        assert "*" not in statement["Action"]
        (how,) = statement["Resource"]
        assert how in {"Fn::GetAtt", "Fn::Sub"}


def test_viewers_only_read() -> None:
    assert {statement["Action"] for statement in statements("ViewerPolicy")} == READS


def test_a_role_writes_its_own_kinds_of_items_only() -> None:
    written = {}
    for policy, statement in all_statements():
        action = statement["Action"].removeprefix("dynamodb:")
        if action not in {"PutItem", "UpdateItem"}:
            assert action not in {"DeleteItem", "BatchWriteItem", "PartiQLInsert"}
            continue
        table, _ = statement["Resource"]["Fn::GetAtt"]
        if table == "TradersTable":
            continue
        condition = statement["Condition"]
        assert condition["Null"][LEADING_KEYS] == "false"
        written[policy, action, table] = set(condition["ForAllValues:StringLike"][LEADING_KEYS])
    assert written == WRITTEN


def test_support_writes_no_terms_of_traders() -> None:
    """Every attribute of a trader is written either by support or by finance."""
    (settles,) = (s for s in statements("SupportPolicy") if s["Sid"] == "SettleTrader")
    names = set(settles["Condition"]["ForAllValues:StringEquals"][ATTRIBUTES])
    assert settles["Condition"]["Null"] == {ATTRIBUTES: "false"}
    amounts = frozenset({"bank:100"})
    trader = Trader("t1", "甲", Mode.LIVE, True, False, 1, 2, None, None, (), True, amounts)
    of_claims = {"open_amounts"}  # a string set that claims create and moves remove from
    assert names | TERMS_OF_TRADERS == trader_item(trader, 0).keys() | of_claims
    assert not names & TERMS_OF_TRADERS


def test_an_audit_entry_is_appended_in_the_transaction_of_its_action() -> None:
    touching = [s for _, s in all_statements() if "AuditTable" in str(s["Resource"])]
    assert [s["Action"] for s in touching] == ["dynamodb:Query", "dynamodb:PutItem"]
    together = {"dynamodb:EnclosingOperation": ["TransactWriteItems"]}
    assert touching[1]["Condition"]["ForAllValues:StringEquals"] == together


def test_only_finance_uses_secrets_and_for_their_two_purposes() -> None:
    purposes = {"StringEquals": {"kms:EncryptionContext:purpose": ["api", "callback"]}}
    of_keys = [(policy, s) for policy, s in all_statements() if s["Action"].startswith("kms:")]
    assert {(policy, s["Action"]) for policy, s in of_keys} == {
        ("FinancePolicy", "kms:Decrypt"),
        ("FinancePolicy", "kms:Encrypt"),
    }
    for _, statement in of_keys:
        assert statement["Condition"] == purposes
        assert statement["Resource"] == {"Fn::GetAtt": ["SecretsKey", "Arn"]}
