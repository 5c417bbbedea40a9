"""What the template makes of the parameters that switch something on, as CloudFormation gets it."""

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from ministack.services.cloudformation import engine  # type: ignore[import-untyped]

from tests.support.template import template
from tests.support.translated import declared_values, made

TOPIC = "arn:aws:sns:ap-east-1:123456789012:operators"
DOMAIN = {
    "DomainName": "api.example.com",
    "CertificateArn": "arn:aws:acm:ap-east-1:123456789012:certificate/1-2",
    "PublicBaseUrl": "https://api.example.com",
}
SWITCHES: dict[str, dict[str, str]] = {
    "gradual": {"Gradual": "true"},
    "domain": DOMAIN,
    "access logs": {"AccessLogs": "true"},
    "account's role": {"AccountLogRole": "true"},
    "limits": {"MaxReadRequestUnits": "4000", "MaxWriteRequestUnits": "2000"},
    "warm": {"WarmReadUnits": "13000", "WarmWriteUnits": "5000"},
    "budget": {"MonthlyBudget": "500", "AlarmEmail": "ops@example.com"},
    "snapshots": {"SnapStart": "true"},
    "web acl": {"WebAcl": "true"},
    "another topic": {"AlarmTopicArn": TOPIC},
    "secret": {
        "IdentityProvider": "tencent",
        "TencentSecretArn": "arn:aws:secretsmanager:ap-east-1:123456789012:secret:t-AbC123",
    },
}
# The last one needs the alarms' own topic, which the tenth takes away.
TOGETHER = [
    pair for pair in itertools.combinations(SWITCHES, 2) if pair != ("budget", "another topic")
]
COMBINATIONS = [(), *((each,) for each in SWITCHES), *TOGETHER]


def parameters(switched_on: tuple[str, ...]) -> dict[str, str]:
    return {name: value for each in switched_on for name, value in SWITCHES[each].items()}


def references(value: Any) -> Iterator[str]:
    """Name what a value refers to, at any depth."""
    match value:
        case {"Ref": str(name)} | {"Fn::GetAtt": [str(name), *_]}:
            yield name
        case {"Fn::Sub": str(text)} | {"Fn::Sub": [str(text), _]}:
            written = value["Fn::Sub"]
            given = {} if isinstance(written, str) else written[1]
            names = re.findall(r"\$\{([\w:]+)", text)
            yield from (name for name in names if name not in given)
            yield from references(given)
        case dict():
            for each in value.values():
                yield from references(each)
        case list():
            for each in value:
                yield from references(each)


@pytest.mark.parametrize("switched_on", COMBINATIONS, ids=lambda names: "+".join(names) or "none")
def test_nothing_refers_to_what_is_not_made(switched_on: tuple[str, ...]) -> None:
    chosen = parameters(switched_on)
    engine._evaluate_rules(template(), declared_values(**chosen), {})
    resources = made(**chosen)
    known = {*resources, *template()["Parameters"]}
    for logical_id, resource in resources.items():
        without = {name: each for name, each in resource.items() if name != "DependsOn"}
        unknown = {name for name in references(without) if not name.startswith("AWS::")} - known
        assert not unknown, logical_id


def kinds(**chosen: str) -> set[str]:
    return {resource["Type"] for resource in made(**chosen).values()}


def test_by_default_it_makes_nothing_that_has_to_be_asked_for() -> None:
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


FUNCTIONS = sorted(of_type("AWS::Lambda::Function"))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_new_code_comes_by_steps_and_an_alarm_takes_it_back(function: str) -> None:
    resources = made(Gradual="true")
    group = resources[f"{function}DeploymentGroup"]["Properties"]
    (configuration,) = {"LambdaCanary10Percent5Minutes"} & {
        f"Lambda{group['DeploymentConfigName']['Fn::Sub'][1]['ConfigName']}"
    }
    assert configuration
    assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]
    alarms = {alarm["Name"]["Ref"] for alarm in group["AlarmConfiguration"]["Alarms"]}
    assert group["AlarmConfiguration"]["Enabled"] is True
    assert {f"{function.removesuffix('Function')}ErrorsAlarm", "InternalErrorsAlarm"} <= alarms
    assert alarms <= resources.keys()
    alias = resources[f"{function}Aliaslive"]
    moved = alias["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]
    assert moved["DeploymentGroupName"] == {"Ref": f"{function}DeploymentGroup"}
    assert "UpdatePolicy" not in made()[f"{function}Aliaslive"]


def test_codedeploy_has_no_role_but_the_stacks_own() -> None:
    groups = of_type("AWS::CodeDeploy::DeploymentGroup", Gradual="true").values()
    roles = {group["Properties"]["ServiceRoleArn"]["Fn::GetAtt"][0] for group in groups}
    assert roles == {"RolloutRole"}
    assert "CodeDeployServiceRole" not in made(Gradual="true")
    assert "RolloutRole" not in made()


def alias_of(function: str) -> dict[str, str]:
    return {"Ref": f"{function}FunctionAliaslive"}


def test_every_kind_of_event_calls_the_alias() -> None:
    """What calls the function itself would get new code at once, and keep it after a rollback."""
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


def test_a_failed_run_of_the_alias_is_not_repeated() -> None:
    for config in of_type("AWS::Lambda::EventInvokeConfig").values():
        assert config["Properties"]["Qualifier"] == "live"
        assert config["Properties"]["MaximumRetryAttempts"] == 0


@pytest.mark.parametrize("given", ["DomainName", "CertificateArn"])
def test_a_domain_has_a_certificate(given: str) -> None:
    with pytest.raises(ValueError, match="needs"):
        asserted(**{given: DOMAIN[given]})


def test_a_domain_has_a_public_address() -> None:
    asserted(**DOMAIN)
    with pytest.raises(ValueError, match="PublicBaseUrl"):
        asserted(**{**DOMAIN, "PublicBaseUrl": ""})


def test_behind_a_domain_the_apis_own_address_is_off() -> None:
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


def test_the_stages_id_does_not_depend_on_a_parameter() -> None:
    """AWS::LanguageExtensions resolves parameters before SAM names the stage."""
    assert template()["Resources"]["Api"]["Properties"]["StageName"] == "v1"
    for address in (DOMAIN, {}):
        stages = of_type("AWS::ApiGateway::Stage", **address)
        assert stages.keys() == {"Apiv1Stage"}


HOT = {"TradersTable", "OrdersTable", "LedgerTable", "GuardsTable"}


@pytest.mark.parametrize(
    ("chosen", "wanted"),
    [
        (
            {"MaxReadRequestUnits": "4000"},
            {"MaxReadRequestUnits": {"Ref": "MaxReadRequestUnits"}},
        ),
        (
            SWITCHES["limits"],
            {name: {"Ref": name} for name in ("MaxReadRequestUnits", "MaxWriteRequestUnits")},
        ),
    ],
)
def test_a_limit_holds_for_every_table_and_index(
    chosen: dict[str, str], wanted: dict[str, Any]
) -> None:
    for table in of_type("AWS::DynamoDB::Table", **chosen).values():
        properties = table["Properties"]
        for each in (properties, *properties.get("GlobalSecondaryIndexes", [])):
            assert each["OnDemandThroughput"] == wanted


def test_the_tables_of_the_hot_path_are_warm_with_their_indexes() -> None:
    tables = of_type("AWS::DynamoDB::Table", **SWITCHES["warm"])
    warm = {name for name, each in tables.items() if "WarmThroughput" in each["Properties"]}
    assert warm == HOT
    cold = {
        index["IndexName"]
        for name in HOT
        for index in tables[name]["Properties"].get("GlobalSecondaryIndexes", [])
        if "WarmThroughput" not in index
    }
    assert cold == {"access_code"}, "it is read once a log-in, and written with a new trader"
    with pytest.raises(ValueError, match="both"):
        asserted(WarmReadUnits="13000")


def test_a_budget_has_a_name_of_its_own_and_a_listener() -> None:
    with pytest.raises(ValueError, match="MonthlyBudget needs"):
        asserted(MonthlyBudget="500")
    for chosen, kind in (
        (SWITCHES["budget"], "EMAIL"),
        ({"MonthlyBudget": "500", "AlarmTopicArn": TOPIC}, "SNS"),
    ):
        asserted(**chosen)
        budget = made(**chosen)["Budget"]["Properties"]
        assert "${AWS::StackName}" in budget["Budget"]["BudgetName"]["Fn::Sub"]
        notified = budget["NotificationsWithSubscribers"]
        assert {each["Subscribers"][0]["SubscriptionType"] for each in notified} == {kind}


def asserted(**chosen: str) -> None:
    engine._evaluate_rules(template(), declared_values(**chosen), {})
