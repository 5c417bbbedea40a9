"""Find the stack and its credentials; error texts if that fails."""

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, NoCredentialsError
from botocore.session import Session

from orderdesk_cli.api import StackUnavailable
from orderdesk_cli.complaints import complaint_about
from orderdesk_cli.stacks import LocalSession, is_local, session_from_environment

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
