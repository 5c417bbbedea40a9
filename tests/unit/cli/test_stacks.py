"""A stack is found, and requests to its API are signed as AWS checks them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError, EndpointConnectionError, NoCredentialsError
from botocore.session import Session

from orderdesk_cli.api import NoAnswer, StackUnavailable
from orderdesk_cli.complaints import complaint_about
from orderdesk_cli.stacks import Installation, is_local, session_from_environment
from tests.support.served import served as serving

KEYS = Credentials("AKIDEXAMPLE", "secret", "session-token")
REGION = "ap-east-1"
STACKS = """<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">
<DescribeStacksResult><Stacks><member><Outputs><member><OutputKey>{name}</OutputKey>
<OutputValue>{url}</OutputValue></member></Outputs><Parameters><member>
<ParameterKey>RotationShards</ParameterKey><ParameterValue>4</ParameterValue></member><member>
<ParameterKey>AlarmEmail</ParameterKey><ParameterValue/></member></Parameters>
<StackStatus>UPDATE_COMPLETE</StackStatus></member></Stacks></DescribeStacksResult>
</DescribeStacksResponse>"""
REFUSED = "<ErrorResponse><Error><Message>The signature\nis wrong</Message></Error></ErrorResponse>"
NO_STACK = "<ErrorResponse><Error><Code>ValidationError</Code></Error></ErrorResponse>"


@dataclass
class Aws:
    """CloudFormation and the API on one port; each checks the signature with botocore."""

    url: str = ""
    output: str = "OperatorUrl"
    refusals: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def answer(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, str]:
        form = parse_qs(body.decode())
        service = "cloudformation" if "Action" in form else "execute-api"
        self.paths.append(path)
        if headers["Authorization"] != self.signature(service, path, headers, body):
            self.refusals.append(path)
            return 403, REFUSED
        if service == "execute-api":
            return 200, body.decode()
        if form["StackName"] != ["orderdesk"]:
            return 400, NO_STACK
        return 200, STACKS.format(name=self.output, url=f"{self.url}/v1")

    def signature(self, service: str, path: str, headers: dict[str, str], body: bytes) -> str:
        """Sign what arrived, at the time that it names."""
        signed = headers["Authorization"].partition("SignedHeaders=")[2].partition(",")[0]
        kept = {name: value for name, value in headers.items() if name.lower() in signed.split(";")}
        request = AWSRequest("POST", f"{self.url}{path}", headers=kept, data=body)
        request.context["timestamp"] = headers["X-Amz-Date"]
        auth = SigV4Auth(KEYS, service, REGION)
        canonical = auth.canonical_request(request)
        return (
            f"AWS4-HMAC-SHA256 Credential={auth.scope(request)}, SignedHeaders={signed}, "
            f"Signature={auth.signature(auth.string_to_sign(request, canonical), request)}"
        )


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[Aws]:
    served = Aws()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, text = served.answer(self.path, dict(self.headers.items()), body)
            self.send_response(status)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as server:
        served.url = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setenv("AWS_ENDPOINT_URL", served.url)
        monkeypatch.delenv("ORDERDESK_URL", raising=False)
        yield served


def installation(keys: Credentials = KEYS, stack: str = "orderdesk") -> Installation:
    session = Session()
    session.set_credentials(keys.access_key, keys.secret_key, keys.token)
    session.set_config_variable("region", REGION)
    return Installation(session, stack)


def test_the_signature_is_the_one_that_aws_computes(aws: Aws) -> None:
    body = '{"order_no": "B1", "text": "为什么"}'.encode()
    sent = installation().send
    for path in ("order.show", "solo/order.ask"):
        reply = sent(path, body)
        assert (reply.status, reply.body) == (200, body)
    assert aws.refusals == []
    assert aws.paths == ["/", "/v1/order.show", "/v1/solo/order.ask"], "one look for the stack"


def test_a_wrong_secret_is_refused(aws: Aws, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORDERDESK_URL", f"{aws.url}/v1/")
    wrong = Credentials(KEYS.access_key, "another", KEYS.token)
    assert installation(wrong).send("order.list", b"{}").status == 403
    assert aws.refusals == ["/v1/order.list"]


def test_a_stack_that_is_not_there_or_has_no_such_api_is_named(aws: Aws) -> None:
    with pytest.raises(StackUnavailable, match="no stack named nobodys"):
        installation(stack="nobodys").send("order.list", b"{}")
    aws.output = "Other"
    with pytest.raises(StackUnavailable, match="no output OperatorUrl"):
        installation().send("order.list", b"{}")


def test_outputs_and_parameters_are_read(aws: Aws) -> None:
    stack = installation().stack
    assert stack.outputs == {"OperatorUrl": f"{aws.url}/v1"}
    assert stack.parameters == {"RotationShards": "4", "AlarmEmail": ""}
    assert (stack.name, stack.status) == ("orderdesk", "UPDATE_COMPLETE")


def test_what_aws_refuses_is_named(aws: Aws) -> None:
    wrong = Credentials(KEYS.access_key, "another", KEYS.token)
    with pytest.raises(StackUnavailable, match="describe stack orderdesk: The signature is wrong"):
        _ = installation(wrong).stack


def test_an_endpoint_where_cloudformation_does_not_answer_is_named(
    aws: Aws, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aws, "answer", lambda *_: (200, "{}"))
    for url in (aws.url, "http://127.0.0.1:1"):
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        with pytest.raises(StackUnavailable, match=f"nothing answers at {url}"):
            _ = installation().stack


def test_a_port_where_nothing_answers_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORDERDESK_URL", "http://127.0.0.1:1/v1")
    with pytest.raises(NoAnswer):
        installation().send("order.list", b"{}")


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
