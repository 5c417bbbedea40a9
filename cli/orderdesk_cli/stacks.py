"""A deployed stack: found, and its operators' API reached, with the caller's AWS keys.

CloudFormation is asked by a request signed here: a client of botocore would read its models, which
takes longer than all the rest of a command.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlencode, urlsplit
from xml.etree import ElementTree as ET

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


class LocalSession(Session):
    """A session for one endpoint on this machine, whatever the environment says."""

    def __init__(self, endpoint_url: str, region: str = LOCAL_REGION) -> None:
        super().__init__()
        self.endpoint_url = endpoint_url
        self.set_credentials(LOCAL_CREDENTIALS, LOCAL_CREDENTIALS)
        self.set_config_variable("region", region)

    def create_client(self, *arguments: Any, **named: Any) -> Any:
        """Create a client of the endpoint."""
        return super().create_client(*arguments, **{"endpoint_url": self.endpoint_url, **named})


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


class SignedTransport:
    """Sends bodies to the API of a stack; without a `url` the stack is looked up at the first."""

    def __init__(self, session: Session, stack_name: str, url: str = "") -> None:
        self._session = session
        self._stack_name = stack_name
        self._url = url
        self._sessions: dict[str, URLLib3Session] = {}

    def __call__(self, path: str, body: bytes) -> Reply:
        """Send a body to a path. Raises: NoAnswer, StackUnavailable, botocore's errors."""
        headers = {"Content-Type": "application/json"}
        return self._post("execute-api", f"{self.url.rstrip('/')}/{path}", body, headers)

    def fetch(self, url: str) -> Reply:
        """Read a link that the API has signed. Raises: NoAnswer."""
        return self._sent("s3", url, AWSRequest("GET", url))

    @cached_property
    def url(self) -> str:
        """The API's address: the given one, ORDERDESK_URL, or the stack's output.

        Raises: StackUnavailable.
        """
        return self._url or os.environ.get("ORDERDESK_URL") or self.stack.output("OperatorUrl")

    @cached_property
    def stack(self) -> Stack:
        """The stack, as CloudFormation describes it. Raises: StackUnavailable."""
        form = {"Action": "DescribeStacks", "Version": "2010-05-15", "StackName": self._stack_name}
        place = self._cloudformation_url
        headers = {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}
        try:
            reply = self._post("cloudformation", place, urlencode(form).encode(), headers)
        except NoAnswer as error:
            raise StackUnavailable(f"nothing answers at {place}: {error}") from None
        if reply.status == HTTPStatus.BAD_REQUEST and b"ValidationError" in reply.body:
            raise StackUnavailable(f"no stack named {self._stack_name} ({self._region}, {place})")
        try:
            found = ET.fromstring(reply.body)  # noqa: S314 from AWS, or the emulator
        except ET.ParseError:
            found = ET.Element("")
        if reply.status != HTTPStatus.OK:
            why = " ".join((found.findtext(".//{*}Message") or "no text").split())
            raise StackUnavailable(f"AWS refused to describe stack {self._stack_name}: {why}")
        pairs = {
            kind: {
                each.findtext(f"{{*}}{kind}Key", ""): each.findtext(f"{{*}}{kind}Value", "")
                for each in found.iterfind(f".//{{*}}{kind}s/{{*}}member")
            }
            for kind in ("Output", "Parameter")
        }
        status = found.findtext(".//{*}StackStatus", "")
        return Stack(self._stack_name, pairs["Output"], pairs["Parameter"], status)

    @property
    def _cloudformation_url(self) -> str:
        if isinstance(self._session, LocalSession):
            return self._session.endpoint_url
        named = os.environ.get("AWS_ENDPOINT_URL_CLOUDFORMATION") or os.environ.get(
            "AWS_ENDPOINT_URL"
        )
        suffix = ".cn" if self._region.startswith("cn-") else ""
        return named or f"https://cloudformation.{self._region}.amazonaws.com{suffix}/"

    @cached_property
    def _region(self) -> str:
        region = self._session.get_config_variable("region")
        if not region:
            raise NoRegionError
        return str(region)

    def _http(self, service: str, url: str) -> URLLib3Session:
        """Return a service's connections, which are kept between calls."""
        if service not in self._sessions:
            verify: Any = os.environ.get("AWS_CA_BUNDLE") or True
            timeout: Any = _TIMEOUT_SECONDS
            proxies = get_environ_proxies(url)
            self._sessions[service] = URLLib3Session(verify, proxies, timeout)
        return self._sessions[service]

    def _post(self, service: str, url: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Send a signed POST. Raises: NoAnswer, NoCredentialsError, NoRegionError."""
        request = AWSRequest("POST", url, data=body, headers=dict(headers))
        credentials = self._session.get_credentials()
        if credentials is None:
            raise NoCredentialsError
        frozen = credentials.get_frozen_credentials()
        SigV4Auth(frozen, service, self._region).add_auth(request)
        return self._sent(service, url, request)

    def _sent(self, service: str, url: str, request: AWSRequest) -> Reply:
        try:
            answer = self._http(service, url).send(request.prepare())
        except (ConnectionError, HTTPClientError) as error:
            raise NoAnswer(" ".join(str(error).split())) from None
        return Reply(answer.status_code, answer.content)


class Installation:
    """A stack, its operators' API and its account; nothing is read before it is used.

    `doctor`, `preflight` and repairs look at the account with an administrator's rights; all other
    commands use the API. Its methods raise botocore's errors.
    """

    def __init__(self, session: Session, stack_name: str) -> None:
        self._session = session
        self._transport = SignedTransport(session, stack_name)
        self.client: Callable[[str], Any] = cache(partial(session.create_client, config=_CONFIG))

    @cached_property
    def stack(self) -> Stack:
        """The stack. Raises: StackUnavailable, botocore's errors."""
        return self._transport.stack

    @cached_property
    def api(self) -> Api:
        """The stack's operators' API."""
        return Api(self._transport, fetch=self._transport.fetch)

    @property
    def is_emulated(self) -> bool:
        """Whether the stack is on this machine's emulator."""
        named = os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("AWS_ENDPOINT_URL_S3")
        return isinstance(self._session, LocalSession) or bool(named)

    @property
    def region(self) -> str:
        """The region that the credentials are used in."""
        return str(self.client("sts").meta.region_name)

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
