"""Requests to the deployed operators' API, signed as an operator's client signs them."""

import json
from dataclasses import dataclass
from typing import Any

import httpx
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from local.emulator import REGION

SERVICE = "execute-api"


@dataclass(frozen=True)
class Keys:
    """An access key, and the token of a role's session."""

    access_key_id: str
    secret_access_key: str
    token: str | None = None


ROOT = Keys("test", "test")


def signed_headers(
    keys: Keys, url: str, body: bytes, *, service: str = SERVICE, region: str = REGION
) -> dict[str, str]:
    """Return the headers of a POST with its signature."""
    request = AWSRequest("POST", url, {"Content-Type": "application/json"}, body)
    credentials = Credentials(keys.access_key_id, keys.secret_access_key, keys.token)
    SigV4Auth(credentials, service, region).add_auth(request)
    return dict(request.headers.items())


def call(url: str, keys: Keys, command: str, /, **parameters: Any) -> httpx.Response:
    """Call a command of the API at a URL; `command` is the rest of the path."""
    body = json.dumps(parameters).encode()
    address = f"{url}/{command}"
    headers = signed_headers(keys, address, body)
    return httpx.post(address, content=body, headers=headers, timeout=None)
