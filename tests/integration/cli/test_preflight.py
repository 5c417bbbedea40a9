"""`orderdesk preflight` reads an account that has no stack yet."""

import json
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
    clients = place.client
    place.client = lambda name: _Refusing() if name in without_rights else clients(name)
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
