"""One HTTP request and its answer over an open connection; http.client speaks HTTP."""

import ssl
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Final

from orderdesk.adapters.callback_http.wire import Wire
from orderdesk.domain.callbacks.target import CallbackTarget

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_FIRST_FINAL_STATUS: Final = 200
_RETRY_AFTER_LENGTH: Final = 64
_OWN_HEADERS: Final = frozenset(
    {"accept-encoding", "connection", "content-length", "host", "transfer-encoding"}
)


@dataclass(frozen=True, slots=True)
class Post:
    """The request to send. Raises: ValueError for a header that the sender itself must set."""

    target: CallbackTarget
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if not _OWN_HEADERS.isdisjoint(name.lower() for name in self.headers):
            raise ValueError("a callback's connection, host and length are the sender's to tell")


@dataclass(slots=True)
class Answer:
    """What was read of an answer so far; it stays incomplete if the rest never comes."""

    status: int | None = None
    retry_after: str | None = None
    body: bytearray = field(default_factory=bytearray)


def exchange(wire: Wire, post: Post, answer: Answer, kept_bytes: int) -> bool:
    """Post and read at most `kept_bytes` of the answer; tell whether the wire may be reused.

    If it raises, `answer` holds what was read before.
    Raises: OSError, HTTPException, AnswerTooLongError.
    """
    target = post.target
    connection = HTTPConnection(target.host, target.port)
    connection.auto_open = 0  # never look up the host and reconnect: this wire is checked
    connection.sock = wire
    is_sent = _send(connection, post)
    with closing(connection.getresponse()) as response:
        answer.status = response.status
        answer.retry_after = _shown(response.headers.get("Retry-After"))
        if response.status < _FIRST_FINAL_STATUS:
            # http.client skips status 100 only; for other 1xx statuses the answer itself is still
            # missing.
            raise HTTPException
        is_read = _read(response, answer.body, kept_bytes)
        return is_sent and is_read and not response.will_close


def _send(connection: HTTPConnection, post: Post) -> bool:
    """Send the request; tell whether all of it was sent."""
    connection.putrequest("POST", post.target.path_and_query, skip_host=True)
    connection.putheader("Host", _host(post.target))
    connection.putheader("Content-Length", str(len(post.body)))
    for name, value in post.headers.items():
        connection.putheader(name, value)
    try:
        connection.endheaders(post.body)
    except (ConnectionError, ssl.SSLEOFError):
        # The receiver may have answered before it read everything; its answer can still be read.
        return False
    return True


def _host(target: CallbackTarget) -> str:
    host = f"[{target.host}]" if ":" in target.host else target.host
    is_default = target.port == _DEFAULT_PORTS[target.scheme]
    return host if is_default else f"{host}:{target.port}"


def _read(response: HTTPResponse, body: bytearray, kept_bytes: int) -> bool:
    """Read as much of the body as is kept; tell whether that was all of it."""
    while True:
        # One byte more than is kept shows whether the body ends here.
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
    """Give a header's text if it is short, printable ASCII, else None."""
    is_plain = text and text.isascii() and text.isprintable() and len(text) <= _RETRY_AFTER_LENGTH
    return text if is_plain else None
