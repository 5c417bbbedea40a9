"""Relays connections of containers to a loopback port of this machine.

The emulator listens on loopback only. A container of this machine's Docker engine reaches the
machine as its network's gateway. The relay listens on that address only.
"""

import contextlib
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager

CHUNK_BYTES = 1 << 16


class _Relay(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, address: str, target_port: int) -> None:
        super().__init__((address, 0), _Connection)
        self.target_port = target_port


class _Connection(socketserver.BaseRequestHandler):
    server: _Relay
    request: socket.socket

    def handle(self) -> None:
        try:
            target = socket.create_connection(("127.0.0.1", self.server.target_port))
        except OSError:
            return  # this ends the caller's connection
        with target:
            back = threading.Thread(target=_pump, args=(target, self.request), daemon=True)
            back.start()
            _pump(self.request, target)
            back.join()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    """Copy bytes one way until the source ends, then end the sink."""
    with contextlib.suppress(OSError):  # either side may close at any time
        while chunk := source.recv(CHUNK_BYTES):
            sink.sendall(chunk)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def is_own_address(address: str) -> bool:
    """Return whether this machine has an address and can listen on it."""
    if not address:
        return False  # bind takes it for every address
    with socket.socket() as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


@contextmanager
def relay(address: str, target_port: int) -> Iterator[int]:
    """Listen on a free port of an address; yield that port. Raises: OSError."""
    with _Relay(address, target_port) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
