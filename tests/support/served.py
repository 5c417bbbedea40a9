"""A test's HTTP server, run by a thread."""

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import TCPServer
from threading import Thread


@contextmanager
def served[Server: TCPServer](server: Server) -> Iterator[Server]:
    """Serve until the block ends; then close the server and join the thread."""
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
