"""`orderdesk preflight` reads an account that has no stack yet."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from botocore.session import Session
from click.testing import CliRunner
from moto import mock_aws

from orderdesk_cli.api import StackUnavailable
from orderdesk_cli.commands import Invocation
from orderdesk_cli.installation import Installation
from orderdesk_cli.main import app
from orderdesk_cli.stacks import Stack
from tests.support.template import ROOT

REGION = "ap-east-1"
DOMAIN = "api.example.com"


def client(session: Session, service: str) -> Any:
    return session.create_client(service)


def installation(session: Session, **outputs: str) -> Installation:
    return Installation(session, lambda: Stack("desk", outputs), pytest.fail)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    return Session()


@mock_aws
def test_the_facts_of_an_empty_account(session: Session) -> None:
    facts = installation(session)
    assert (facts.region, facts.account()) == (REGION, "123456789012")
    here = f"arn:aws:secretsmanager:{REGION}:123456789012:secret:t-AbC123"
    assert facts.has_secret(here) is False
    assert facts.certificate(f"arn:aws:acm:{REGION}:123456789012:certificate/1")[0] == "missing"
    present, allowed = facts.roles()
    assert present < allowed


@mock_aws
def test_the_busiest_minute_of_a_day(session: Session) -> None:
    account = installation(session, CreateOrderFunctionName="desk-create-order")
    assert account.busiest_minute() == 0
    minute = datetime.now(UTC).replace(second=0, microsecond=0)
    calls = [(minute - timedelta(hours=2), 900), (minute - timedelta(hours=1), 16_000)]
    calls.append((minute - timedelta(days=2), 90_000))  # before that day
    dimensions = [{"Name": "FunctionName", "Value": "desk-create-order"}]
    client(session, "cloudwatch").put_metric_data(
        Namespace="AWS/Lambda",
        MetricData=[
            {"MetricName": "Invocations", "Dimensions": dimensions, "Timestamp": at, "Value": count}
            for at, count in calls
        ],
    )
    assert account.busiest_minute() == 16_000


@mock_aws
def test_secret_and_certificate_as_they_are(session: Session) -> None:
    manager = client(session, "secretsmanager")
    arn = manager.create_secret(Name="tencent", SecretString="{}")["ARN"]
    facts = installation(session)
    assert facts.has_secret(arn) is True
    manager.delete_secret(SecretId=arn)
    assert facts.has_secret(arn) is False
    acm = client(session, "acm")
    arn = acm.request_certificate(DomainName=DOMAIN, SubjectAlternativeNames=["*.example.com"])
    status, names, _ = facts.certificate(arn["CertificateArn"])
    assert status in {"PENDING_VALIDATION", "ISSUED"}
    assert names == {DOMAIN, "*.example.com"}


@mock_aws
def test_the_command_needs_no_stack_and_exits_with_1(session: Session, tmp_path: Path) -> None:
    """moto here has no API Gateway and CloudFormation: checks that fail are listed too."""

    def none() -> Stack:
        raise StackUnavailable("it is not deployed")

    samconfig = tmp_path / "samconfig.toml"
    samconfig.write_text(
        '[prod.deploy.parameters]\nstack_name = "desk"\nregion = "us-east-1"\n'
        'parameter_overrides = ["IdentityProvider=sandbox", "AlarmEmail=ops@example.com"]\n'
    )
    without_rights = {"apigateway"}
    place = Installation(session, none, pytest.fail)
    clients = place._client
    place._client = lambda name: _Refusing() if name in without_rights else clients(name)
    words = ("preflight", "--config-env", "prod", "--samconfig", str(samconfig))
    obj = Invocation(open_installation=lambda *_: place)
    template = ("--template", str(ROOT / "template.yaml"), "--json")
    result = CliRunner().invoke(app, [*words, *template], obj=obj)
    assert result.exit_code == 1
    found = {(each["level"], each["check"]) for each in json.loads(result.stdout)}
    assert {("risk", "parameters"), ("wrong", "account"), ("risk", "log role")} <= found
    assert ("wrong", "parameters") not in found


class _Refusing:
    """A client that has no rights."""

    def __getattr__(self, operation: str) -> object:
        raise ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, operation)
