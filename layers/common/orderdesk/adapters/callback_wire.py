"""A connection to a receiver, made to a checked address and used within a budget."""

import io
import select
import socket
import ssl
from collections.abc import Buffer, Callable
from typing import override

from orderdesk.adapters.callback_limits import Budget
from orderdesk.domain.public_addresses import Address

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
