"""Reaches the operators' API over HTTP: finds its address and signs with the caller's AWS keys.

CloudFormation is asked by a request signed here: a client of botocore would read its models, which
takes longer than all the rest of a command.
"""

import os
from collections.abc import Mapping
from functools import cached_property
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.exceptions import (
    ConnectionError,  # noqa: A004 botocore's
    HTTPClientError,
    NoCredentialsError,
    NoRegionError,
)
from botocore.httpsession import URLLib3Session
from botocore.session import Session
from botocore.utils import get_environ_proxies

from orderdesk_cli.api import NoAnswer, Reply
from orderdesk_cli.stacks import StackUnavailable

URL_OUTPUT = "OperatorUrl"
_TIMEOUT_SECONDS = (3, 30)  # to connect, to read: API Gateway answers within 29 s


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
        return self._url or os.environ.get("ORDERDESK_URL") or self._output_of_stack()

    def _output_of_stack(self) -> str:
        form = {"Action": "DescribeStacks", "Version": "2010-05-15", "StackName": self._stack_name}
        place = self._cloudformation_url
        headers = {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}
        try:
            reply = self._post("cloudformation", place, urlencode(form).encode(), headers)
        except NoAnswer as error:
            raise StackUnavailable(f"nothing answers at {place}: {error}") from None
        if reply.status == HTTPStatus.BAD_REQUEST and b"ValidationError" in reply.body:
            raise StackUnavailable(f"no stack named {self._stack_name} ({self._region}, {place})")
        if reply.status != HTTPStatus.OK:
            raise StackUnavailable(
                f"AWS refused to describe stack {self._stack_name}: {_error_of(reply.body)}"
            )
        outputs = _outputs(reply.body)
        if URL_OUTPUT not in outputs:
            raise StackUnavailable(
                f"stack {self._stack_name} has no output {URL_OUTPUT}: is it an orderdesk?"
            )
        return outputs[URL_OUTPUT]

    @property
    def _cloudformation_url(self) -> str:
        named = os.environ.get("AWS_ENDPOINT_URL_CLOUDFORMATION", "") or os.environ.get(
            "AWS_ENDPOINT_URL", ""
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


def _outputs(document: bytes) -> dict[str, str]:
    """Read the outputs in CloudFormation's answer."""
    found = _parsed(document).iterfind(".//{*}Outputs/{*}member")
    return {e.findtext("{*}OutputKey", ""): e.findtext("{*}OutputValue", "") for e in found}


def _error_of(document: bytes) -> str:
    try:
        text = _parsed(document).findtext(".//{*}Message")
    except ET.ParseError:
        text = None
    return " ".join((text or "no text").split())


def _parsed(document: bytes) -> ET.Element:
    return ET.fromstring(document)  # noqa: S314 from AWS, or the emulator
