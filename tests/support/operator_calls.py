"""Requests to the deployed operators' API, signed as an operator's client signs them."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3
import httpx
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from local.emulator import REGION
from local.stack import Stack


@dataclass(frozen=True)
class Keys:
    """An access key, and the token of a role's session."""

    access_key_id: str
    secret_access_key: str
    token: str | None = None

    @classmethod
    def of(cls, operator: Mapping[str, str]) -> "Keys":
        """Return the keys of an operator of stack.json."""
        return cls(operator["access_key_id"], operator["secret_access_key"])

    def client(self, stack: Stack, service: str) -> Any:
        """Create a client of an emulated service with these keys."""
        session = boto3.Session(
            self.access_key_id, self.secret_access_key, self.token, region_name=REGION
        )
        return session.client(service, endpoint_url=stack.endpoint_url)  # type: ignore[call-overload]


ROOT = Keys("test", "test")


def signed_headers(keys: Keys, url: str, body: bytes) -> dict[str, str]:
    """Return the headers of a POST with its signature."""
    request = AWSRequest("POST", url, {"Content-Type": "application/json"}, body)
    credentials = Credentials(keys.access_key_id, keys.secret_access_key, keys.token)
    SigV4Auth(credentials, "execute-api", REGION).add_auth(request)
    return dict(request.headers.items())


def call(stack: Stack, keys: Keys, path: str, /, **parameters: Any) -> httpx.Response:
    """Call the API; `path` is a command, or `solo/` and a command."""
    url, body = f"{stack.outputs['OperatorUrl']}/{path}", json.dumps(parameters).encode()
    return httpx.post(url, content=body, headers=signed_headers(keys, url, body), timeout=None)


def is_refused_by_aws(response: httpx.Response) -> bool:
    """Return whether AWS refused the request, so that it did not reach the function."""
    return response.status_code == httpx.codes.FORBIDDEN and "code" not in response.json()


@contextmanager
def session_of(stack: Stack, role: str, person: str, policies: tuple[str, ...]) -> Iterator[Keys]:
    """Create a role with the policies of these outputs; yield the keys of a person's session."""
    iam, sts = stack.client("iam"), stack.client("sts")
    trust = {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Principal": {"AWS": "arn:aws:iam::000000000000:root"},
                "Action": "sts:AssumeRole",
            }
        ],
    }
    made = iam.create_role(RoleName=role, AssumeRolePolicyDocument=json.dumps(trust))
    arns = [stack.outputs[each] for each in policies]
    try:
        for arn in arns:
            iam.attach_role_policy(RoleName=role, PolicyArn=arn)
        answer = sts.assume_role(RoleArn=made["Role"]["Arn"], RoleSessionName=person)
        given = answer["Credentials"]
        yield Keys(given["AccessKeyId"], given["SecretAccessKey"], given["SessionToken"])
    finally:
        for arn in arns:
            iam.detach_role_policy(RoleName=role, PolicyArn=arn)
        iam.delete_role(RoleName=role)


TRY_AGAIN = 5001
_LOOKING = "viewer-1"
"""Sees a proposal's digest, and nothing that would be audited."""


class Refused(Exception):
    """An answer other than 1; nothing was changed."""

    def __init__(self, status: int, envelope: Mapping[str, Any]) -> None:
        super().__init__(f"{status} {envelope}")
        self.status, self.code, self.data = status, envelope["code"], envelope["data"]


@dataclass(frozen=True)
class People:
    """Calls as a named operator of stack.json."""

    stack: Stack
    operators: list[dict[str, str]]

    def call(self, person: str, command: str, /, **parameters: Any) -> Any:
        """Call a command, again while the answer is 5001; return its data. Raises: Refused.

        A proposal is approved as by a person who has seen it.
        """
        if command == "proposal.approve":
            shown = self.call(_LOOKING, "proposal.show", proposal_no=parameters["proposal_no"])
            parameters["digest"] = shown["digest"]
        [keys] = [Keys.of(each) for each in self.operators if each["name"] == person]
        while True:
            answer = call(self.stack, keys, command, **parameters)
            envelope = answer.json()
            if envelope.get("code") == 1:
                return envelope["data"]
            if envelope.get("code") != TRY_AGAIN:
                raise Refused(answer.status_code, {"code": None, "data": envelope} | envelope)
