"""Finding a deployed stack: its outputs and parameters, read from CloudFormation."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from botocore.config import Config
from botocore.exceptions import ClientError, EndpointConnectionError
from botocore.session import Session

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient

# What the local emulator takes for the root of its account.
LOCAL_REGION = "us-east-1"
LOCAL_CREDENTIALS = "test"

CONFIG = Config(connect_timeout=3, read_timeout=10, retries={"total_max_attempts": 3})


def error_code(error: ClientError) -> str:
    """Return the code of a refusal by AWS."""
    return str(error.response.get("Error", {}).get("Code", ""))


class StackUnavailable(Exception):
    """The stack cannot be worked on from here; the text says why."""


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
        self._endpoint_url = endpoint_url
        self.set_credentials(LOCAL_CREDENTIALS, LOCAL_CREDENTIALS)
        self.set_config_variable("region", region)

    def create_client(self, *arguments: Any, **named: Any) -> Any:
        """Create a client of the endpoint."""
        return super().create_client(*arguments, **{"endpoint_url": self._endpoint_url, **named})


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


def is_emulated(session: Session) -> bool:
    """Return whether S3 is an emulator's, at an address of its own."""
    named = os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("AWS_ENDPOINT_URL_S3")
    return isinstance(session, LocalSession) or bool(named)


def find_stack(session: Session, name: str) -> Stack:
    """Read a stack's outputs and parameters. Raises: StackUnavailable, botocore's errors."""
    client = cast("CloudFormationClient", session.create_client("cloudformation", config=CONFIG))
    try:
        described = client.describe_stacks(StackName=name)["Stacks"][0]
    except EndpointConnectionError as error:
        url = error.kwargs["endpoint_url"]
        raise StackUnavailable(f"nothing answers at {url}: is it running?") from None
    except ClientError as error:
        if error_code(error) == "ValidationError":
            where = f"{client.meta.region_name}, {client.meta.endpoint_url}"
            raise StackUnavailable(f"no stack named {name} ({where})") from None
        raise
    return Stack(
        name=name,
        outputs={o["OutputKey"]: o["OutputValue"] for o in described.get("Outputs", [])},
        parameters={
            p["ParameterKey"]: p["ParameterValue"] for p in described.get("Parameters", [])
        },
        status=described["StackStatus"],
    )
