"""The resources of a stack with each of the parameters that switch something on.

`test_deploy_proof.py` shows that every pair of them deploys.
"""

import json
import re
from typing import Any

import pytest

from local.places import SAM_BIN
from tests.infra.translated import made, translated
from tests.support.built_functions import FUNCTIONS
from tests.support.template import template
from tools.deploy.proof.deployment import broken_rules

TOPIC = "arn:aws:sns:ap-east-1:123456789012:operators"
DOMAIN = {
    "DomainName": "api.example.com",
    "CertificateArn": "arn:aws:acm:ap-east-1:123456789012:certificate/1-2",
    "PublicBaseUrl": "https://api.example.com",
}
LIMITS = ["MaxReadRequestUnits", "MaxWriteRequestUnits"]
WARM = {"WarmReadUnits": "13000", "WarmWriteUnits": "5000"}
BUDGET = {"MonthlyBudget": "500", "AlarmEmail": "ops@example.com"}


def broken(chosen: dict[str, str]) -> list[str]:
    return list(broken_rules(template(), chosen))


def kinds(**chosen: str) -> set[str]:
    return {resource["Type"] for resource in made(**chosen).values()}


def test_the_default_stack_has_no_optional_resources() -> None:
    assert not kinds() & {
        *("AWS::ApiGateway::Account", "AWS::ApiGateway::DomainName", "AWS::Budgets::Budget"),
        *("AWS::CodeDeploy::Application", "AWS::CodeDeploy::DeploymentGroup"),
        *("AWS::WAFv2::WebACL",),
    }
    tables = [each["Properties"] for each in of_type("AWS::DynamoDB::Table").values()]
    assert not any({"OnDemandThroughput", "WarmThroughput"} & table.keys() for table in tables)
    assert "AccessLogSetting" not in made()["Apiv1Stage"]["Properties"]


def of_type(kind: str, **chosen: str) -> dict[str, Any]:
    return {name: each for name, each in made(**chosen).items() if each["Type"] == kind}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_new_code_shifts_gradually_and_an_alarm_rolls_it_back(function: str) -> None:
    resources = made(Gradual="true")
    group = resources[f"{function}DeploymentGroup"]["Properties"]
    (_, named) = group["DeploymentConfigName"]["Fn::Sub"]
    assert named == {"ConfigName": "Canary10Percent5Minutes"}
    assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]
    alarms = {alarm["Name"]["Ref"] for alarm in group["AlarmConfiguration"]["Alarms"]}
    assert group["AlarmConfiguration"]["Enabled"] is True
    assert {f"{function.removesuffix('Function')}ErrorsAlarm", "InternalErrorsAlarm"} <= alarms
    assert alarms <= resources.keys()
    alias = resources[f"{function}Aliaslive"]
    moved = alias["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]
    assert moved["DeploymentGroupName"] == {"Ref": f"{function}DeploymentGroup"}
    assert "UpdatePolicy" not in made()[f"{function}Aliaslive"]


def test_codedeploy_uses_the_stacks_own_role() -> None:
    groups = of_type("AWS::CodeDeploy::DeploymentGroup", Gradual="true").values()
    roles = {group["Properties"]["ServiceRoleArn"]["Fn::GetAtt"][0] for group in groups}
    assert roles == {"RolloutRole"}
    assert "CodeDeployServiceRole" not in made(Gradual="true")
    assert "RolloutRole" not in made()


def alias_of(function: str) -> dict[str, str]:
    return {"Ref": f"{function}FunctionAliaslive"}


def test_every_event_invokes_the_alias() -> None:
    """A caller of the function itself gets new code at once, and keeps it after a rollback."""
    resources = made(Gradual="true")
    for mapping in of_type("AWS::Lambda::EventSourceMapping").values():
        assert mapping["Properties"]["FunctionName"]["Ref"].endswith("FunctionAliaslive")
    for schedule in of_type("AWS::Scheduler::Schedule").values():
        assert schedule["Properties"]["Target"]["Arn"]["Ref"].endswith("FunctionAliaslive")
    body = json.dumps(resources["Api"]["Properties"]["Body"]["paths"])
    called = set(re.findall(r"functions/\$\{(\w+)\.?\w*\}/invocations", body))
    assert called
    assert all(name.endswith("FunctionAliaslive") for name in called)
    for function in ("AdvanceTestOrder", "PayPage", "TraderDesk"):
        variables = resources[f"{function}Function"]["Properties"]["Environment"]["Variables"]
        assert variables["RENDER_RECEIPT_FUNCTION"] == alias_of("RenderReceipt")


def test_a_failed_run_of_the_alias_is_not_retried() -> None:
    for config in of_type("AWS::Lambda::EventInvokeConfig").values():
        assert config["Properties"]["Qualifier"] == "live"
        assert config["Properties"]["MaximumRetryAttempts"] == 0


@pytest.mark.parametrize("given", ["DomainName", "CertificateArn"])
def test_a_domain_needs_a_certificate(given: str) -> None:
    assert any("needs" in says for says in broken({given: DOMAIN[given]}))


def test_a_domain_needs_a_public_base_url() -> None:
    assert broken(DOMAIN) == []
    (says,) = broken({**DOMAIN, "PublicBaseUrl": ""})
    assert "PublicBaseUrl" in says


def test_a_domain_disables_the_execute_api_url() -> None:
    for chosen, is_off in ((DOMAIN, True), ({}, False)):
        (server,) = made(**chosen)["Api"]["Properties"]["Body"]["servers"]
        endpoint = server["x-amazon-apigateway-endpoint-configuration"]
        assert endpoint == {"disableExecuteApiEndpoint": is_off}
    mapping = made(**DOMAIN)["ApiDomainMapping"]["Properties"]
    assert mapping["Stage"] == {"Ref": "Apiv1Stage"}
    assert "BasePath" not in mapping, "the paths that merchants sign begin at the root"
    domain = made(**DOMAIN)["ApiDomain"]["Properties"]
    assert domain["SecurityPolicy"] == "TLS_1_2"
    assert domain["EndpointConfiguration"] == {"Types": ["REGIONAL"]}


def test_the_stage_waits_for_the_accounts_log_role() -> None:
    resources = made(AccountLogRole="true", AccessLogs="true")
    tags = resources["AccessLogGroup"]["Properties"]["Tags"]
    assert tags == [{"Key": "api-gateway-account", "Value": {"Ref": "ApiGatewayAccount"}}]
    destination = resources["Apiv1Stage"]["Properties"]["AccessLogSetting"]["DestinationArn"]
    assert destination == {"Fn::GetAtt": ["AccessLogGroup", "Arn"]}
    account = resources["ApiGatewayAccount"]
    assert account["DeletionPolicy"] == "RetainExceptOnCreate", "other stacks use it too"


def test_the_audit_table_of_a_failed_first_deployment_can_be_deleted() -> None:
    for protects, is_denied in (("true", True), ("false", False)):
        audit = made(ProtectTables=protects)["AuditTable"]["Properties"]
        denied = audit["ResourcePolicy"]["PolicyDocument"]["Statement"][0]["Action"]
        assert ("dynamodb:DeleteTable" in denied) is is_denied
        assert audit["DeletionProtectionEnabled"] is is_denied


def test_a_region_on_standby_moves_no_order_and_relays_no_change() -> None:
    """Its tables receive replicas, whose stream records would become callbacks again."""
    for chosen, state in (({}, "ENABLED"), ({"Standby": "true"}, "DISABLED")):
        schedules = of_type("AWS::Scheduler::Schedule", **chosen)
        assert {each["Properties"]["State"] for each in schedules.values()} == {state}
        streams = [
            each["Properties"]
            for each in of_type("AWS::Lambda::EventSourceMapping", **chosen).values()
            if "StartingPosition" in each["Properties"]
        ]
        assert [each["Enabled"] for each in streams] == [state == "ENABLED"]
    silent = {name for name in made(Standby="true") if name.endswith("SilentAlarm")}
    assert silent == set()


def test_every_key_can_have_replicas() -> None:
    keys = of_type("AWS::KMS::Key").values()
    assert {each["Properties"]["MultiRegion"] for each in keys} == {True}


HOT = {"TradersTable", "OrdersTable", "LedgerTable", "GuardsTable"}


@pytest.mark.parametrize("limits", [LIMITS[:1], LIMITS])
def test_a_limit_applies_to_every_table_and_index(limits: list[str]) -> None:
    chosen, wanted = dict.fromkeys(limits, "4000"), {name: {"Ref": name} for name in limits}
    for table in of_type("AWS::DynamoDB::Table", **chosen).values():
        properties = table["Properties"]
        for each in (properties, *properties.get("GlobalSecondaryIndexes", [])):
            assert each["OnDemandThroughput"] == wanted


def test_the_hot_tables_and_their_indexes_have_warm_throughput() -> None:
    tables = of_type("AWS::DynamoDB::Table", **WARM)
    warm = {name for name, each in tables.items() if "WarmThroughput" in each["Properties"]}
    assert warm == HOT
    cold = {
        index["IndexName"]
        for name in HOT
        for index in tables[name]["Properties"].get("GlobalSecondaryIndexes", [])
        if "WarmThroughput" not in index
    }
    assert cold == {"access_code"}, "a login reads it, a new trader writes it"
    (says,) = broken({"WarmReadUnits": "13000"})
    assert "both" in says


def test_every_region_has_every_type_and_a_rule_names_those_without_budgets() -> None:
    """CloudFormation refuses a type that a region does not have: "Unrecognized resource types"."""
    (schemas,) = SAM_BIN.parent.glob("lib/python*/site-packages/cfnlint/data/schemas/providers")
    used = {each["Type"] for each in translated("true")["Resources"].values()}
    for file in schemas.glob("*-*-[0-9].json"):
        missing = used - json.loads(file.read_text("utf-8")).keys()
        says = list(broken_rules(template(), BUDGET, region=file.stem))
        if "iso" not in file.stem:  # the regions of intelligence services
            assert missing <= {"AWS::Budgets::Budget"}, file.stem
            assert [text[:20] for text in says] == ["MonthlyBudget is not"] * len(missing)


def test_a_budget_has_its_own_name_and_a_subscriber() -> None:
    (says,) = broken({"MonthlyBudget": "500"})
    assert says.startswith("MonthlyBudget needs")
    for chosen, kind in (
        (BUDGET, "EMAIL"),
        ({"MonthlyBudget": "500", "AlarmTopicArn": TOPIC}, "SNS"),
    ):
        assert broken(chosen) == []
        budget = made(**chosen)["Budget"]["Properties"]
        assert "${AWS::StackName}" in budget["Budget"]["BudgetName"]["Fn::Sub"]
        notified = budget["NotificationsWithSubscribers"]
        assert {each["Subscribers"][0]["SubscriptionType"] for each in notified} == {kind}
