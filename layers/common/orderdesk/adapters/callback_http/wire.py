"""A connection to a receiver, made to a checked address, and one exchange over it with http.client.

A budget bounds the time and the bytes of the exchange.
"""

import io
import select
import socket
import ssl
from collections.abc import Buffer, Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, parse_headers
from typing import Final, override

from orderdesk.domain.callbacks.delivery import ANSWER_KEPT_BYTES, Failure
from orderdesk.domain.callbacks.target import Address, CallbackTarget

type Clock = Callable[[], float]
"""Return the seconds of a monotonic clock."""

_MS: Final = 1000


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one attempt, in seconds and bytes.

    `whole_seconds` bounds the whole exchange: lookup, connection, TLS handshake, request and
    answer. `received_bytes` bounds all that is read of an answer, `kept_bytes` its body.
    `idle_seconds` is short, because Lambda's freeze ends connections without notice.
    """

    whole_seconds: float = 10
    lookup_seconds: float = 5
    connect_seconds: float = 3
    kept_bytes: int = ANSWER_KEPT_BYTES
    received_bytes: int = 16 * 1024
    addresses_tried: int = 4
    idle_wires: int = 64
    idle_seconds: float = 20


DEFAULT_LIMITS: Final = Limits()


class AttemptFailedError(Exception):
    """There is no complete response, for a reason that has no exception of Python's own."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


class Budget:
    """The time and bytes that are left of one exchange, counted from its construction."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._began = clock()
        self.received = 0

    def wait(self, seconds: float) -> float:
        """Shorten a wait (seconds) to end by the deadline. Raises: TimeoutError after it."""
        return min(self.left(), seconds)

    def left(self) -> float:
        """Return the seconds until the deadline. Raises: TimeoutError after it."""
        left = self._began + self._limits.whole_seconds - self._clock()
        if left <= 0:
            raise TimeoutError
        return left

    def room(self) -> int:
        """Return how many bytes may still be read. Raises: AttemptFailedError for none."""
        left = self._limits.received_bytes - self.received
        if left <= 0:
            raise AttemptFailedError(Failure.TOO_LONG)
        return left

    def elapsed_ms(self) -> int:
        """Return the milliseconds since the start."""
        return int((self._clock() - self._began) * _MS)


type Connect = Callable[[Address, int, float], socket.socket]
"""Connects to an address and port within so many seconds. Raises: OSError."""


class Wire:
    """A connected socket, plain or TLS, within a budget, with the methods that http.client uses."""

    def __init__(self, sock: socket.socket, budget: Budget) -> None:
        self._sock = sock
        self._budget = budget

    def renew(self, budget: Budget) -> None:
        """Begin another exchange with a new budget."""
        self._budget = budget

    def sendall(self, data: Buffer) -> None:
        """Send everything. Raises: OSError, TimeoutError."""
        rest = memoryview(data)
        while rest:
            self._sock.settimeout(self._budget.left())
            rest = rest[self._sock.send(rest) :]

    def receive_into(self, buffer: Buffer) -> int:
        """Read what is there, 0 at the end. Raises: OSError, TimeoutError, AttemptFailedError."""
        room = self._budget.room()
        self._sock.settimeout(self._budget.left())
        count = self._sock.recv_into(memoryview(buffer)[:room])
        self._budget.received += count
        return count

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return a reader for one response."""
        return io.BufferedReader(_Reading(self))

    def close(self) -> None:
        """Do nothing, because http.client closes before it reads the body."""

    def end(self) -> None:
        """Close the connection."""
        self._sock.close()

    def is_quiet(self) -> bool:
        """Return whether the receiver has neither closed the connection nor sent anything."""
        poll = select.poll()
        poll.register(self._sock, select.POLLIN)
        return not poll.poll(0)


class _Reading(io.RawIOBase):
    """A wire as a raw stream."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Buffer, /) -> int:
        return self._wire.receive_into(buffer)


def connect(address: Address, port: int, seconds: float) -> socket.socket:
    """Connect to an address within so many seconds, without a lookup. Raises: OSError."""
    sock = socket.create_connection((str(address), port), seconds)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def secure(sock: socket.socket, host: str, tls: ssl.SSLContext, budget: Budget) -> ssl.SSLSocket:
    """Perform the TLS handshake with a receiver that has a certificate for `host`.

    The socket is closed on failure. Its time-out bounds the whole handshake.
    Raises: TimeoutError; AttemptFailedError without a TLS version in common with the receiver, or
    without a valid certificate for its name.
    """
    try:
        sock.settimeout(budget.left())
        return tls.wrap_socket(sock, server_hostname=host)
    except TimeoutError:
        sock.close()
        raise
    except OSError:
        sock.close()
        raise AttemptFailedError(Failure.TLS) from None


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
    Raises: OSError, HTTPException, AttemptFailedError.
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
    connection.putheader("Host", post.target.authority)
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
