"""`orderdesk preflight` before a first deployment: each check at its limit."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from click.testing import CliRunner

from orderdesk_cli import preflight as checks
from orderdesk_cli.api import StackUnavailable
from orderdesk_cli.commands import Invocation
from orderdesk_cli.doctor import Finding
from orderdesk_cli.installation import Installation
from orderdesk_cli.main import app
from orderdesk_cli.preflight import Plan, read_plan
from orderdesk_cli.sheets.sheet import Json
from tests.support.aws_answers import REGION, installation
from tests.support.template import ROOT

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


def levels(found: Iterable[Finding]) -> list[Json]:
    return [finding["level"] for finding in found]


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
    assert levels(checks.parameters(given(plan, **parameters))) == expected


def account(number: str = ACCOUNT) -> dict[str, Any]:
    return {"get_caller_identity": {"Account": number}}


def certified(status: str, days: int | None, *names: str) -> dict[str, Any]:
    ends = datetime.now(UTC) + timedelta(days=days or 0, minutes=1)
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
NAMES = ("example.com", "*.example.com")
RESERVED = {"DrawingConcurrency": "10"}


@pytest.mark.parametrize(
    ("check", "parameters", "answers", "expected"),
    [
        (checks.place, DOMAIN, account(), []),
        (checks.place, DOMAIN, account("210987654321"), ["wrong"]),
        (
            checks.place,
            {"CertificateArn": CERTIFICATE.replace(REGION, "us-east-1")},
            account(),
            ["wrong"],
        ),
        (checks.log_role, {}, {"get_account": {}}, []),
        (checks.log_role, {}, {"get_account": {"cloudwatchRoleArn": "r"}}, []),
        (checks.log_role, LOGGING, {"get_account": {}}, ["wrong"]),
        (checks.log_role, LOGGING, {"get_account": {"cloudwatchRoleArn": "r"}}, []),
        (checks.log_role, SETTING, {"get_account": {}}, []),
        (checks.log_role, SETTING, {"get_account": {"cloudwatchRoleArn": "r"}}, ["risk"]),
        (checks.certificate, {}, {}, []),
        (checks.certificate, DOMAIN, certified("ISSUED", 30, *NAMES), []),
        (checks.certificate, DOMAIN, certified("ISSUED", 29, "api.example.com"), ["risk"]),
        (
            checks.certificate,
            {**DOMAIN, "DomainName": "a.b.example.com"},
            certified("ISSUED", 30, *NAMES),
            ["wrong"],
        ),
        (checks.certificate, DOMAIN, certified("PENDING_VALIDATION", None, *NAMES), ["wrong"]),
        (checks.certificate, DOMAIN, lacking("describe_certificate"), ["wrong", "wrong"]),
        (checks.secret, {}, {}, []),
        (checks.secret, SECRET, {"describe_secret": {"Name": "t"}}, []),
        (checks.secret, SECRET, {"describe_secret": {"DeletedDate": 1}}, ["wrong"]),
        (checks.secret, SECRET, lacking("describe_secret"), ["wrong"]),
        (checks.reserved, RESERVED, contained(110), []),
        (checks.reserved, RESERVED, contained(109), ["wrong"]),
        (checks.reserved, RESERVED, contained(109, ReservedConcurrentExecutions=1), []),
        (checks.reserved, {"DrawingConcurrency": "0"}, contained(10), []),
        (checks.roles, {}, counted(980), []),
        (checks.roles, {}, counted(981), ["wrong"]),
        (checks.snapshots, {}, {}, []),
        (checks.snapshots, {"SnapStart": "true"}, {}, ["risk"]),
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
    assert levels(checks.place(elsewhere, installation(**account()))) == ["wrong"]
    assert "ap-southeast-1" in checks.SNAPSHOT_REGIONS


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
    obj = Invocation(open_installation=lambda *_: place)
    result = CliRunner().invoke(app, ["preflight", "--json", *map(str, words)], obj=obj)
    found = [(each["level"], each["check"]) for each in json.loads(result.stdout)]
    assert (result.exit_code, found[0]) == (1, ("wrong", "account"))
    assert ("risk", "throttle") in found
    assert ("risk", "log role") in found
    assert ("wrong", "parameters") not in found
