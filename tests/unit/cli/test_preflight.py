"""`orderdesk preflight` before a first deployment: each check at its limit."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from orderdesk_cli import preflight as checks
from orderdesk_cli.api import StackUnavailable
from orderdesk_cli.doctor import Finding
from orderdesk_cli.preflight import Plan, read_plan
from orderdesk_cli.sheets.sheet import Json
from tests.support.template import ROOT

ACCOUNT, REGION = "123456789012", "ap-east-1"
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


def test_account_and_region_are_those_that_the_plan_names(plan: Plan) -> None:
    assert levels(checks.place(given(plan, **DOMAIN), ACCOUNT, REGION)) == []
    elsewhere = checks.place(given(plan, **DOMAIN), ACCOUNT, "us-east-1")
    assert levels(elsewhere) == ["wrong", "wrong"]
    assert levels(checks.place(given(plan, **DOMAIN), "210987654321", REGION)) == ["wrong"]


def test_the_role_that_api_gateway_logs_with(plan: Plan) -> None:
    logging = given(plan, AccessLogs="true")
    setting = given(plan, AccessLogs="true", AccountLogRole="true")
    found = [checks.log_role(each, role) for each in (plan, logging, setting) for role in ("", "r")]
    assert [levels(each) for each in found] == [[], [], ["wrong"], [], [], ["risk"]]


NAMES = {"example.com", "*.example.com"}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (checks.certificate("api.example.com", "ISSUED", NAMES, 30), []),
        (checks.certificate("api.example.com", "ISSUED", {"api.example.com"}, 29), ["risk"]),
        (checks.certificate("a.b.example.com", "ISSUED", NAMES, 30), ["wrong"]),
        (checks.certificate("api.example.com", "PENDING_VALIDATION", NAMES, None), ["wrong"]),
        (checks.secret(exists=True), []),
        (checks.secret(exists=False), ["wrong"]),
        (checks.reserved(10, 110), []),
        (checks.reserved(10, 109), ["wrong"]),
        (checks.reserved(0, 10), []),
        (checks.roles(980, 1000), []),
        (checks.roles(981, 1000), ["wrong"]),
    ],
)
def test_errors_and_risks_of_a_plan(found: Iterable[Finding], expected: list[str]) -> None:
    assert levels(found) == expected


def test_snapshots_where_they_are_known_to_be(plan: Plan) -> None:
    on = given(plan, SnapStart="true")
    assert levels(checks.snapshots(on, "ap-southeast-1")) == []
    assert levels(checks.snapshots(on, REGION)) == ["risk"]
    assert levels(checks.snapshots(plan, REGION)) == []
