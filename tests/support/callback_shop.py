"""A merchant's shop over real HTTP: answers by a script, and keeps what it was sent."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook

OK = 200


@dataclass(frozen=True, slots=True)
class Received:
    """A POST as it came; `at` in Unix seconds, `port` the sender's."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float
    port: int

    @property
    def webhook_id(self) -> str:
        """The header that is the same over retries."""
        return self.headers["webhook-id"]

    def verified(self, secret: str) -> Any:
        """Give the body, checked by the standard's own library."""
        return Webhook(secret).verify(self.body, dict(self.headers))


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, after so many seconds, and after what is to happen first."""

    status: int = OK
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    after_seconds: float = 0.0
    first: Callable[[Received], object] | None = None


class Shop:
    """What came by path, and what each path answers: its script in turn, the last for ever."""

    def __init__(self) -> None:
        self.origin = ""
        self._received: list[Received] = []
        self._scripts: dict[str, list[Answer]] = {}
        self._changed = threading.Condition()

    def url(self, path: str, *script: Answer) -> str:
        """Give a path's address; it answers 200 without a script."""
        with self._changed:
            self._scripts[path] = list(script) or [Answer()]
        return self.origin + path

    def take(self, received: Received) -> Answer:
        """Keep a POST and say what to answer."""
        with self._changed:
            self._received.append(received)
            self._changed.notify_all()
            script = self._scripts.get(received.path, [Answer()])
            return script.pop(0) if len(script) > 1 else script[0]

    def of(self, path: str) -> list[Received]:
        """Give what came to a path, oldest first."""
        with self._changed:
            return [each for each in self._received if each.path == path]

    def wait_for(self, path: str, count: int = 1, seconds: float | None = None) -> list[Received]:
        """Wait until so many have come to a path."""
        with self._changed:
            came = self._changed.wait_for(lambda: len(self._there(path)) >= count, seconds)
            there = self._there(path)
        assert came, f"{len(there)} of {count} came to {path} within {seconds} s"
        return there

    def _there(self, path: str) -> list[Received]:
        return [each for each in self._received if each.path == path]


class _Handler(BaseHTTPRequestHandler):
    server: "_Server"
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        at = time.time()
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.path, headers, body, at, self.client_address[1])
        answer = self.server.shop.take(received)
        time.sleep(answer.after_seconds)
        if answer.first is not None:
            answer.first(received)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, shop: Shop) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.shop = shop

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a sender that would not wait for the answer."""


@contextmanager
def open_shop() -> Iterator[Shop]:
    """Serve a shop on a free port."""
    shop = Shop()
    server = _Server(shop)
    shop.origin = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield shop
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def data_of(received: Received) -> dict[str, Any]:
    """Give a callback's data, unverified."""
    data = json.loads(received.body)["data"]
    assert isinstance(data, dict)
    return data
