"""`make deploy-proof` finds nothing in the template, and names each of the mistakes seeded here."""

import json
from collections.abc import Callable
from copy import deepcopy
from itertools import combinations, product
from typing import Any

import pytest
from samtranslator.model import apigateway as sam_apigateway  # type: ignore[import-untyped]

from local.places import SAM_BIN
from tests.support.template import template
from tools.deploy.proof.deployment import deploy, translate, values_of
from tools.deploy.proof.prove import RELEASE, linting, prove, stacks, switches
from tools.deploy.proof.release import REPLACED_BY, lost, record

LAST: dict[str, Any] = json.loads(RELEASE.read_text("utf-8"))
DEPLOYED = {**LAST, "is_deployed": True}
DOMAIN = {
    "DomainName": "pay.example.com",
    "PublicBaseUrl": "https://pay.example.com",
    "CertificateArn": "arn:aws:acm:us-east-1:000000000000:certificate/x",
}
TOPIC = {"AlarmTopicArn": "arn:aws:sns:us-east-1:000000000000:operators"}
STATEMENT = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}


def test_every_pair_of_switches_deploys() -> None:
    with linting(template()) as errors:
        assert [*prove(template(), LAST), *errors] == []


def test_every_pair_of_choices_is_in_a_stack() -> None:
    given = [each.items() for each in stacks(template())]
    assert len(given) < 25
    for one, other in combinations(switches(template()), 2):
        names = {name for choice in (*one, *other) for name in choice}
        met = [{(name, value) for name, value in each if name in names} for each in given]
        assert all({*a.items(), *b.items()} in met for a, b in product(one, other))


type Mistake = Callable[[dict[str, Any]], None]


def properties(seeded: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = seeded["Resources"][name]["Properties"]
    return found


def puts(path: str, value: Any) -> Mistake:
    """Return the mistake of a wrong value in a resource."""
    *way, last = (int(part) if part.isdigit() else part for part in path.split("/"))

    def put(seeded: dict[str, Any]) -> None:
        part = seeded["Resources"]
        for step in way:
            part = part[step]
        part[last] = value

    put.__name__ = path
    return put


depends_on_a_condition = puts("Api/DependsOn", ["ApiGatewayAccount"])
# The stage waits for the aliases, and with Gradual these wait for their alarms.
makes_an_alarm_wait_for_the_stage = puts(
    "ApiServerErrorsAlarm/Properties/Dimensions/1/Value", {"Ref": "Apiv1Stage"}
)
changes_a_tables_key = puts("MerchantsTable/Properties/KeySchema/0/AttributeName", "merchant_id")
names_a_bucket_by_a_parameter = puts("ReceiptsBucket/Properties/BucketName", {"Ref": "LogLevel"})
makes_a_key_single_region = puts("SecretsKey/Properties/MultiRegion", value=False)
deletes_receipts_with_the_stack = puts("ReceiptsBucket/DeletionPolicy", "Delete")
lengthens_a_functions_name = puts(
    "CreateOrderFunction/Properties/FunctionName",
    {"Fn::Sub": "${AWS::StackName}-create-order-of-merchants"},
)


def refers_to_what_a_condition_leaves_out(seeded: dict[str, Any]) -> None:
    del seeded["Resources"]["AlarmEmailSubscription"]["Condition"]


def outputs_what_a_condition_leaves_out(seeded: dict[str, Any]) -> None:
    del seeded["Outputs"]["DomainTarget"]["Condition"]


def names_the_stage_by_a_parameter(seeded: dict[str, Any]) -> None:
    seeded["Parameters"]["StageName"] = {"Type": "String", "Default": "v1"}
    properties(seeded, "Api")["StageName"] = {"Ref": "StageName"}


def deploys_only_a_changed_definition(seeded: dict[str, Any]) -> None:
    del properties(seeded, "Api")["AlwaysDeploy"]


def renames_a_table(seeded: dict[str, Any]) -> None:
    """Change the table's logical id and all references to it."""
    text = json.dumps(seeded["Resources"]).replace("LedgerTable", "AccountsTable")
    seeded["Resources"] = json.loads(text)
    seeded["Outputs"]["LedgerTableName"]["Value"] = {"Ref": "AccountsTable"}


def changes_two_indexes(seeded: dict[str, Any]) -> None:
    for index in properties(seeded, "OrdersTable")["GlobalSecondaryIndexes"][:2]:
        index["IndexName"] += "_2"


def overfills_a_role(seeded: dict[str, Any]) -> None:
    policy = properties(seeded, "PayPageRole")["Policies"][0]["PolicyDocument"]
    policy["Statement"] += [{"Sid": f"Read{n}", **STATEMENT} for n in range(120)]


def overfills_a_managed_policy(seeded: dict[str, Any]) -> None:
    policy = properties(seeded, "SupportPolicy")["PolicyDocument"]
    policy["Statement"] += [{"Sid": f"Read{n}", **STATEMENT} for n in range(60)]


def gives_a_page_too_many_routes(seeded: dict[str, Any]) -> None:
    routes = properties(seeded, "TraderDeskFunction")["Events"]
    for number in range(45):
        route = deepcopy(routes["DeskRoute"])
        route["Properties"]["Path"] += f"/orders/{number}"
        routes[f"Route{number}"] = route


def makes_too_many_resources(seeded: dict[str, Any]) -> None:
    seeded["Resources"] |= {f"Topic{n}": {"Type": "AWS::SNS::Topic"} for n in range(250)}


def adds_a_switch_that_nothing_tries(seeded: dict[str, Any]) -> None:
    seeded["Parameters"]["Replica"] = {"Type": "String", "Default": ""}
    seeded["Conditions"]["IsReplica"] = {"Fn::Equals": [{"Ref": "Replica"}, "yes"]}


MISTAKES: list[tuple[Mistake, dict[str, str], str]] = [
    (depends_on_a_condition, {}, "Api refers to ApiGatewayAccount, which is not deployed"),
    (refers_to_what_a_condition_leaves_out, TOPIC, "AlarmEmailSubscription refers to AlarmTopic"),
    (outputs_what_a_condition_leaves_out, {}, "output DomainTarget refers to ApiDomain"),
    (names_the_stage_by_a_parameter, {}, "Api takes the name of its stage from a parameter"),
    (deploys_only_a_changed_definition, {}, "Api has a condition in its definition"),
    (renames_a_table, {}, "LedgerTable is no longer deployed: release 0.2.0 has its data"),
    (changes_a_tables_key, {}, "MerchantsTable is replaced: KeySchema was"),
    (changes_two_indexes, {}, "OrdersTable: an update creates or deletes one index, not"),
    (names_a_bucket_by_a_parameter, {}, "ReceiptsBucket is replaced: BucketName was None"),
    (makes_a_key_single_region, {}, "SecretsKey is replaced: MultiRegion was True"),
    (deletes_receipts_with_the_stack, {}, "ReceiptsBucket: its DeletionPolicy was Retain"),
    (overfills_a_role, {}, "PayPageRole: inline policies: "),
    (overfills_a_managed_policy, {}, "SupportPolicy: managed policy: "),
    (gives_a_page_too_many_routes, {}, "TraderDeskFunction: who may invoke it: "),
    (lengthens_a_functions_name, {}, "CreateOrderFunction: name: 66 of at most 64"),
    (adds_a_switch_that_nothing_tries, {}, "parameter Replica decides what is deployed"),
]


def test_adding_a_domain_to_a_stack_deploys_its_api(monkeypatch: pytest.MonkeyPatch) -> None:
    """CloudFormation makes a deployment that SAM has named anew; it names it by the time."""

    def stage(second: int, given: dict[str, str]) -> Any:
        monkeypatch.setattr(sam_apigateway.time, "time", lambda: second)
        translated = translate(template(), values_of(template(), given))
        return deploy(template(), translated, given).resources["Apiv1Stage"]["Properties"]

    before, after = stage(1, {}), stage(2, DOMAIN)
    assert before["DeploymentId"] != after["DeploymentId"]


@pytest.mark.parametrize(
    ("mistake", "given", "named"), MISTAKES, ids=[mistake.__name__ for mistake, *_ in MISTAKES]
)
def test_a_mistake_is_named(mistake: Mistake, given: dict[str, str], named: str) -> None:
    seeded = deepcopy(template())
    mistake(seeded)
    findings = list(prove(seeded, DEPLOYED, [given]))
    assert [finding for finding in findings if finding.startswith(named)], findings


def test_an_undeployed_key_may_become_multi_region() -> None:
    """It is the one replacement that is allowed, because it is impossible afterwards."""
    keys = {name: each for name, each in template()["Resources"].items() if "Key" in name}
    last = record("0.1.0", keys, is_deployed=False)
    now = deepcopy(keys)
    for name in ("SecretsKey", "PushKey"):
        now[name]["Properties"]["MultiRegion"] = True
    assert list(lost(last, now)) == []
    now["PushKey"]["Properties"]["KeySpec"] = "ECC_NIST_P384"
    assert [finding.partition(":")[0] for finding in lost(last, now)] == ["PushKey is replaced"]


def test_cfn_lint_names_what_only_a_translated_template_shows() -> None:
    seeded = deepcopy(template())
    seeds = [depends_on_a_condition, makes_too_many_resources, makes_an_alarm_wait_for_the_stage]
    for seed in seeds:
        seed(seeded)
    properties(seeded, "OrdersTable")["BillingMod"] = "PAY_PER_REQUEST"
    with linting(seeded) as errors:
        found = list(errors)
    assert any("E3005" in each and "ApiGatewayAccount" in each for each in found)
    assert any("E3002" in each and "BillingMod" in each for each in found)
    assert any("E3004" in each and "ApiServerErrorsAlarm" in each for each in found)
    assert any("E3010" in each and "'Resources' has more than 500" in each for each in found)


def test_the_replacing_properties_are_those_of_awss_schemas() -> None:
    """cfn-lint brings the schemas. Those of keys do not list what AWS refuses to change."""
    (schemas,) = SAM_BIN.parent.glob("lib/python*/site-packages/cfnlint/data/schemas")
    files = json.loads((schemas / "providers" / "us-east-1.json").read_text("utf-8"))
    for kind, properties_of_kind in REPLACED_BY.items():
        schema = json.loads((schemas / "resources" / f"{files[kind]}.json").read_text("utf-8"))
        paths = schema.get("createOnlyProperties", []) + schema.get(
            "conditionalCreateOnlyProperties", []
        )
        if kind != "AWS::KMS::Key":
            assert {path.removeprefix("/properties/") for path in paths} == {*properties_of_kind}
