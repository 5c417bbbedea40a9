"""Receivers of callbacks on a local socket, controlled to the byte: normal, broken and hostile."""

import contextlib
import re
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)\r\n", re.IGNORECASE)


@dataclass
class Receiver:
    """A receiver's state; `released` ends behaviours that would never end."""

    port: int = 0
    connections: int = 0
    requests: list[bytes] = field(default_factory=list)
    server_names: list[str | None] = field(default_factory=list)
    sent: int = 0
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/cb"


type Behaviour = Callable[[socket.socket, Receiver], None]


def read_request(sock: socket.socket, receiver: Receiver) -> bytes:
    """Read and store one whole request; return b"" if the sender closes instead."""
    request = b""
    while b"\r\n\r\n" not in request:
        request += (piece := sock.recv(65536))
        if not piece:
            return b""
    length = _LENGTH.search(request)
    whole = request.index(b"\r\n\r\n") + 4 + (int(length[1]) if length else 0)
    while len(request) < whole:
        request += sock.recv(65536)
    receiver.requests.append(request)
    return request


def answering(*answers: bytes) -> Behaviour:
    """Answer each request of a connection with the next of these, then close."""

    def behave(sock: socket.socket, receiver: Receiver) -> None:
        for answer in answers:
            if not read_request(sock, receiver):
                return
            sock.sendall(answer)

    return behave


def always(answer: bytes) -> Behaviour:

    def behave(sock: socket.socket, receiver: Receiver) -> None:
        while read_request(sock, receiver):
            sock.sendall(answer)

    return behave


def dripping(start: bytes, drops: bytes, every: float = 0.05) -> Behaviour:
    """Send a start at once and the rest a byte at a time, repeatedly."""

    def behave(sock: socket.socket, receiver: Receiver) -> None:
        read_request(sock, receiver)
        sock.sendall(start)
        while True:
            for drop in drops:
                if receiver.released.wait(every):
                    return
                sock.sendall(bytes([drop]))

    return behave


def flooding(start: bytes, block: bytes, blocks: int) -> Behaviour:
    """Send a start and then a block so many times; `sent` counts the bytes that the sender read."""

    def behave(sock: socket.socket, receiver: Receiver) -> None:
        read_request(sock, receiver)
        sock.sendall(start)
        for _ in range(blocks):
            receiver.sent += sock.send(block)

    return behave


def hanging(sock: socket.socket, receiver: Receiver) -> None:
    read_request(sock, receiver)
    receiver.released.wait()


def never_reading(sock: socket.socket, receiver: Receiver) -> None:
    receiver.released.wait()


def closing_at_once(sock: socket.socket, receiver: Receiver) -> None:
    pass


def closing_after_the_request(sock: socket.socket, receiver: Receiver) -> None:
    read_request(sock, receiver)


def resetting(sock: socket.socket, receiver: Receiver) -> None:
    read_request(sock, receiver)
    reset(sock)


def reset(sock: socket.socket) -> None:
    """Close with RST instead of FIN."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def answering_before_reading(sock: socket.socket, receiver: Receiver) -> None:
    sock.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")


class _Server:
    """A listening socket, and a thread for each connection."""

    def __init__(self, behave: Behaviour, tls: ssl.SSLContext | None) -> None:
        self.receiver = Receiver()
        self._behave = behave
        self._tls = tls
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.receiver.port = self._listening.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept)]
        self._open: list[socket.socket] = []
        if tls is not None:
            tls.sni_callback = self._note_name
        self._threads[0].start()

    def close(self) -> None:
        self.receiver.released.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._threads[0].join()
        for sock in self._open:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                sock, _ = self._listening.accept()
                self.receiver.connections += 1
                self._open.append(sock)
                thread = threading.Thread(target=self._serve, args=(sock,))
                self._threads.append(thread)
                thread.start()

    def _serve(self, sock: socket.socket) -> None:
        # A sender that times out may break the connection; that is no failure.
        with contextlib.suppress(OSError), sock:
            if self._tls is None:
                self._behave(sock, self.receiver)
                return
            with self._tls.wrap_socket(sock, server_side=True) as secured:
                self._open.append(secured)
                self._behave(secured, self.receiver)

    def _note_name(self, _sock: ssl.SSLObject, name: str | None, _tls: ssl.SSLContext) -> None:
        self.receiver.server_names.append(name)


@contextmanager
def receiving(behave: Behaviour, tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Serve on a free port until the block ends; leave nothing running."""
    server = _Server(behave, tls)
    try:
        yield server.receiver
    finally:
        server.close()


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port: int = sock.getsockname()[1]
    return port
