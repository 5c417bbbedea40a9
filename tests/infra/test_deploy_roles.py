"""The roles of the deployment workflow may deploy the template, and may not touch its data."""

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

import pytest

from local.places import SAM_BIN
from local.templates import read_template
from orderdesk_cli.doctor import actions_of
from tests.infra.translated import translated
from tests.support.template import ROOT
from tools.deploy.proof.quotas import MANAGED_POLICY_MAX, ROLE_POLICIES_MAX

ROLES: dict[str, Any] = read_template(ROOT / "tools" / "deploy" / "roles.yaml")["Resources"]
# What AWS's schemas list for features and services that the template does not use.
NOT_USED = re.compile(
    r"(amplify|apprunner|appsync|bedrock-agentcore|billing|cognito-idp|ec2|elasticfilesystem"
    r"|elasticloadbalancing|firehose|kinesis|payments|s3files|s3tables):.*"
    # replicas, imports and Kinesis streams of a table; its items
    r"|dynamodb:(AssociateTableReplica|CreateTableReplica|(Describe)?Import(Table)?"
    r"|(Disable|Enable|Update)KinesisStreamingDestination|UpdateContributorInsights"
    r"|BatchWriteItem|DeleteItem|GetItem|PutItem|Query|Scan|UpdateItem)"
    # DynamoDB uses the key that AWS manages; a layer, an alarm or a group has no key of ours
    r"|kms:(Decrypt|Encrypt|GenerateDataKey|RevokeGrant)"
    r"|iam:(AttachGroupPolicy|AttachUserPolicy|DetachGroupPolicy|DetachUserPolicy"
    r"|DeleteRolePermissionsBoundary)"
    r"|codedeploy:RegisterOnPremisesInstance"
    r"|lambda:(AssociateRuntimeAlias|.*CodeSigningConfig|.*ScalingConfig"
    r"|PassCapacityProvider|PutProvisionedConcurrencyConfig)"
    r"|logs:(CreateLogStream|PutLogEvents|DescribeLogStreams|(Dis)?[Aa]ssociateKmsKey"
    r"|.*ResourcePolicy|(Delete|Put)(DataProtection|Index)Policy|PutBearerTokenAuthentication"
    r"|PutLogGroupDeletionProtection)"
    r"|s3:(REST\..*|GetObjectMetadata|DeleteObject|PutObjectAcl|PutObjectLockConfiguration"
    r"|.*(MetadataTable|Analytics|Metrics|Acl|Abac|CORS|Cors|Website|Logging|Notification"
    r"|Accelerate|IntelligentTiering|Inventory|Replication|Journal|Annotation|Metadata)"
    r"(Table)?(Configuration)?)|s3:DeleteBucket(Encryption|Lifecycle)"
    r"|sns:PutDataProtectionPolicy|wafv2:(Get|Put)PermissionPolicy"
)
# Actions on data: items, objects, messages, plaintext, and calls of functions.
ON_DATA = re.compile(
    r"dynamodb:(.*Item|Query|Scan|PartiQL.*|Restore.*|Export.*|.*Stream|GetRecords)"
    r"|kms:(Decrypt|Encrypt|ReEncrypt.*|Generate.*|Sign|Verify.*)"
    r"|s3:(Get|Put|Delete)Object.*|sqs:(SendMessage|ReceiveMessage|DeleteMessage)"
    r"|lambda:Invoke.*|execute-api:.*|secretsmanager:GetSecretValue|logs:(GetLogEvents|FilterLog.*)"
)


def statements(role: str) -> Iterator[dict[str, Any]]:
    properties = ROLES[role]["Properties"]
    for policy in properties.get("Policies", [properties]):
        if "PolicyDocument" in policy:
            yield from policy["PolicyDocument"]["Statement"]
    for attached in properties.get("ManagedPolicyArns", []):
        if "Ref" in attached:
            yield from statements(attached["Ref"])


def allowed(role: str) -> set[str]:
    return actions_of({"Statement": list(statements(role))})


@cache
def needed() -> dict[str, set[str]]:
    """Return what CloudFormation calls for each type of resource, as AWS's schemas list it."""
    (schemas,) = SAM_BIN.parent.glob("lib/python*/site-packages/cfnlint/data/schemas")
    files = json.loads((schemas / "providers" / "us-east-1.json").read_text("utf-8"))
    found = {}
    for kind in {each["Type"] for each in translated("true")["Resources"].values()}:
        schema = json.loads((schemas / "resources" / f"{files[kind]}.json").read_text("utf-8"))
        calls = [
            schema["handlers"].get(each, {}) for each in ("create", "read", "update", "delete")
        ]
        found[kind] = {action for call in calls for action in call.get("permissions", [])}
    return found


def test_cloudformation_may_create_change_and_delete_every_kind() -> None:
    patterns = allowed("ExecutionRole")
    refused = []
    for kind, actions in needed().items():
        wanted = {action for action in actions if not NOT_USED.fullmatch(action)}
        assert wanted, f"{kind} needs something"
        refused += [(kind, a) for a in wanted if not any(fnmatchcase(a, p) for p in patterns)]
    assert sorted(refused) == []


def test_nothing_is_allowed_that_no_resource_needs() -> None:
    """Except what a rule of AWS's documentation adds to the schemas."""
    wanted = {action for actions in needed().values() for action in actions}
    added = {"iam:CreateServiceLinkedRole", "logs:GetLogDelivery", "logs:ListLogDeliveries"}
    added |= {"logs:UpdateLogDelivery", "lambda:PutFunctionConcurrency"}
    unused = {p for p in allowed("ExecutionRole") if not any(fnmatchcase(a, p) for a in wanted)}
    assert unused - added == set()


def test_every_name_is_the_stacks_own() -> None:
    """The resource "*" is left to actions that know no name before."""
    free = {each["Sid"] for each in statements("ExecutionRole") if each["Resource"] == "*"}
    assert free == {
        *("ManageKeys", "EncryptTables", "ManageMappings", "DeliverAccessLogs", "WithoutNames")
    }


def test_the_stacks_name_is_whole_in_the_names_of_its_roles() -> None:
    """Of a longer one CloudFormation keeps 25 characters, and no statement names such a role."""
    whole: dict[str, Any] = read_template(ROOT / "tools" / "deploy" / "roles.yaml")
    assert whole["Parameters"]["StackName"]["MaxLength"] <= 24


def test_an_action_that_accepts_no_resource_names_none() -> None:
    """IAM compares "*" then, and a statement with a name never allows it.

    AWS lists cloudwatch:DescribeAlarms with alarms, but asks for `alarm:*`.
    """
    (data,) = SAM_BIN.parent.glob("lib/python*/site-packages/cfnlint/data/AdditionalSpecs")
    services = json.loads((data / "Policies.json").read_text("utf-8"))
    for each in statements("ExecutionRole"):
        for action in actions_of({"Statement": [each]}) if each["Resource"] != "*" else ():
            service, _, pattern = action.lower().partition(":")
            known = services[service]["Actions"].items()
            accepted = [at.get("Resources") for name, at in known if fnmatchcase(name, pattern)]
            assert accepted, action
            assert all(accepted), f"{action} accepts no resource"
            assert action != "cloudwatch:DescribeAlarms"


@pytest.mark.parametrize("role", ["PreviewRole", "DeployRole", "ExecutionRole"])
def test_no_role_may_touch_data(role: str) -> None:
    for each in statements(role):
        on_data = {a for a in actions_of({"Statement": [each]}) if ON_DATA.fullmatch(a)}
        if on_data:
            assert "aws-sam-cli-managed-default-" in each["Resource"]["Fn::Sub"], on_data


def test_in_prod_one_role_creates_change_sets_and_another_executes_them() -> None:
    creates, executes = "cloudformation:CreateChangeSet", "cloudformation:ExecuteChangeSet"
    assert (creates in allowed("PreviewRole"), executes in allowed("PreviewRole")) == (True, False)
    assert (creates in allowed("DeployRole"), executes in allowed("DeployRole")) == (False, True)
    read, added = ROLES["DeployRole"]["Properties"]["ManagedPolicyArns"]
    assert (read, added["Fn::If"][0]) == ({"Ref": "ReadPolicy"}, "IsStaging")
    created = next(each for each in statements("PreviewRole") if each["Sid"] == "CreateChangeSet")
    assert created["Condition"]["ArnEquals"]["cloudformation:RoleArn"]


def test_each_role_trusts_one_environment() -> None:
    for role, ending in (("PreviewRole", "-preview"), ("DeployRole", "")):
        (trust,) = ROLES[role]["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        subject = trust["Condition"]["StringEquals"]["token.actions.githubusercontent.com:sub"]
        assert subject == {"Fn::Sub": f"repo:${{Repository}}:environment:${{Environment}}{ending}"}


def test_the_reads_of_doctor_and_preflight_are_allowed() -> None:
    modules = (ROOT / "cli" / "orderdesk_cli" / f"{name}.py" for name in ("doctor", "preflight"))
    source = "".join(module.read_text("utf-8") for module in modules)
    calls = re.findall(r'\.(?:found|pages)\(\s*"([\w-]+)", "(\w+)"', source)
    calls += re.findall(r'\.client\("([\w-]+)"\)\.(?!get_paginator|meta)(\w+)\(', source)
    assert ("lambda", "get_function_concurrency") in calls
    for service, call in calls:
        action = f"{service}:{''.join(word.title() for word in call.split('_'))}"
        other = {"apigateway": "apigateway:GET", "sts": "cloudformation:DescribeStacks"}
        assert other.get(service, action) in allowed("DeployRole"), action


def test_no_other_read_of_the_account_is_allowed() -> None:
    """Except what `sam deploy` reads; API Gateway has one action for all reads."""
    modules = (ROOT / "cli" / "orderdesk_cli" / f"{name}.py" for name in ("doctor", "preflight"))
    words = set(re.findall(r"\w+", "".join(module.read_text("utf-8") for module in modules)))
    (reads,) = (each["Action"] for each in statements("ReadPolicy") if each["Sid"] == "ReadAccount")
    calls = {each: re.sub(r"\B(?=[A-Z])", "_", each.partition(":")[2]).lower() for each in reads}
    unused = {action for action, call in calls.items() if call not in words}
    assert unused == {"apigateway:GET", "cloudformation:GetTemplateSummary"}


def test_the_policies_fit_iams_limits() -> None:
    for name, each in ROLES.items():
        policies = each["Properties"].get("Policies", [])
        size = sum(len(re.sub(r"\s", "", json.dumps(p["PolicyDocument"]))) for p in policies)
        assert size <= ROLE_POLICIES_MAX, name
        if each["Type"] == "AWS::IAM::ManagedPolicy":
            written = re.sub(r"\s", "", json.dumps(each["Properties"]["PolicyDocument"]))
            assert len(written) <= MANAGED_POLICY_MAX, name


# AWS's managed policy of API Gateway's logs, which the template attaches.
LOG_POLICY = {
    *("logs:CreateLogGroup", "logs:CreateLogStream", "logs:DescribeLogGroups"),
    *("logs:DescribeLogStreams", "logs:PutLogEvents", "logs:GetLogEvents", "logs:FilterLogEvents"),
}


def test_every_role_of_the_stack_has_the_boundary() -> None:
    bound = {"Fn::If": ["HasBoundary", {"Ref": "PermissionsBoundary"}, {"Ref": "AWS::NoValue"}]}
    for name, each in translated("true")["Resources"].items():
        if each["Type"] == "AWS::IAM::Role":
            assert each["Properties"]["PermissionsBoundary"] == bound, name


def test_the_boundary_takes_no_right_from_a_role_and_has_no_other() -> None:
    used = set(LOG_POLICY)
    for each in translated("true")["Resources"].values():
        if each["Type"] == "AWS::IAM::Role":
            for policy in each["Properties"].get("Policies", []):
                document = json.dumps(policy["PolicyDocument"])
                used |= set(re.findall(r'"([a-z0-9]+:[A-Z]\w+)"', document))
    used -= {"dynamodb:LeadingKeys", "dynamodb:Attributes", "dynamodb:EnclosingOperation"}
    assert allowed("Boundary") == {action for action in used if not action.startswith("aws:")}


def test_rights_are_granted_only_within_the_boundary() -> None:
    """A role without the boundary can have other rights, so no action grants or removes one."""
    giving = {"iam:CreateRole", "iam:PutRolePolicy", "iam:AttachRolePolicy"}
    giving |= {"iam:PutRolePermissionsBoundary", "iam:DeleteRolePolicy", "iam:DetachRolePolicy"}
    for each in statements("ExecutionRole"):
        if giving & actions_of({"Statement": [each]}):
            assert each["Condition"]["ArnEquals"]["iam:PermissionsBoundary"] == {"Ref": "Boundary"}
    assert not {"iam:DeleteRolePermissionsBoundary", "iam:*"} & allowed("ExecutionRole")
    (kept,) = ROLES["KeepsOwnRoles"]["Properties"]["PolicyDocument"]["Statement"]
    assert (kept["Effect"], kept["Action"]) == ("Deny", "iam:*")
    assert {"Fn::GetAtt": ["ExecutionRole", "Arn"]} in kept["Resource"]


def test_no_role_may_change_the_boundary() -> None:
    named = ROLES["Boundary"]["Properties"]["ManagedPolicyName"]["Fn::Sub"]
    assert not named.startswith("${StackName}-")
    for each in statements("ExecutionRole"):
        if "iam:CreatePolicyVersion" in actions_of({"Statement": [each]}):
            assert each["Resource"]["Fn::Sub"].endswith(":policy/${StackName}-*")
