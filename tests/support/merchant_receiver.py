"""Merchants that receive callbacks, and their receiver: a local HTTP server with a script."""

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook

from orderdesk.domain.credentials import new_callback_secret
from orderdesk.domain.merchants.merchant import Merchant
from tests.support.merchant_client import MerchantClient
from tests.support.seed import Seed
from tests.support.served import served

OK = 200


def add_callback_merchant(
    seed: Seed, url: str, **changes: Any
) -> tuple[Merchant, MerchantClient, str]:
    """Add a merchant with a callback address; return it, its client and its callback secret."""
    secret = new_callback_secret(secrets.randbelow)
    merchant, client = seed.add_merchant(callback_url=url, **changes)
    return sign_with(seed, merchant, secret), client, secret


def sign_with(seed: Seed, merchant: Merchant, *callback_secrets: str) -> Merchant:
    """Store a merchant's callback secrets, the newest first."""
    sealed = seed.kms.seal_callback(merchant.merchant_id, callback_secrets)
    return seed.change_merchant(merchant, sealed_callback_secrets=sealed)


def signed(
    body: str, *callback_secrets: str, webhook_id: str = "msg_B1_3", age_seconds: int = 0
) -> dict[str, str]:
    """Return the headers of a callback, signed by the standard's own library."""
    at = datetime.fromtimestamp(int(time.time()) - age_seconds, UTC)
    signatures = (Webhook(secret).sign(webhook_id, at, body) for secret in callback_secrets)
    return {
        "webhook-id": webhook_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


@dataclass(frozen=True, slots=True)
class Received:
    """A POST; `at` in Unix seconds, `port` of the sender."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float
    port: int

    @property
    def webhook_id(self) -> str:
        """The header that is equal in every retry."""
        return self.headers["webhook-id"]

    def verified(self, secret: str) -> Any:
        """Return the body, verified by the Standard Webhooks library."""
        return Webhook(secret).verify(self.body, dict(self.headers))


def data_of(received: Received) -> dict[str, Any]:
    """Return a callback's data without verifying it."""
    data = json.loads(received.body)["data"]
    assert isinstance(data, dict)
    return data


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, sent after a delay in seconds and after a call of `first`."""

    status: int = OK
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    after_seconds: float = 0.0
    first: Callable[[Received], object] | None = None


class Receiver:
    """Stores each POST by path; each path answers by its script, whose last answer repeats."""

    def __init__(self) -> None:
        self.origin = ""
        self._received: list[Received] = []
        self._scripts: dict[str, list[Answer]] = {}
        self._changed = threading.Condition()

    def url(self, path: str, *script: Answer) -> str:
        """Set a path's script, by default one 200; return its address."""
        with self._changed:
            self._scripts[path] = list(script) or [Answer()]
        return self.origin + path

    def take(self, received: Received) -> Answer:
        """Store a POST and return the answer to send."""
        with self._changed:
            self._received.append(received)
            self._changed.notify_all()
            script = self._scripts.get(received.path, [Answer()])
            return script.pop(0) if len(script) > 1 else script[0]

    def of(self, path: str) -> list[Received]:
        """Return the POSTs to a path, oldest first."""
        with self._changed:
            return [each for each in self._received if each.path == path]

    def wait_for(self, path: str, count: int = 1) -> list[Received]:
        """Wait until a path has received `count` POSTs; return all."""
        with self._changed:  # its lock is reentrant
            self._changed.wait_for(lambda: len(self.of(path)) >= count)
            return self.of(path)


class _Handler(BaseHTTPRequestHandler):
    server: "_Server"
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        at = time.time()
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.path, headers, body, at, self.client_address[1])
        answer = self.server.receiver.take(received)
        time.sleep(answer.after_seconds)
        if answer.first is not None:
            answer.first(received)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    do_GET = do_POST  # noqa: N815 - the base's name; a picture is fetched

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, receiver: Receiver) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.receiver = receiver

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log nothing when a sender closes its connection before the answer."""


@contextmanager
def open_receiver() -> Iterator[Receiver]:
    """Serve a receiver on a free port until the block ends."""
    receiver = Receiver()
    with served(_Server(receiver)) as server:
        receiver.origin = f"http://127.0.0.1:{server.server_port}"
        yield receiver
