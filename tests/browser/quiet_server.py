"""Local HTTP servers without a log."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from tests.support.served import served


class QuietHandler(BaseHTTPRequestHandler):
    """Answers one request of a connection.

    It speaks HTTP/1.1, which has `100 Continue`: botocore waits a second for it before each file.
    """

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Log nothing."""

    def do_GET(self) -> None:
        self.get()

    def do_HEAD(self) -> None:
        self.get()

    def do_POST(self) -> None:
        self.post()

    def do_PUT(self) -> None:
        self.put()

    def do_DELETE(self) -> None:
        self.delete()

    def get(self) -> None:
        """Answer a GET."""
        self.reply(405, {}, b"")

    post = put = delete = get

    def body(self) -> bytes:
        """Read the request's body."""
        return self.rfile.read(int(self.headers.get("Content-Length", "0")))

    def reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
        """Send a whole answer."""
        self.send_response(status)
        always = {"Content-Length": str(len(body)), "Connection": "close"}
        for name, value in {**headers, **always}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve on a free port, one request at a time; yield the origin."""
    with served(HTTPServer(("127.0.0.1", 0), handler)) as server:
        yield f"http://127.0.0.1:{server.server_port}"
