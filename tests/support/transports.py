"""Two ways for a browser's requests to reach the pages: the functions in this process, or HTTP.

An answer has the form in which a function answers API Gateway: statusCode, headers, body.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlencode

import httpx

type Answer = dict[str, Any]
TIMEOUT_SECONDS = None  # pytest's is the net


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What a browser sends; `names` are the route's path parameters."""

    function: str
    method: str
    route: str
    names: Mapping[str, str]
    source_ip: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class Transport(Protocol):
    """Carries a browser's requests; no redirect is followed."""

    def send(self, request: PageRequest) -> Answer:
        """Send a request to a page's function."""
        ...

    def upload(self, action: str, fields: Mapping[str, str], content: bytes) -> Answer:
        """Send a file with a page's form to the bucket; give the bucket's answer."""
        ...


class HttpTransport:
    """The gateway and the bucket of a deployed stack."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    def send(self, request: PageRequest) -> Answer:
        response = httpx.request(
            request.method,
            self._base_url + request.route.format(**request.names),
            params=dict(request.query),
            headers={**request.headers, "x-forwarded-for": request.source_ip},
            content=request.body,
            timeout=TIMEOUT_SECONDS,
        )
        return _answer(response)

    def upload(self, action: str, fields: Mapping[str, str], content: bytes) -> Answer:
        file = {"file": ("receipt", content, "application/octet-stream")}
        return _answer(httpx.post(action, data=fields, files=file, timeout=TIMEOUT_SECONDS))


def _answer(response: httpx.Response) -> Answer:
    return {
        "statusCode": response.status_code,
        "headers": response.headers,
        "body": response.text,
    }


def redirect_of_bucket(bucket: str, fields: Mapping[str, str], etag: str) -> Answer:
    """Give S3's answer to a form that it takes: back to the page, and what was stored."""
    back = fields["success_action_redirect"]
    stored = urlencode({"bucket": bucket, "key": fields["key"], "etag": etag})
    location = f"{back}{'&' if '?' in back else '?'}{stored}"
    return {"statusCode": 303, "headers": {"Location": location}, "body": ""}
