"""A connection to a receiver, made to a checked address and used within a budget."""

import io
import select
import socket
import ssl
from collections.abc import Buffer, Callable
from dataclasses import dataclass
from typing import Final, override

from orderdesk.domain.callbacks.delivery import ANSWER_KEPT_BYTES
from orderdesk.domain.callbacks.public_addresses import Address

type Clock = Callable[[], float]
"""Seconds of a clock that nobody sets."""

_MS: Final = 1000


@dataclass(frozen=True, slots=True)
class Limits:
    """What one attempt may take; seconds and bytes.

    `wait_seconds` bounds each read and write and the TLS handshake, `received_bytes` all that is
    read of an answer, `kept_bytes` how much of its body. Lambda's freeze ends connections without
    a word, so `idle_seconds` is short.
    """

    whole_seconds: float = 10
    lookup_seconds: float = 5
    connect_seconds: float = 3
    wait_seconds: float = 5
    kept_bytes: int = ANSWER_KEPT_BYTES
    received_bytes: int = 16 * 1024
    addresses_tried: int = 4
    idle_wires: int = 64
    idle_seconds: float = 20


DEFAULT_LIMITS: Final = Limits()


class AnswerTooLongError(Exception):
    """The receiver sent more than is read of any answer."""


class Budget:
    """What is left of the time and bytes of one exchange, from its construction on."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._began = clock()
        self.received = 0

    def wait(self, seconds: float) -> float:
        """Cut a wait so that it ends by the deadline. Raises: TimeoutError after it."""
        left = self._began + self._limits.whole_seconds - self._clock()
        if left <= 0:
            raise TimeoutError
        return min(left, seconds)

    def step(self) -> float:
        """Give how long the next read or write may take. Raises: TimeoutError."""
        return self.wait(self._limits.wait_seconds)

    def room(self) -> int:
        """Give how many bytes may still be read. Raises: AnswerTooLongError where none."""
        left = self._limits.received_bytes - self.received
        if left <= 0:
            raise AnswerTooLongError
        return left

    def elapsed_ms(self) -> int:
        """Give the milliseconds since the start."""
        return int((self._clock() - self._began) * _MS)


type Connect = Callable[[Address, int, float], socket.socket]
"""Connects to an address and port within so many seconds. Raises OSError."""


class HandshakeError(Exception):
    """The receiver speaks no TLS of ours, or could not prove its name."""


class Wire:
    """A connected socket, plain or TLS: of a socket what http.client uses, within a budget."""

    def __init__(self, sock: socket.socket, budget: Budget) -> None:
        self._sock = sock
        self._budget = budget

    def renew(self, budget: Budget) -> None:
        """Begin another exchange."""
        self._budget = budget

    def sendall(self, data: Buffer) -> None:
        """Send everything. Raises: OSError, TimeoutError."""
        rest = memoryview(data)
        while rest:
            self._sock.settimeout(self._budget.step())
            rest = rest[self._sock.send(rest) :]

    def receive_into(self, buffer: Buffer) -> int:
        """Read what there is, 0 at the end. Raises: OSError, TimeoutError, AnswerTooLongError."""
        room = self._budget.room()
        self._sock.settimeout(self._budget.step())
        count = self._sock.recv_into(memoryview(buffer)[:room])
        self._budget.received += count
        return count

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Give a reader for one answer."""
        return io.BufferedReader(_Reading(self))

    def close(self) -> None:
        """Do nothing: http.client closes before the answer's body is read."""

    def end(self) -> None:
        """Close the connection."""
        self._sock.close()

    def is_quiet(self) -> bool:
        """Tell whether the receiver has neither closed it nor said anything unasked."""
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
    """Connect to an address, which is never looked up. Raises: OSError."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004 (IPv4)
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.settimeout(seconds)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.connect((str(address), port))
    except BaseException:
        sock.close()
        raise
    return sock


def secure(sock: socket.socket, host: str, tls: ssl.SSLContext, budget: Budget) -> ssl.SSLSocket:
    """Shake hands with who has a certificate for `host`. Raises: HandshakeError, TimeoutError.

    The socket is closed where it fails. Its time-out bounds the handshake as a whole.
    """
    try:
        sock.settimeout(budget.step())
        return tls.wrap_socket(sock, server_hostname=host)
    except TimeoutError:
        sock.close()
        raise
    except OSError:
        sock.close()
        raise HandshakeError from None
