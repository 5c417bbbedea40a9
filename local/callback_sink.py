"""A merchants' receiver for the local stack: verifies and stores every callback.

`POST /<merchant_id>` stores a callback and answers 204 if its signature is valid, else 400.
`GET /` lists all callbacks as JSON, oldest first.
"""

import base64
import io
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import segno
from standardwebhooks import Webhook, WebhookVerificationError

KEPT_MAX = 1000
BODY_BYTES_MAX = 1 << 20


@dataclass
class CallbackSink:
    """The secrets by merchant, and the received callbacks."""

    secrets: dict[str, str] = field(default_factory=dict)
    received: list[dict[str, Any]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, merchant_id: str, headers: Mapping[str, str], body: bytes) -> HTTPStatus:
        """Store a callback and the result of its verification."""
        lowered = {name.lower(): value for name, value in headers.items()}
        verified = self._verifies(merchant_id, lowered, body)
        content = _readable(body)
        entry = {
            "merchant_id": merchant_id,
            "received_at": int(time.time()),
            "verified": verified,
            "webhook_id": lowered.get("webhook-id"),
            "type": _field(content, "type"),
            "order_no": _field(_field(content, "data"), "order_no"),
            "headers": lowered,
            "body": content,
        }
        with self.lock:
            self.received.append(entry)
            del self.received[:-KEPT_MAX]
        return HTTPStatus.NO_CONTENT if verified else HTTPStatus.BAD_REQUEST

    def listing(self) -> bytes:
        """Return the stored callbacks as JSON."""
        with self.lock:
            return json.dumps(self.received, ensure_ascii=False, indent=2).encode()

    def _verifies(self, merchant_id: str, headers: Mapping[str, str], body: bytes) -> bool:
        secret = self.secrets.get(merchant_id)
        if secret is None:
            return False
        try:
            Webhook(secret).verify(body, dict(headers))
        except (WebhookVerificationError, ValueError):
            return False
        return True


def picture_of(text: str) -> bytes:
    """Return a PNG for the proof of a transfer."""
    picture = io.BytesIO()
    segno.make(f"demo:{text}", error="m").save(picture, kind="png", scale=8)
    return picture.getvalue()


def _readable(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return {"base64": base64.b64encode(body).decode()}


def _field(content: Any, name: str) -> Any:
    """Return a member of a JSON object; None for any other value."""
    return content.get(name) if isinstance(content, dict) else None


class _Handler(BaseHTTPRequestHandler):
    server: "_Server"
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(HTTPStatus.OK, self.server.sink.listing())

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        if length > BODY_BYTES_MAX:
            self.close_connection = True
            self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        body = self.rfile.read(length)
        merchant_id = self.path.strip("/")
        self._answer(self.server.sink.take(merchant_id, dict(self.headers.items()), body))

    def _answer(self, status: HTTPStatus, body: bytes = b"") -> None:
        self.send_response(status)
        if status is not HTTPStatus.NO_CONTENT:
            self.send_header("content-type", "application/json; charset=utf-8")
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing; the listing shows every request."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, sink: CallbackSink, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.sink = sink


@contextmanager
def serve(sink: CallbackSink, port: int = 0) -> Iterator[str]:
    """Serve on a port (0: any free one); yield the address without trailing slash."""
    server = _Server(sink, port)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
