"""The operators' managed policies in the template (contract section 10)."""

import json
from typing import Any

import pytest

from orderdesk.web.operator.declare import Role
from orderdesk.web.operator.endpoint import COMMANDS
from tests.support.template import template

RESOURCES = template()["Resources"]
OUTPUTS = template()["Outputs"]
POLICIES = ("ViewerPolicy", "SupportPolicy", "FinancePolicy")
INVOKE = "execute-api:Invoke"
ROLES = {Role.VIEWER: "ViewerPolicy", Role.SUPPORT: "SupportPolicy", Role.FINANCE: "FinancePolicy"}
STAGE = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${OperatorApi}/v1/POST/"
STACK = (
    "arn:${AWS::Partition}:cloudformation:${AWS::Region}:${AWS::AccountId}"
    ":stack/${AWS::StackName}/*"
)
POLICY_CHARACTERS_MAX = 6_144  # without white space
POLICY_FRAME = 200  # its version, and the rest of the statement about commands


def all_of(policy: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = RESOURCES[policy]["Properties"]["PolicyDocument"]["Statement"]
    return listed


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
    """No policy has a wildcard, a command of another one, or the path without a second person."""
    known = {name for name, command in COMMANDS.items() if command.role is role}
    assert commands(ROLES[role]) == known


@pytest.mark.parametrize("policy", POLICIES)
def test_a_policy_is_not_too_long_for_iam(policy: str) -> None:
    # the longest partition and region, the account and the id of an API instead of their names
    call = STAGE.replace("${AWS::Partition}", "aws-cn").replace("${AWS::Region}", "ap-southeast-1")
    call = call.replace("${AWS::AccountId}", "0" * 12).replace("${OperatorApi}", "0" * 10)
    resources = [call + name for name in commands(policy)]
    others = [each for each in all_of(policy) if each["Action"] != INVOKE]
    text = json.dumps([*others, {"Resource": resources}]).replace(" ", "")
    assert len(text) + POLICY_FRAME <= POLICY_CHARACTERS_MAX


@pytest.mark.parametrize("policy", POLICIES)
def test_cloudformation_names_a_policy_and_an_output_has_its_arn(policy: str) -> None:
    assert "ManagedPolicyName" not in RESOURCES[policy]["Properties"]
    assert OUTPUTS[f"{policy}Arn"]["Value"] == {"Ref": policy}
    attached = {"Users", "Groups", "Roles"} & RESOURCES[policy]["Properties"].keys()
    assert not attached, "the account attaches it to its operators"


@pytest.mark.parametrize("policy", POLICIES)
def test_a_policy_allows_commands_and_finding_the_stack_and_nothing_else(policy: str) -> None:
    find, invoke = all_of(policy)
    assert (find["Action"], invoke["Action"]) == ("cloudformation:DescribeStacks", INVOKE)
    assert find["Resource"] == {"Fn::Sub": STACK}
