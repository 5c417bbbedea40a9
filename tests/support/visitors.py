"""Browsers without JavaScript: their requests, in this process or over HTTP, and their forms.

An answer has the form in which a function answers API Gateway: statusCode, headers, body.
"""

import html
import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx

if TYPE_CHECKING:
    from tests.support.seed import Seed

type Answer = dict[str, Any]
FORM_TYPE = "application/x-www-form-urlencoded"
OWN_PAGE = {"Sec-Fetch-Site": "same-origin", "Origin": "null"}
_FORM = re.compile(r'<form[^>]*action="(?P<url>[^"]+)"[^>]*multipart.*?</form>', re.DOTALL)
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A browser's request; `names` are the route's path parameters."""

    function: str
    method: str
    route: str
    names: Mapping[str, str]
    source_ip: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class Transport(Protocol):
    """Sends a browser's requests; follows no redirect."""

    def send(self, request: PageRequest) -> Answer:
        """Send a request to a page's function."""
        ...

    def upload(self, action: str, fields: Mapping[str, str], content: bytes) -> Answer:
        """Post a file with a page's form to the bucket."""
        ...


class HttpTransport:
    """The gateway and the bucket of a deployed stack."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    def send(self, request: PageRequest) -> Answer:
        response = httpx.request(
            request.method,
            self._base_url + request.route.replace("+}", "}").format(**request.names),
            params=dict(request.query),
            headers={**request.headers, "x-forwarded-for": request.source_ip},
            content=request.body,
            timeout=None,
        )
        return _answer(response)

    def upload(self, action: str, fields: Mapping[str, str], content: bytes) -> Answer:
        file = {"file": ("receipt", content, "application/octet-stream")}
        return _answer(httpx.post(action, data=fields, files=file, timeout=None))


def threaded_http(base_url: str = "") -> httpx.Client:
    """Return a client for any number of threads, with a new connection a request.

    httpcore may close a kept connection that has expired while another thread begins to use it.
    """
    limits = httpx.Limits(max_connections=None)
    headers = {"connection": "close"}
    return httpx.Client(base_url=base_url, timeout=None, limits=limits, headers=headers)


def _answer(response: httpx.Response) -> Answer:
    return {"statusCode": response.status_code, "headers": response.headers, "body": response.text}


def redirect_of_bucket(bucket: str, fields: Mapping[str, str], etag: str) -> Answer:
    """Return S3's answer to an accepted form: a redirect to the page, with what was stored."""
    back = fields["success_action_redirect"]
    stored = urlencode({"bucket": bucket, "key": fields["key"], "etag": etag})
    location = f"{back}{'&' if '?' in back else '?'}{stored}"
    return {"statusCode": 303, "headers": {"Location": location}, "body": ""}


@dataclass(frozen=True, slots=True)
class UploadForm:
    """The address and the hidden fields of a page's upload form; empty if it has none."""

    action: str = ""
    fields: dict[str, str] = field(default_factory=dict)

    @classmethod
    def on(cls, page: str) -> "UploadForm":
        form = _FORM.search(page)
        return cls(html.unescape(form["url"]), hidden_fields(form[0])) if form else cls()

    def upload(
        self, transport: Transport, content: bytes, changed: Mapping[str, str] | None = None
    ) -> Answer:
        """Post a file with the form; `changed` are fields that the sender has altered."""
        assert self.action, "the page has no upload form"
        return transport.upload(self.action, {**self.fields, **(changed or {})}, content)


def any_address() -> str:
    """Return a random documentation address, because logins are limited by address."""
    return f"198.51.100.{1 + secrets.randbelow(254)}"


@dataclass(slots=True)
class Browser:
    """A browser at one function's pages; answers set and clear its cookie.

    The seed's transport sends its requests.
    """

    seed: "Seed"
    cookie: str = field(default="", repr=False, kw_only=True)
    source_ip: str = field(default_factory=any_address, kw_only=True)
    function: ClassVar[str]
    cookie_name: ClassVar[str] = ""

    def sent(
        self,
        method: str,
        route: str,
        names: Mapping[str, str],
        *,
        query: Mapping[str, str] | None,
        headers: Mapping[str, str],
        body: bytes,
    ) -> Answer:
        """Send a request with the cookie, and store the cookie of the answer."""
        # Written by hand: no client sends a Secure cookie to a local stack without TLS.
        cookie = {"Cookie": f"a=b; {self.cookie_name}={self.cookie}"} if self.cookie else {}
        headers = {"Content-Type": FORM_TYPE, **headers, **cookie}
        request = PageRequest(
            self.function, method, route, names, self.source_ip, dict(query or {}), headers, body
        )
        answer = self.seed.transport().send(request)
        if set_cookie := answer["headers"].get("Set-Cookie"):
            self.cookie = set_cookie.partition(";")[0].partition("=")[2]
        return answer

    def stored(
        self,
        page: Answer,
        content: bytes,
        come_back: Callable[[Mapping[str, str]], Answer],
        changed: Mapping[str, str] | None = None,
    ) -> Answer:
        """Upload a file with a page's form and follow the bucket's redirect with `come_back`.

        Return the bucket's answer if it refuses the file.
        """
        answer = UploadForm.on(page["body"]).upload(self.seed.transport(), content, changed)
        if answer["statusCode"] != httpx.codes.SEE_OTHER:
            return answer
        return come_back(query_of_return(answer))


def hidden_fields(page: str) -> dict[str, str]:
    return {name: html.unescape(value) for name, value in _HIDDEN.findall(page)}


def query_of_return(stored: Answer) -> dict[str, str]:
    """Return the query of the bucket's redirect back to the page."""
    return dict(parse_qsl(urlsplit(stored["headers"]["Location"]).query))


def kept_query(query: Mapping[str, str]) -> dict[str, str]:
    """Return the part of a returning browser's query that the page's button sends again."""
    return {name: value for name, value in query.items() if name in {"lang", "stay"}}


def without_chance(answer: Answer) -> str:
    """Return the response without its request id and nonce."""
    headers = dict(answer["headers"])
    text = json.dumps({**answer, "headers": headers}).replace(headers.pop("x-request-id"), "")
    return re.sub(r"nonce[-=][\\\"\w-]+", "", text)
