"""`orderdesk doctor`: each check at its limit, and no finding on a healthy stack."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest

from orderdesk_cli import doctor as checks
from orderdesk_cli.doctor import DAY_SECONDS, Finding, actions_of
from orderdesk_cli.installation import Installation
from orderdesk_cli.sheets.sheet import Json
from tests.support.aws_answers import installation

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
    assert levels(checks.rates(NOW, MAX_AGE, rates_aged(0, age))) == expected


def test_a_rate_that_was_never_set() -> None:
    [finding] = checks.rates(NOW, MAX_AGE, {"buy": rates_aged(0, 0)["buy"]})
    assert (finding["level"], finding["remedy"]) == ("wrong", "orderdesk rate set sell RATE")


def test_the_age_of_a_secret() -> None:
    old, older = NOW - 365 * DAY_SECONDS, NOW - 366 * DAY_SECONDS
    merchants: list[dict[str, Json]] = [
        {"merchant_id": "m1", "created_at": old},
        {"merchant_id": "m2", "created_at": older},
        {"merchant_id": "m3", "created_at": older, "secret_rotated_at": old},
    ]
    [finding] = checks.secrets(NOW, merchants)
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


SCHEDULES = [f"s-{name}" for name in (*checks.SCHEDULED, "assign-sells")]


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
        (checks.dead_letters, {}, queued(0, 0), []),
        (checks.dead_letters, {}, queued(1, 2), ["risk", "wrong"]),
        (checks.alarms, {}, alarming("arn:x", "another-stacks"), []),
        (checks.alarms, {}, alarming("PendingConfirmation", "s-internal"), ["risk", "wrong"]),
        (checks.schedules, {}, scheduled(*SCHEDULES), []),
        (checks.schedules, {}, scheduled(*SCHEDULES[1:], disabled=SCHEDULES[2:3]), ["wrong"] * 2),
        (checks.schedules, {}, scheduled(*SCHEDULES[:-1]), ["wrong"]),
        (checks.schedules, {"AutomaticAssignment": "false"}, scheduled(*SCHEDULES[:-1]), []),
        (checks.standby, {}, {**scheduled(disabled=SCHEDULES), **mapped("Disabled")}, []),
        (checks.standby, {}, {**scheduled(*SCHEDULES[:1]), **mapped("Enabled")}, ["wrong"] * 2),
        (checks.mappings, {}, mapped("Enabled", "Creating", "Updating"), []),
        (checks.mappings, {}, mapped("Enabled", "Disabled", ""), ["wrong", "wrong"]),
        (checks.rotation, {}, busiest(), []),
        (checks.rotation, {}, busiest((2, 1), (1, 250 * 60), (48, 90_000)), []),
        (checks.rotation, {}, busiest((2, 250 * 60 + 60), (1, 1)), ["risk"]),
        (checks.rotation, {"RotationShards": "2"}, busiest((1, 500 * 60)), []),
        (checks.tables, {}, lasting(), []),
        (checks.tables, {}, lasting(cap=5), ["risk"] * 6),
        (checks.tables, {"MaxReadRequestUnits": "5"}, lasting(cap=5), []),
        (checks.tables, {}, lasting("DISABLED", protected=False), ["wrong", "risk"] * 6),
        (partial(checks.throttle, rate=500, burst=1000), {}, LIMITS, []),
        (partial(checks.throttle, rate=501, burst=1001), {}, LIMITS, ["wrong"] * 2),
        (partial(checks.concurrency, rate=500), {}, LIMITS, []),
        (partial(checks.concurrency, rate=510), {}, LIMITS, ["wrong"]),
        (checks.rights, {}, rightful(["a:B"]), []),
        (checks.rights, {}, rightful(["a:B", "a:*"], "arn:x"), ["wrong", "wrong"]),
        (checks.identity, {"IdentityProvider": "tencent"}, {}, []),
        (checks.identity, {"IdentityProvider": "sandbox"}, {}, ["wrong"]),
        (checks.passkeys, {"PublicBaseUrl": "https://pay.example.com"}, {}, []),
        (checks.passkeys, {}, {}, ["risk"]),
        (checks.deployment, {}, {}, []),
        (checks.deployment, {}, {"status": "UPDATE_ROLLBACK_COMPLETE"}, ["wrong"]),
        (checks.deployment, {}, {"status": "UPDATE_FAILED"}, ["wrong"]),
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
    assert levels(checks.people(place)) == found
