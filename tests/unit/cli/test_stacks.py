"""Find the stack and its credentials; error texts if that fails."""

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, NoCredentialsError
from botocore.session import Session
from botocore.stub import Stubber

from orderdesk_cli.complaints import complaint_about
from orderdesk_cli.stacks import (
    LocalSession,
    StackUnavailable,
    find_stack,
    is_local,
    session_from_environment,
)

AWS_NAMES = (
    *("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"),
    *("AWS_DEFAULT_REGION", "AWS_REGION", "AWS_ENDPOINT_URL"),
)


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in AWS_NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


def identity_of(session: Session) -> tuple[str | None, str | None]:
    credentials = session.get_credentials()
    region = session.get_config_variable("region")
    return (None if credentials is None else credentials.access_key), region


LOCAL = {"AWS_ENDPOINT_URL": "http://localhost:4566"}
NAMED = {
    "AWS_ACCESS_KEY_ID": "mine",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_REGION": "eu-central-1",
}


@pytest.mark.parametrize(
    ("environment", "identity"),
    [({}, (None, None)), (LOCAL, ("test", "us-east-1")), (LOCAL | NAMED, ("mine", "eu-central-1"))],
    ids=["a real account", "local", "local and named"],
)
def test_only_a_local_endpoint_has_credentials_that_nobody_named(
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    identity: tuple[str | None, str | None],
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert identity_of(session_from_environment()) == identity


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:4566", True),
        ("http://api.localhost:1", True),
        ("http://127.0.0.2", True),
        ("http://[::1]:4566", True),
        ("https://dynamodb.us-east-1.amazonaws.com", False),
        ("http://localhost.example.com", False),
        ("http://10.0.0.1", False),
        ("http://[", False),
        ("", False),
    ],
)
def test_which_endpoints_are_local(url: str, local: bool) -> None:  # noqa: FBT001
    assert is_local(url) is local


def stubbed(monkeypatch: pytest.MonkeyPatch) -> tuple[Session, Stubber]:
    session = Session()
    session.set_credentials("a", "b")
    client = session.create_client("cloudformation", region_name="us-east-1")
    monkeypatch.setattr(session, "create_client", lambda *_, **__: client)
    return session, Stubber(client)


def test_outputs_and_parameters_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    session, stub = stubbed(monkeypatch)
    described = {
        "StackName": "orderdesk",
        "CreationTime": "2026-01-01T00:00:00Z",
        "StackStatus": "CREATE_COMPLETE",
        "Outputs": [{"OutputKey": "BaseUrl", "OutputValue": "https://x"}],
        "Parameters": [
            {"ParameterKey": "AllowLocalTargets", "ParameterValue": "true"},
            {"ParameterKey": "RotationShards", "ParameterValue": "4"},
        ],
    }
    stub.add_response("describe_stacks", {"Stacks": [described]}, {"StackName": "orderdesk"})
    with stub:
        stack = find_stack(session, "orderdesk")
    assert stack.output("BaseUrl") == "https://x"
    assert stack.parameters == {"AllowLocalTargets": "true", "RotationShards": "4"}
    with pytest.raises(StackUnavailable, match="MerchantsTableName"):
        stack.output("MerchantsTableName")


def test_a_stack_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    session, stub = stubbed(monkeypatch)
    stub.add_client_error("describe_stacks", "ValidationError", "Stack with id x does not exist")
    with stub, pytest.raises(StackUnavailable, match="no stack named x"):
        find_stack(session, "x")


def test_an_endpoint_where_nothing_answers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "http://localhost:1"
    monkeypatch.setenv("AWS_ENDPOINT_URL", url)
    with pytest.raises(StackUnavailable, match=url):
        find_stack(session_from_environment(), "orderdesk")


DENIED = ClientError({"Error": {"Code": "AccessDenied", "Message": "not\nyou"}}, "Scan")


@pytest.mark.parametrize(
    ("error", "exit_code"),
    [
        (StackUnavailable("no stack"), 1),
        (DENIED, 1),
        (NoCredentialsError(), 1),
        (EndpointConnectionError(endpoint_url="http://x"), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_goes_wrong_is_told_in_one_line(error: Exception, exit_code: int) -> None:
    complaint = complaint_about(error, None, writes=False)
    assert complaint is not None
    assert complaint.exit_code == exit_code
    [line] = complaint.lines
    assert line
    assert "\n" not in line


def test_a_local_session_goes_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "https://elsewhere.example.com")
    client = LocalSession("http://localhost:1").create_client("kms")
    assert client.meta.endpoint_url == "http://localhost:1"
    assert client.meta.region_name == "us-east-1"


def test_a_bug_is_not_explained_away() -> None:
    assert complaint_about(KeyError("x"), None, writes=False) is None
