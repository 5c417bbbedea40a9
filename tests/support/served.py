"""A small HTTP server of a test, served by a thread until the test is over."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Thread


@contextmanager
def served[Server: ThreadingHTTPServer](server: Server) -> Iterator[Server]:
    """Serve; at the end every connection is closed and the thread is over."""
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
