"""A service of AWS whose answers a test chooses."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Upstream(ThreadingHTTPServer):
    """Cuts off the next `cut` answers."""

    cut = 0
    status, content = 200, b""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: Upstream
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        content = self.server.content
        self.send_response(self.server.status)
        self.send_header("etag", '"version"')
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.close_connection = self.server.cut > 0
        self.wfile.write(content[:100] if self.server.cut > 0 else content)
        self.server.cut -= 1

    do_POST = do_GET  # noqa: N815 - the base's form of name

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Log nothing."""
