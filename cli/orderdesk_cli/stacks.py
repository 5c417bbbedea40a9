"""A deployed stack: found, and its operators' API reached, with the caller's AWS keys."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.exceptions import (
    ClientError,
    ConnectionError,  # noqa: A004 botocore's
    HTTPClientError,
    NoCredentialsError,
    NoRegionError,
)
from botocore.httpsession import URLLib3Session
from botocore.parsers import ResponseParserError
from botocore.session import Session
from botocore.utils import get_environ_proxies

from orderdesk_cli.api import Api, NoAnswer, Reply, StackUnavailable

# What the local emulator takes for the root of its account.
LOCAL_REGION = "us-east-1"
LOCAL_CREDENTIALS = "test"
_CONFIG = Config(connect_timeout=3, read_timeout=10, retries={"total_max_attempts": 3})
_ABSENT = {"ResourceNotFoundException", "NotFoundException", "ValidationError"}
_TIMEOUT_SECONDS = (3, 30)  # to connect, to read: API Gateway answers within 29 s


@dataclass(frozen=True, slots=True)
class Stack:
    """A deployed stack: its name, outputs, parameters, and how its last deployment ended."""

    name: str
    outputs: Mapping[str, str]
    parameters: Mapping[str, str] = field(default_factory=dict)
    status: str = "CREATE_COMPLETE"

    def output(self, name: str) -> str:
        """Return an output. Raises: StackUnavailable."""
        if name not in self.outputs:
            raise StackUnavailable(f"stack {self.name} has no output {name}: is it an orderdesk?")
        return self.outputs[name]


def session_from_environment() -> Session:
    """Create a session from the operator's AWS configuration.

    Against a local AWS_ENDPOINT_URL only credentials that the environment itself names are used.
    An operator's own AWS keys are not sent to an emulator, which would refuse them.
    """
    session = Session()
    if not session.get_config_variable("region") and os.environ.get("AWS_REGION"):
        session.set_config_variable("region", os.environ["AWS_REGION"])
    if is_local(os.environ.get("AWS_ENDPOINT_URL", "")):
        if "AWS_ACCESS_KEY_ID" not in os.environ and "AWS_PROFILE" not in os.environ:
            session.set_credentials(LOCAL_CREDENTIALS, LOCAL_CREDENTIALS)
        if not session.get_config_variable("region"):
            session.set_config_variable("region", LOCAL_REGION)
    return session


def is_local(endpoint_url: str) -> bool:
    """Return whether an endpoint is on this machine."""
    try:
        host = urlsplit(endpoint_url).hostname or ""
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Installation:
    """A stack, its operators' API and its account; nothing is read before it is used.

    The API's address is the given one, ORDERDESK_URL, or the stack's output. `doctor`, `preflight`
    and repairs look at the account with an administrator's rights; all other commands use the API.
    Its methods raise botocore's errors.
    """

    def __init__(self, session: Session, stack_name: str, url: str = "") -> None:
        self._session, self._stack_name = session, stack_name
        self._url = url or os.environ.get("ORDERDESK_URL")
        self._connections = cache(_connections)
        self.client: Callable[[str], Any] = cache(partial(session.create_client, config=_CONFIG))

    @cached_property
    def stack(self) -> Stack:
        """The stack, as CloudFormation describes it. Raises: StackUnavailable."""
        client, name = self.client("cloudformation"), self._stack_name
        place = client.meta.endpoint_url
        try:
            [found] = client.describe_stacks(StackName=name)["Stacks"]
        except (ConnectionError, HTTPClientError, ResponseParserError) as error:
            raise StackUnavailable(f"nothing answers at {place}: {error}") from None
        except ClientError as error:
            said = error.response["Error"]
            if said.get("Code") == "ValidationError":
                raise StackUnavailable(f"no stack named {name} ({self.region}, {place})") from None
            why = " ".join(said.get("Message", "no text").split())
            raise StackUnavailable(f"AWS refused to describe stack {name}: {why}") from None
        outputs, parameters = (
            {each[f"{kind}Key"]: each[f"{kind}Value"] for each in found.get(f"{kind}s", ())}
            for kind in ("Output", "Parameter")
        )
        return Stack(name, outputs, parameters, found["StackStatus"])

    @cached_property
    def api(self) -> Api:
        return Api(self.send, fetch=self.fetch)

    def send(self, path: str, body: bytes) -> Reply:
        """Send a body to a path of the API. Raises: NoAnswer, StackUnavailable."""
        base = self._url or self.stack.output("OperatorUrl")
        headers = {"Content-Type": "application/json"}
        request = AWSRequest("POST", f"{base.rstrip('/')}/{path}", data=body, headers=headers)
        credentials = self._session.get_credentials()
        if credentials is None:
            raise NoCredentialsError
        frozen = credentials.get_frozen_credentials()
        SigV4Auth(frozen, "execute-api", self.region).add_auth(request)
        return self._sent(request)

    def fetch(self, url: str) -> Reply:
        """Read a link that the API has signed. Raises: NoAnswer."""
        return self._sent(AWSRequest("GET", url))

    def _sent(self, request: AWSRequest) -> Reply:
        origin = "://".join(urlsplit(str(request.url))[:2])
        try:
            answer = self._connections(origin).send(request.prepare())
        except (ConnectionError, HTTPClientError) as error:
            raise NoAnswer(" ".join(str(error).split())) from None
        return Reply(answer.status_code, answer.content)

    @property
    def is_emulated(self) -> bool:
        """Whether the stack is on this machine's emulator."""
        return bool(os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("AWS_ENDPOINT_URL_S3"))

    @property
    def region(self) -> str:
        """The region that the credentials are used in. Raises: NoRegionError."""
        region = self._session.get_config_variable("region")
        if not region:
            raise NoRegionError
        return str(region)

    def found(self, service: str, operation: str, **named: str) -> Any:
        """Ask for one thing; None if there is none."""
        try:
            return getattr(self.client(service), operation)(**named)
        except ClientError as error:
            if error.response["Error"]["Code"] in _ABSENT:
                return None
            raise

    def pages(self, service: str, operation: str, key: str, **named: str) -> Iterator[Any]:
        """Yield the things that the pages of an answer have at a key."""
        for page in self.client(service).get_paginator(operation).paginate(**named):
            yield from page[key]

    @cached_property
    def resources(self) -> dict[str, str]:
        """The stack's physical names by their logical ids."""
        name, kept = self.stack.name, "StackResourceSummaries"
        found = self.pages("cloudformation", "list_stack_resources", kept, StackName=name)
        return {each["LogicalResourceId"]: each.get("PhysicalResourceId", "") for each in found}


def _connections(origin: str) -> URLLib3Session:
    """Return connections to an origin, which are kept between calls."""
    verify: Any = os.environ.get("AWS_CA_BUNDLE") or True
    timeout: Any = _TIMEOUT_SECONDS
    return URLLib3Session(verify, get_environ_proxies(origin), timeout)
