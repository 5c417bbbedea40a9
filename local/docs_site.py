"""Serves the documentation site of `make docs`, compressed, on 127.0.0.1."""

import gzip
import mimetypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from local.places import REPOSITORY

SITE = REPOSITORY / ".local" / "docs"
COMPRESSED = ("text/", "application/json", "application/yaml", "image/svg+xml")


class _Handler(SimpleHTTPRequestHandler):
    """Answers GET requests with files of the site."""

    server: "_Server"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, directory=str(args[2].site), **kwargs)

    def do_GET(self) -> None:
        """Send a file, or index.html of a folder."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(HTTPStatus.NOT_FOUND, explain="`make docs` writes the site")
            return
        content, kind = path.read_bytes(), mimetypes.guess_type(path)[0] or "text/plain"
        self.send_response(HTTPStatus.OK)
        if kind.startswith(COMPRESSED) and "gzip" in self.headers.get("Accept-Encoding", ""):
            content = gzip.compress(content)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, site: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.site = site


@contextmanager
def serve(site: Path = SITE) -> Iterator[str]:
    """Serve a folder, which may not exist yet, on a free port; yield the address."""
    server = _Server(site)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
