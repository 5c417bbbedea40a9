"""Lets containers reach a port of this machine's loopback, for as long as they need it.

The emulator listens on loopback only. A container of a Docker engine on this very machine sees the
machine as its network's gateway: there the relay listens, on no other address.
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
            return  # then the caller's connection ends, too
        with target:
            back = threading.Thread(target=_pump, args=(target, self.request), daemon=True)
            back.start()
            _pump(self.request, target)
            back.join()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    """Carry bytes one way until their source ends, and pass that end on."""
    with contextlib.suppress(OSError):  # either side may go away at any time
        while chunk := source.recv(CHUNK_BYTES):
            sink.sendall(chunk)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def is_own_address(address: str) -> bool:
    """Tell whether this machine has an address, so that it can listen there."""
    if not address:
        return False  # to bind, that would mean every address
    with socket.socket() as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


@contextmanager
def relay(address: str, target_port: int) -> Iterator[int]:
    """Listen on a free port of an address and give that port. Raises: OSError."""
    with _Relay(address, target_port) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
