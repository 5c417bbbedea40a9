"""`orderdesk doctor` and `preflight`: each check at its limit, of AWS that answers from a table."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError
from click.testing import CliRunner

from orderdesk_cli import doctor, preflight
from orderdesk_cli.api import StackUnavailable
from orderdesk_cli.commands import Invocation
from orderdesk_cli.doctor import DAY_SECONDS, Finding, actions_of
from orderdesk_cli.main import app
from orderdesk_cli.preflight import Plan, read_plan
from orderdesk_cli.sheets.sheet import Json
from orderdesk_cli.stacks import Installation, Stack
from tests.support.template import ROOT

REGION = "ap-east-1"


class Answers:
    """A session and its clients; each operation has an answer, or a function of its parameters."""

    get_config_variable = {"region": REGION}.__getitem__

    def __init__(self, **answers: Any) -> None:
        self._answers = answers

    def create_client(self, *_: object, **__: object) -> "Answers":
        return self

    def get_paginator(self, operation: str) -> Any:
        return SimpleNamespace(paginate=lambda **named: [getattr(self, operation)(**named)])

    def __getattr__(self, operation: str) -> Any:
        answer = self._answers[operation]
        return answer if callable(answer) else lambda **_: answer


class Outputs(dict[str, str]):
    """Outputs of a stack: the value of each is its name."""

    def __contains__(self, _: object) -> bool:
        return True

    def __missing__(self, name: str) -> str:
        return name


def installation(
    parameters: Mapping[str, str] | None = None, status: str = "UPDATE_COMPLETE", **answers: Any
) -> Installation:
    session: Any = Answers(**answers)
    found = Installation(session, "s")
    found.stack = Stack("s", Outputs(), parameters or {}, status)
    return found


NOW = 1_800_000_000
MAX_AGE = 86_400


def levels(found: Iterable[Finding]) -> list[Json]:
    return [finding["level"] for finding in found]


def rates_aged(buy: int, sell: int) -> dict[str, Json]:
    return {
        "buy": {"rate": "7.2360", "source": "operator", "set_at": NOW - buy},
        "sell": {"rate": "7.1000", "source": "operator", "set_at": NOW - sell},
    }


@pytest.mark.parametrize(
    ("age", "expected"),
    [
        (0, []),
        (MAX_AGE * 3 // 4 - 1, []),
        (MAX_AGE * 3 // 4, ["risk"]),
        (MAX_AGE - 1, ["risk"]),
        (MAX_AGE, ["wrong"]),
    ],
)
def test_the_age_of_a_rate(age: int, expected: list[str]) -> None:
    assert levels(doctor.rates(NOW, MAX_AGE, rates_aged(0, age))) == expected


def test_a_rate_that_was_never_set() -> None:
    [finding] = doctor.rates(NOW, MAX_AGE, {"buy": rates_aged(0, 0)["buy"]})
    assert (finding["level"], finding["remedy"]) == ("wrong", "orderdesk rate set sell RATE")


def test_the_age_of_a_secret() -> None:
    old, older = NOW - 365 * DAY_SECONDS, NOW - 366 * DAY_SECONDS
    merchants: list[dict[str, Json]] = [
        {"merchant_id": "m1", "created_at": old},
        {"merchant_id": "m2", "created_at": older},
        {"merchant_id": "m3", "created_at": older, "secret_rotated_at": old},
    ]
    [finding] = doctor.secrets(NOW, merchants)
    assert finding["remedy"] == "its people make a new one in the portal"


def queued(callbacks: int, relayed: int) -> dict[str, Any]:
    counts = {"CallbacksDeadLetterQueueUrl": callbacks, "RelayFailuresQueueUrl": relayed}

    def counted(QueueUrl: str, AttributeNames: list[str]) -> Any:  # noqa: N803 as AWS has them
        return {"Attributes": dict.fromkeys(AttributeNames, str(counts[QueueUrl]))}

    return {"get_queue_attributes": counted}


RESOURCES = {"AlarmTopic": "arn:topic", "InternalErrorsAlarm": "s-internal", "Role": "r", "No": ""}
SUMMARIES = [
    {"LogicalResourceId": name, "PhysicalResourceId": own} for name, own in RESOURCES.items()
]
OWN = {"list_stack_resources": {"StackResourceSummaries": SUMMARIES}}


def alarming(subscription: str, name: str) -> dict[str, Any]:
    subscriptions = {"Subscriptions": [{"SubscriptionArn": subscription}]}
    alarms = {"MetricAlarms": [{"AlarmName": name}]}
    return {**OWN, "list_subscriptions_by_topic": subscriptions, "describe_alarms": alarms}


SCHEDULES = [f"s-{name}" for name in (*doctor.SCHEDULED, "assign-sells")]


def scheduled(*names: str, disabled: Sequence[str] = ()) -> dict[str, Any]:
    states = {**dict.fromkeys(names, "ENABLED"), **dict.fromkeys(disabled, "DISABLED")}
    found = [{"Name": name, "State": state} for name, state in states.items()]
    return {"list_schedules": {"Schedules": found}}


def mapped(*states: str) -> dict[str, Any]:
    """Return the mappings of the functions in their order; an empty state is none."""
    left = iter(states)

    def listed(FunctionName: str) -> Any:  # noqa: N803 as AWS has them
        assert FunctionName.endswith("FunctionName:live")
        return {"EventSourceMappings": [{"State": state} for state in [next(left)] if state]}

    return {"list_event_source_mappings": listed}


def lasting(state: str = "ENABLED", *, protected: bool = True, cap: int = -1) -> dict[str, Any]:
    caps = {"MaxReadRequestUnits": cap}
    table = {"DeletionProtectionEnabled": protected, "OnDemandThroughput": caps}
    backups = {"PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": state}}
    described = {"ContinuousBackupsDescription": backups}
    return {"describe_table": {"Table": table}, "describe_continuous_backups": described}


LIMITS = {
    "get_account": {"throttleSettings": {"rateLimit": 500, "burstLimit": 1000}},
    "get_account_settings": {"AccountLimit": {"ConcurrentExecutions": 110}},
}


def busiest(*minutes: tuple[int, int]) -> dict[str, Any]:
    """Return the calls of minutes some hours ago."""

    def measured(StartTime: datetime, EndTime: datetime, **named: Any) -> Any:  # noqa: N803
        asked = (named["Dimensions"][0]["Value"], named["Period"], named["Statistics"])
        assert asked == ("CreateOrderFunctionName", 60, ["Sum"])
        dated = [(EndTime - timedelta(hours=hours), count) for hours, count in minutes]
        return {"Datapoints": [{"Sum": count} for at, count in dated if StartTime <= at]}

    return {"get_metric_statistics": measured}


def allowing(*actions: str) -> dict[str, Any]:
    return {"Statement": [{"Effect": "Allow", "Action": [*actions], "Resource": "*"}]}


def rightful(present: list[str], *attached: str) -> dict[str, Any]:
    declared = {"Policies": [{"PolicyDocument": allowing("a:B")}]}
    role = {"Type": "AWS::IAM::Role", "Properties": declared}
    template = {"Role": role, "Off": role, "No": {**role, "Properties": {}}}
    policies = [{"PolicyArn": policy} for policy in attached]
    return {
        **OWN,
        "get_template": {"TemplateBody": {"Resources": template}},
        "list_role_policies": {"PolicyNames": ["p"]},
        "get_role_policy": {"PolicyDocument": allowing(*present)},
        "list_attached_role_policies": {"AttachedPolicies": policies},
    }


@pytest.mark.parametrize(
    ("check", "parameters", "answers", "expected"),
    [
        (doctor.dead_letters, {}, queued(0, 0), []),
        (doctor.dead_letters, {}, queued(1, 2), ["risk", "wrong"]),
        (doctor.alarms, {}, alarming("arn:x", "another-stacks"), []),
        (doctor.alarms, {}, alarming("PendingConfirmation", "s-internal"), ["risk", "wrong"]),
        (doctor.schedules, {}, scheduled(*SCHEDULES), []),
        (doctor.schedules, {}, scheduled(*SCHEDULES[1:], disabled=SCHEDULES[2:3]), ["wrong"] * 2),
        (doctor.schedules, {}, scheduled(*SCHEDULES[:-1]), ["wrong"]),
        (doctor.schedules, {"AutomaticAssignment": "false"}, scheduled(*SCHEDULES[:-1]), []),
        (doctor.standby, {}, {**scheduled(disabled=SCHEDULES), **mapped("Disabled")}, []),
        (doctor.standby, {}, {**scheduled(*SCHEDULES[:1]), **mapped("Enabled")}, ["wrong"] * 2),
        (doctor.mappings, {}, mapped("Enabled", "Creating", "Updating"), []),
        (doctor.mappings, {}, mapped("Enabled", "Disabled", ""), ["wrong", "wrong"]),
        (doctor.rotation, {}, busiest(), []),
        (doctor.rotation, {}, busiest((2, 1), (1, 250 * 60), (48, 90_000)), []),
        (doctor.rotation, {}, busiest((2, 250 * 60 + 60), (1, 1)), ["risk"]),
        (doctor.rotation, {"RotationShards": "2"}, busiest((1, 500 * 60)), []),
        (doctor.tables, {}, lasting(), []),
        (doctor.tables, {}, lasting(cap=5), ["risk"] * 6),
        (doctor.tables, {"MaxReadRequestUnits": "5"}, lasting(cap=5), []),
        (doctor.tables, {}, lasting("DISABLED", protected=False), ["wrong", "risk"] * 6),
        (partial(doctor.throttle, rate=500, burst=1000), {}, LIMITS, []),
        (partial(doctor.throttle, rate=501, burst=1001), {}, LIMITS, ["wrong"] * 2),
        (partial(doctor.concurrency, rate=500), {}, LIMITS, []),
        (partial(doctor.concurrency, rate=510), {}, LIMITS, ["wrong"]),
        (doctor.rights, {}, rightful(["a:B"]), []),
        (doctor.rights, {}, rightful(["a:B", "a:*"], "arn:x"), ["wrong", "wrong"]),
        (doctor.identity, {"IdentityProvider": "tencent"}, {}, []),
        (doctor.identity, {"IdentityProvider": "sandbox"}, {}, ["wrong"]),
        (doctor.passkeys, {"PublicBaseUrl": "https://pay.example.com"}, {}, []),
        (doctor.passkeys, {}, {}, ["risk"]),
        (doctor.deployment, {}, {}, []),
        (doctor.deployment, {}, {"status": "UPDATE_ROLLBACK_COMPLETE"}, ["wrong"]),
        (doctor.deployment, {}, {"status": "UPDATE_FAILED"}, ["wrong"]),
    ],
)
def test_errors_and_risks_of_a_stack(
    check: Callable[[Installation], Iterable[Finding]],
    parameters: dict[str, str],
    answers: dict[str, Any],
    expected: list[str],
) -> None:
    assert levels(check(installation(parameters, **answers))) == expected


def test_the_actions_of_a_policy() -> None:
    document = {
        "Statement": [
            {"Effect": "Allow", "Action": "a:One", "Resource": "*"},
            {"Fn::If": ["C", {"Effect": "Allow", "Action": ["a:Two"]}, {"Ref": "AWS::NoValue"}]},
            {"Effect": "Allow", "Action": {"Fn::If": ["C", ["a:Three"], ["a:Four", "a:Five"]]}},
            {"Effect": "Deny", "Action": "a:Six"},
        ]
    }
    assert actions_of(document) == {"a:One", "a:Two", "a:Three", "a:Four", "a:Five"}


def trusting(action: str | list[str], **condition: Any) -> dict[str, Any]:
    return {"Statement": [{"Effect": "Allow", "Action": action, "Condition": condition}]}


@pytest.mark.parametrize(
    ("trust", "found"),
    [
        (trusting("sts:AssumeRole"), ["wrong"]),
        (trusting(["sts:TagSession", "sts:AssumeRole"]), ["wrong"]),
        (trusting("sts:AssumeRoleWithWebIdentity"), ["wrong"]),
        (trusting(["sts:AssumeRoleWithSAML", "sts:TagSession"]), []),
        (trusting("sts:AssumeRole", StringLike={"sts:RoleSessionName": "${aws:username}"}), []),
    ],
)
def test_a_listed_role_whose_session_name_its_caller_chooses(
    trust: dict[str, Any], found: list[str]
) -> None:
    listed = [{"RoleName": name, "AssumeRolePolicyDocument": trust} for name in ("Op_1", "X")]
    place = installation({"OperatorRolePatterns": "Op_*"}, list_roles={"Roles": listed})
    assert levels(doctor.people(place)) == found


ACCOUNT = "123456789012"
CERTIFICATE = f"arn:aws:acm:{REGION}:{ACCOUNT}:certificate/1-2"
DOMAIN = {
    "DomainName": "api.example.com",
    "CertificateArn": CERTIFICATE,
    "PublicBaseUrl": "https://api.example.com",
}
SAMCONFIG = """
version = 0.1
[one.global.parameters]
stack_name = "orderdesk-one"
[one.deploy.parameters]
region = "ap-east-1"
parameter_overrides = ["AlarmEmail=ops@example.com", "RateMaxAgeSeconds=3600"]
[two.deploy.parameters]
stack_name = "two"
parameter_overrides = "Gradual=true LogLevel=\\"DEBUG\\""
"""


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """Return a plan without findings."""
    return planned(tmp_path_factory.mktemp("plan"), "one")


def planned(folder: Path, environment: str) -> Plan:
    samconfig = folder / "samconfig.toml"
    samconfig.write_text(SAMCONFIG)
    return read_plan(ROOT / "template.yaml", samconfig, environment)


def given(plan: Plan, **parameters: str) -> Plan:
    return replace(plan, given={**plan.given, **parameters})


def test_the_plan_is_what_sam_would_deploy(plan: Plan, tmp_path: Path) -> None:
    assert (plan.stack_name, plan.region) == ("orderdesk-one", "ap-east-1")
    assert (plan.value("RateMaxAgeSeconds"), plan.value("PayWindowSeconds")) == ("3600", "900")
    other = planned(tmp_path, "two")
    assert (other.is_on("Gradual"), other.value("LogLevel")) == (True, "DEBUG")
    with pytest.raises(StackUnavailable, match="no environment three"):
        planned(tmp_path, "three")
    (tmp_path / "wrong.toml").write_text(SAMCONFIG.replace("=3600", "=many"))
    with pytest.raises(StackUnavailable, match="no number: RateMaxAgeSeconds"):
        read_plan(ROOT / "template.yaml", tmp_path / "wrong.toml", "one")


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, []),
        (DOMAIN, []),
        ({"Nonsense": "1"}, ["wrong"]),
        ({"PublicBaseUrl": "http://a.b"}, ["wrong"]),
        ({"EndpointUrl": "http://a.b"}, ["wrong"]),
        ({"AlarmEmail": ""}, ["risk"]),
        ({"ProtectTables": "false"}, ["risk"]),
        ({"IdentityProvider": "sandbox"}, ["risk"]),
        ({**DOMAIN, "PublicBaseUrl": "https://www.example.com"}, ["risk"]),
    ],
)
def test_what_a_change_set_passes(plan: Plan, parameters: dict[str, str], expected: object) -> None:
    assert levels(preflight.parameters(given(plan, **parameters))) == expected


def account(number: str = ACCOUNT) -> dict[str, Any]:
    return {"get_caller_identity": {"Account": number}}


def certified(status: str, days: int | None, *names: str) -> dict[str, Any]:
    ends = datetime.now(UTC) + timedelta(days=days or 0, hours=1)
    found: dict[str, Any] = {"Status": status, "DomainName": names[0]}
    found |= {"SubjectAlternativeNames": [*names]} | ({} if days is None else {"NotAfter": ends})
    return {"describe_certificate": {"Certificate": found}}


def lacking(operation: str, code: str = "ResourceNotFoundException") -> dict[str, Any]:
    def refused(**_: object) -> None:
        raise ClientError({"Error": {"Code": code}}, operation)

    return {operation: refused}


def contained(free: int, **own: int) -> dict[str, Any]:
    limits = {"UnreservedConcurrentExecutions": free}
    return {"get_account_settings": {"AccountLimit": limits}, "get_function_concurrency": own}


def counted(roles: int) -> dict[str, Any]:
    return {"get_account_summary": {"SummaryMap": {"Roles": roles, "RolesQuota": 1000}}}


LOGGING, SETTING = {"AccessLogs": "true"}, {"AccessLogs": "true", "AccountLogRole": "true"}
SECRET = {"TencentSecretArn": "arn:s"}
ELSEWHERE = {"CertificateArn": CERTIFICATE.replace(REGION, "us-east-1")}
OTHER = {**DOMAIN, "DomainName": "a.b.example.com"}
NAMES = ("example.com", "*.example.com")
RESERVED = {"DrawingConcurrency": "10"}


@pytest.mark.parametrize(
    ("check", "parameters", "answers", "expected"),
    [
        (preflight.place, DOMAIN, account(), []),
        (preflight.place, DOMAIN, account("210987654321"), ["wrong"]),
        (preflight.place, ELSEWHERE, account(), ["wrong"]),
        (preflight.log_role, {}, {"get_account": {}}, []),
        (preflight.log_role, {}, {"get_account": {"cloudwatchRoleArn": "r"}}, []),
        (preflight.log_role, LOGGING, {"get_account": {}}, ["wrong"]),
        (preflight.log_role, LOGGING, {"get_account": {"cloudwatchRoleArn": "r"}}, []),
        (preflight.log_role, SETTING, {"get_account": {}}, []),
        (preflight.log_role, SETTING, {"get_account": {"cloudwatchRoleArn": "r"}}, ["risk"]),
        (preflight.certificate, {}, {}, []),
        (preflight.certificate, DOMAIN, certified("ISSUED", 30, *NAMES), []),
        (preflight.certificate, DOMAIN, certified("ISSUED", 29, "api.example.com"), ["risk"]),
        (preflight.certificate, OTHER, certified("ISSUED", 30, *NAMES), ["wrong"]),
        (preflight.certificate, DOMAIN, certified("PENDING_VALIDATION", None, *NAMES), ["wrong"]),
        (preflight.certificate, DOMAIN, lacking("describe_certificate"), ["wrong", "wrong"]),
        (preflight.secret, {}, {}, []),
        (preflight.secret, SECRET, {"describe_secret": {"Name": "t"}}, []),
        (preflight.secret, SECRET, {"describe_secret": {"DeletedDate": 1}}, ["wrong"]),
        (preflight.secret, SECRET, lacking("describe_secret"), ["wrong"]),
        (preflight.reserved, RESERVED, contained(110), []),
        (preflight.reserved, RESERVED, contained(109), ["wrong"]),
        (preflight.reserved, RESERVED, contained(109, ReservedConcurrentExecutions=1), []),
        (preflight.reserved, {"DrawingConcurrency": "0"}, contained(10), []),
        (preflight.roles, {}, counted(980), []),
        (preflight.roles, {}, counted(981), ["wrong"]),
        (preflight.snapshots, {}, {}, []),
        (preflight.snapshots, {"SnapStart": "true"}, {}, ["risk"]),
    ],
)
def test_errors_and_risks_of_a_plan(
    plan: Plan,
    check: Callable[[Plan, Installation], Iterable[Finding]],
    parameters: dict[str, str],
    answers: dict[str, Any],
    expected: list[str],
) -> None:
    assert levels(check(given(plan, **parameters), installation(**answers))) == expected


def test_a_plan_for_another_region(plan: Plan) -> None:
    elsewhere = replace(plan, region="us-east-1")
    assert levels(preflight.place(elsewhere, installation(**account()))) == ["wrong"]
    assert "ap-southeast-1" in preflight.SNAPSHOT_REGIONS


def test_the_command_needs_no_stack_lists_what_it_may_not_see_and_exits_with_1(
    tmp_path: Path,
) -> None:
    samconfig = tmp_path / "samconfig.toml"
    samconfig.write_text(SAMCONFIG.replace("ap-east-1", "us-east-1"))
    answers = {
        **account(),
        **counted(1),
        **contained(1000),
        **lacking("get_account", "AccessDenied"),
    }
    answers["get_account_settings"]["AccountLimit"]["ConcurrentExecutions"] = 1000
    place = installation(**answers)
    words = ("--config-env", "one", "--samconfig", samconfig, "--template", ROOT / "template.yaml")
    obj = Invocation(lambda _: place)
    result = CliRunner().invoke(app, ["preflight", "--json", *map(str, words)], obj=obj)
    found = [(each["level"], each["check"]) for each in json.loads(result.stdout)]
    assert (result.exit_code, found[0]) == (1, ("wrong", "account"))
    assert ("risk", "throttle") in found
    assert ("risk", "log role") in found
    assert ("wrong", "parameters") not in found
