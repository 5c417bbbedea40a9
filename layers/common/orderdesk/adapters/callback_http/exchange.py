"""One HTTP request and its response over an open connection, with http.client."""

import ssl
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, parse_headers
from typing import Final, override

from orderdesk.adapters.callback_http.wire import Wire
from orderdesk.domain.callbacks.target import CallbackTarget

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_FIRST_FINAL_STATUS: Final = 200
_SWITCHED: Final = HTTPStatus.SWITCHING_PROTOCOLS
_RETRY_AFTER_LENGTH: Final = 64
_OWN_HEADERS: Final = frozenset(
    {"accept-encoding", "connection", "content-length", "host", "transfer-encoding"}
)


@dataclass(frozen=True, slots=True)
class Post:
    """The request to send, by default a POST.

    Raises: ValueError for a header that the sender itself must set.
    """

    target: CallbackTarget
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    method: str = "POST"

    def __post_init__(self) -> None:
        if not _OWN_HEADERS.isdisjoint(name.lower() for name in self.headers):
            raise ValueError("the sender sets connection, encodings, host and length itself")


@dataclass(slots=True)
class Answer:
    """The part of a response that was read; it stays incomplete after an error.

    `status` is set once the whole head was read.
    """

    status: int | None = None
    retry_after: str | None = None
    body: bytearray = field(default_factory=bytearray)


class _FinalResponse(HTTPResponse):
    """A response after any interim ones (RFC 9110, 15.2); http.client skips only status 100."""

    @override
    def _read_status(self) -> tuple[str, int, str]:  # type: ignore[misc]
        while True:
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if status >= _FIRST_FINAL_STATUS or status == _SWITCHED:
                return version, status, reason
            parse_headers(self.fp)


def exchange(wire: Wire, post: Post, answer: Answer, kept_bytes: int) -> bool:
    """Post, and read at most `kept_bytes` of the body; return whether the wire is reusable.

    After an exception, `answer` has the part that was read.
    Raises: OSError, HTTPException, AnswerTooLongError.
    """
    target = post.target
    connection = HTTPConnection(target.host, target.port)
    connection.auto_open = 0  # never resolve the host again: the wire's address is checked
    connection.sock = wire
    connection.response_class = _FinalResponse
    is_sent = _send(connection, post)
    with closing(connection.getresponse()) as response:
        if response.status == _SWITCHED:  # nobody asked for it
            raise HTTPException
        answer.status = response.status
        answer.retry_after = _shown(response.headers.get("Retry-After"))
        is_read = _read(response, answer.body, kept_bytes)
        return is_sent and is_read and not response.will_close


def _send(connection: HTTPConnection, post: Post) -> bool:
    """Send the request; return whether all of it was sent."""
    connection.putrequest(post.method, post.target.path_and_query, skip_host=True)
    connection.putheader("Host", _host(post.target))
    if post.method == "POST":  # also where the body is empty: some servers refuse it otherwise
        connection.putheader("Content-Length", str(len(post.body)))
    for name, value in post.headers.items():
        connection.putheader(name, value)
    try:
        connection.endheaders(post.body)
    except (ConnectionError, ssl.SSLEOFError):
        # The receiver may have responded before it read everything; its response is readable.
        return False
    return True


def _host(target: CallbackTarget) -> str:
    host = f"[{target.host}]" if ":" in target.host else target.host
    is_default = target.port == _DEFAULT_PORTS[target.scheme]
    return host if is_default else f"{host}:{target.port}"


def _read(response: HTTPResponse, body: bytearray, kept_bytes: int) -> bool:
    """Read at most `kept_bytes` of the body; return whether that is the whole body."""
    while True:
        # One byte more shows whether the body ends here.
        piece = response.read1(kept_bytes + 1 - len(body))
        if not piece:
            break
        body += piece
        if len(body) > kept_bytes:
            del body[kept_bytes:]
            return False
    if response.length:
        raise ConnectionResetError
    return True


def _shown(text: str | None) -> str | None:
    """Return a header's text if it is short, printable ASCII, otherwise None."""
    is_plain = text and text.isascii() and text.isprintable() and len(text) <= _RETRY_AFTER_LENGTH
    return text if is_plain else None
