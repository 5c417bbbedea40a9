"""`orderdesk preflight`: what would fail or mislead in a first deployment (contract section 9)."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orderdesk_cli.answering import Answer
from orderdesk_cli.api import StackUnavailable
from orderdesk_cli.commands import Said, runs
from orderdesk_cli.doctor import Checks, Finding, concurrency, report, risk, throttle, wrong

if TYPE_CHECKING:
    from orderdesk_cli.stacks import Installation

# Regions where Lambda has snapshots for Python (AWS, "What's new", November 2024). It has added
# more since, and no call returns it; so another region is a risk, not wrong.
_REGIONS = (
    "us-east-1 us-east-2 us-west-2 eu-central-1 eu-west-1 eu-north-1 ap-northeast-1 ap-southeast-1 "
    "ap-southeast-2"
)
SNAPSHOT_REGIONS = frozenset(_REGIONS.split())
UNRESERVED_MIN = 100
ROLES_MADE = 20  # a role for each function and schedule, and for what the parameters switch on
CERTIFICATE_DAYS_MIN = 30
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_ARNS = ("TencentSecretArn", "CertificateArn", "AlarmTopicArn")


@dataclass(frozen=True, slots=True)
class Plan:
    """A deployment: its stack's name, its region, and its parameters, given and declared."""

    stack_name: str
    region: str
    given: Mapping[str, str]
    declared: Mapping[str, Mapping[str, Any]]

    def value(self, parameter: str) -> str:
        """Return a parameter's value, or its default."""
        default = self.declared.get(parameter, {}).get("Default", "")
        return self.given.get(parameter, str(default))

    def is_on(self, parameter: str) -> bool:
        return self.value(parameter) == "true"


def read_plan(template: Path, samconfig: Path, environment: str) -> Plan:
    """Read what `sam deploy --config-env ENVIRONMENT` would deploy. Raises: StackUnavailable."""
    import yaml  # noqa: PLC0415 only preflight needs it

    class Loader(yaml.CSafeLoader):
        """Reads YAML with CloudFormation's short forms, such as `!Ref x`; no parameter has one."""

    Loader.add_multi_constructor("!", lambda *_: None)
    try:
        whole = yaml.load(template.read_text("utf-8"), Loader)  # noqa: S506 it makes plain data only
        config = tomllib.loads(samconfig.read_text("utf-8"))
    except (OSError, yaml.YAMLError, tomllib.TOMLDecodeError) as error:
        raise StackUnavailable(f"cannot read what would be deployed: {error}") from None
    if environment not in config:
        raise StackUnavailable(f"{samconfig} has no environment {environment}")
    commands = config[environment]
    settings = {
        **commands.get("global", {}).get("parameters", {}),
        **commands.get("deploy", {}).get("parameters", {}),
    }
    overrides = settings.get("parameter_overrides", [])
    words = overrides.split() if isinstance(overrides, str) else overrides
    pairs = (word.partition("=") for word in words)
    plan = Plan(
        stack_name=settings.get("stack_name", ""),
        region=settings.get("region", ""),
        given={name: value.strip('"') for name, _, value in pairs},
        declared=whole.get("Parameters", {}),
    )
    numbers = [name for name, each in plan.declared.items() if each["Type"] == "Number"]
    if wrong := [name for name in numbers if not _NUMBER.fullmatch(plan.value(name))]:
        raise StackUnavailable(f"{samconfig}: no number: {', '.join(wrong)}")
    return plan


def parameters(plan: Plan) -> Iterator[Finding]:
    """Check what a change set lets pass.

    It refuses wrong values and those that break a rule, names that something else has, and a stack
    in a state that cannot be deployed to (AWS, "Validate stack deployments").
    """
    remedy = "correct the environment's parameter_overrides in samconfig.toml"
    for name in sorted(plan.given.keys() - plan.declared.keys()):  # SAM leaves it out silently
        yield wrong(f"the template has no parameter {name}", remedy)
    if plan.value("EndpointUrl"):
        says = "EndpointUrl is for sam local invoke: the functions would not reach AWS"
        yield wrong(says, remedy)
    base_url, domain = plan.value("PublicBaseUrl"), plan.value("DomainName")
    if base_url and not base_url.startswith("https://"):
        says = "PublicBaseUrl is not https: links to payers would be sent in the clear"
        yield wrong(says, remedy)
    if domain and base_url not in {"", f"https://{domain}"}:
        yield risk(f"PublicBaseUrl is not https://{domain}: links lead past the domain", remedy)
    if not plan.value("AlarmEmail") and not plan.value("AlarmTopicArn"):
        yield risk("nobody will get the alarms", "set AlarmEmail or AlarmTopicArn")
    if plan.value("IdentityProvider") == "sandbox":
        says = "identities are verified by the sandbox: everybody passes"
        yield risk(says, "for prod take another IdentityProvider")
    if not plan.is_on("ProtectTables"):
        yield risk("tables can be deleted by one call", "deploy with ProtectTables=true")


def place(plan: Plan, facts: "Installation") -> Iterator[Finding]:
    """Check account and region: those of the credentials against those that the plan names."""
    region = facts.region
    account = facts.client("sts").get_caller_identity()["Account"]
    if plan.region and plan.region != region:
        says = f"the environment is for {plan.region}, the credentials are for {region}"
        yield wrong(says, "set AWS_REGION, or take other credentials")
    for parameter in _ARNS:
        arn = plan.value(parameter).split(":")
        if len(arn) > 4 and arn[3:5] != [region, account]:  # noqa: PLR2004 arn:partition:service:region:account
            says = f"{parameter} is in {arn[3]} of account {arn[4]}, not in {region} of {account}"
            yield wrong(says, "name the one of this account and region")


def log_role(plan: Plan, facts: "Installation") -> Iterator[Finding]:
    """Check the role that API Gateway logs with, which the account and region have once."""
    current = facts.client("apigateway").get_account().get("cloudwatchRoleArn")
    if plan.is_on("AccountLogRole") and current:
        says = f"the stack would replace the account's role of API Gateway, {current}"
        yield risk(says, "deploy with AccountLogRole=false")
    if plan.is_on("AccessLogs") and not plan.is_on("AccountLogRole") and not current:
        says = "API Gateway has no role to log with: the stage could not be made"
        yield wrong(says, "deploy with AccountLogRole=true")


def snapshots(plan: Plan, facts: "Installation") -> Iterator[Finding]:
    """Check whether Lambda makes snapshots for Python in the region."""
    if plan.is_on("SnapStart") and facts.region not in SNAPSHOT_REGIONS:
        says = f"SnapStart for Python may not be in {facts.region}"
        yield risk(says, "look at Lambda's page about SnapStart")


def reserved(plan: Plan, facts: "Installation") -> Iterator[Finding]:
    """Check the concurrency that the stack reserves of what no other function has reserved."""
    count, drawer = int(plan.value("DrawingConcurrency")), f"{plan.stack_name}-render-receipt"
    limits = facts.client("lambda").get_account_settings()["AccountLimit"]
    own = facts.found("lambda", "get_function_concurrency", FunctionName=drawer) or {}
    free = limits["UnreservedConcurrentExecutions"] + own.get("ReservedConcurrentExecutions", 0)
    if count and free - count < UNRESERVED_MIN:
        says = f"{count} of {free} containers cannot be reserved: {UNRESERVED_MIN} stay"
        yield wrong(says, "deploy with DrawingConcurrency=0")


def secret(plan: Plan, facts: "Installation") -> Iterator[Finding]:
    """Check the secret with Tencent Cloud's credentials."""
    arn = plan.value("TencentSecretArn")
    described = facts.found("secretsmanager", "describe_secret", SecretId=arn) if arn else {}
    if described is None or "DeletedDate" in described:
        says = "there is no secret with TencentSecretArn, or it is to be deleted"
        yield wrong(says, "make it, and give its whole ARN")


def certificate(plan: Plan, facts: "Installation") -> Iterator[Finding]:
    arn, domain = plan.value("CertificateArn"), plan.value("DomainName")
    if not arn:
        return
    described = facts.found("acm", "describe_certificate", CertificateArn=arn)
    absent: Mapping[str, Any] = {"Status": "missing", "DomainName": ""}
    found = described["Certificate"] if described else absent
    if found["Status"] != "ISSUED":
        yield wrong(f"the certificate is {found['Status']}", "validate it first, in ACM")
    names = {found["DomainName"], *found.get("SubjectAlternativeNames", [])} - {""}
    if names.isdisjoint({domain, f"*.{domain.partition('.')[2]}"}):
        says = f"the certificate is for {', '.join(sorted(names))}, not for {domain}"
        yield wrong(says, "ask ACM for one of this domain")
    ends = found.get("NotAfter")  # it has none before it is issued
    days_left = (ends - datetime.now(UTC)).days if ends else CERTIFICATE_DAYS_MIN
    if days_left < CERTIFICATE_DAYS_MIN:
        yield risk(f"the certificate ends in {days_left} days", "see in ACM whether it is renewed")


def roles(_: Plan, facts: "Installation") -> Iterator[Finding]:
    """Check the account's number of IAM roles."""
    summary = facts.client("iam").get_account_summary()["SummaryMap"]
    present, allowed = summary.get("Roles", 0), summary.get("RolesQuota", 1000)
    if present + ROLES_MADE > allowed:
        says = f"the account has {present} of {allowed} roles, the stack makes up to {ROLES_MADE}"
        yield wrong(says, "ask AWS for a higher quota")


@runs("preflight", "config_env template samconfig", directly=True)
def preflight(
    installation: "Installation", _: Said, config_env: str, template: Path, samconfig: Path
) -> Answer:
    """Report what would fail if this environment were deployed for the first time, a line each.

    Exit code 1 if something is wrong. It needs no stack, and changes nothing.
    """
    plan = read_plan(template, samconfig, config_env)
    rate, burst = float(plan.value("ThrottleRate")), int(plan.value("ThrottleBurst"))
    checks: Checks = {
        "parameters": lambda: parameters(plan),
        "account": lambda: place(plan, installation),
        "throttle": lambda: throttle(installation, rate, burst),
        "concurrency": lambda: concurrency(installation, rate),
        "reserved": lambda: reserved(plan, installation),
        "roles": lambda: roles(plan, installation),
        "log role": lambda: log_role(plan, installation),
        "SnapStart": lambda: snapshots(plan, installation),
        "secret": lambda: secret(plan, installation),
        "certificate": lambda: certificate(plan, installation),
    }
    return report(checks)


COMMANDS = {"": [preflight]}
