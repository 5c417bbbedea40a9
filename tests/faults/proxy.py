"""A proxy in front of the emulator that faults random AWS requests, repeatably from a seed.

Only requests that are signed for one of SERVICES are faulted; a browser's upload to the bucket and
the gateway's requests pass unchanged. The seed determines the sequence of faults; which request
gets which fault also depends on the order of the requests.

It is our own code: toxiproxy is a Go program that no registry here has, and mitmproxy brings some
thirty libraries for what is a hundred lines without TLS.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, assert_never

from tests.support.served import served

# The emulator closes idle connections; the proxy closes its own first.
IDLE_SECONDS_MAX = 1
HOP_BY_HOP = {"connection", "content-length", "keep-alive", "transfer-encoding"}


class Fault(StrEnum):
    DELAYED = "delayed"
    CUT_BEFORE = "cut before"  # the connection closes before the service receives the request
    CUT_AFTER = "cut after"  # the service executes the request, and its answer is lost
    CUT_SHORT = "cut short"  # the service executes the request, and half of its answer arrives
    THROTTLED = "throttled"
    FAILED = "failed"  # 500 in the service's own format
    UNAVAILABLE = "unavailable"  # 503 of a component in front of the service


# Of 100 requests. A request is sent at most 3 times, so about 4 % get no answer at all.
PER_CENT = {
    Fault.DELAYED: 16,
    Fault.CUT_BEFORE: 8,
    Fault.CUT_AFTER: 8,
    Fault.CUT_SHORT: 6,
    Fault.THROTTLED: 6,
    Fault.FAILED: 5,
    Fault.UNAVAILABLE: 5,
}


@dataclass(frozen=True, slots=True)
class Words:
    """The HTTP status and error code with which a service throttles and fails."""

    throttled: tuple[int, str]
    failed: tuple[int, str]

    def of(self, fault: Fault) -> tuple[int, str]:
        return self.throttled if fault is Fault.THROTTLED else self.failed


SERVICES = {
    "dynamodb": Words(
        (400, "ProvisionedThroughputExceededException"), (500, "InternalServerError")
    ),
    "kms": Words((400, "ThrottlingException"), (500, "KMSInternalException")),
    "lambda": Words((429, "TooManyRequestsException"), (500, "ServiceException")),
    "s3": Words((503, "SlowDown"), (500, "InternalError")),
    "sqs": Words((403, "RequestThrottled"), (500, "InternalFailure")),
}


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes


class Faults:
    """Draws the fault of each request while `faults` is active, and counts them."""

    def __init__(self) -> None:
        self.counts = Counter[tuple[str, Fault]]()
        self.passed = 0
        self._chance = random.Random(0)
        self._entered = 0
        self._lock = threading.Lock()

    @property
    def faulted(self) -> int:
        return self.counts.total()

    def reseed(self, seed: int) -> None:
        self._chance = random.Random(seed)

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Fault requests until the block ends; blocks may be nested."""
        self._entered += 1
        try:
            yield
        finally:
            self._entered -= 1

    def draw(self, service: str | None) -> Fault | None:
        """Choose the fault of the next request, and count it."""
        if service not in SERVICES or not self._entered:
            return None
        with self._lock:
            one = self._chance.randrange(100)
            for fault, per_cent in PER_CENT.items():
                one -= per_cent
                if one < 0:
                    self.counts[service, fault] += 1
                    return fault
            self.passed += 1
            return None

    def report(self) -> str:
        """Return the counts by service and by fault."""
        by_service, by_fault = Counter[str](), Counter[str]()
        for (service, fault), count in self.counts.items():
            by_service[service] += count
            by_fault[fault.value] += count
        listed = (
            ", ".join(f"{count} {name}" for name, count in sorted(counted.items()))
            for counted in (by_service, by_fault)
        )
        return f"{self.faulted} requests faulted, {self.passed} not: {'; '.join(listed)}"


class FaultProxy(Faults, ThreadingHTTPServer):
    """Forwards requests to the emulator; faults some of them while `faults` is active."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, emulator_port: int) -> None:
        Faults.__init__(self)
        ThreadingHTTPServer.__init__(self, ("127.0.0.1", 0), _Handler)
        self.emulator_port = emulator_port

    @property
    def endpoint_url(self) -> str:
        return f"http://localhost:{self.server_port}"

    def delay(self) -> None:
        """Sleep up to 20 ms, as with a slow network or a busy service."""
        with self._lock:
            seconds = self._chance.uniform(0.001, 0.02)
        time.sleep(seconds)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log nothing when a client disconnects."""


class _Handler(BaseHTTPRequestHandler):
    server: FaultProxy
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        self.upstream = HTTPConnection("127.0.0.1", self.server.emulator_port)
        self.used_at = time.monotonic()

    def finish(self) -> None:
        self.upstream.close()
        super().finish()

    def hand_on(self) -> None:
        """Forward a request and its answer, with a fault or without."""
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        service = _service(self.headers.get("authorization", ""))
        fault = self.server.draw(service)
        match fault:
            case None:
                self._send(self._asked(body))
            case Fault.DELAYED:
                self.server.delay()
                self._send(self._asked(body))
            case Fault.CUT_BEFORE:
                self.close_connection = True
            case Fault.CUT_AFTER:
                self._asked(body)
                self.close_connection = True
            case Fault.CUT_SHORT:
                self._send(self._asked(body), short=True)
            case Fault.THROTTLED | Fault.FAILED:
                self._send(_refusal(str(service), *SERVICES[str(service)].of(fault)))
            case Fault.UNAVAILABLE:
                page = b"<html><body>Service Unavailable</body></html>"
                self._send(_Answer(503, "", [("Content-Type", "text/html")], page))
            case _:
                assert_never(fault)

    do_GET = do_HEAD = do_POST = do_PUT = hand_on  # noqa: N815 - the names that the base calls

    def _asked(self, body: bytes) -> _Answer:
        """Forward the request unchanged; return the emulator's answer."""
        if time.monotonic() - self.used_at > IDLE_SECONDS_MAX:
            self.upstream.close()
        self.upstream.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in {"connection", "expect"}:
                self.upstream.putheader(name, value)
        self.upstream.endheaders(body)
        with self.upstream.getresponse() as response:
            whole = response.read()
            headers = response.getheaders()
            answer = _Answer(response.status, response.reason, headers, whole)
        self.used_at = time.monotonic()
        return answer

    def _send(self, answer: _Answer, *, short: bool = False) -> None:
        self.send_response_only(answer.status, answer.reason or None)
        for name, value in answer.headers:
            if name.lower() not in HOP_BY_HOP or (
                self.command == "HEAD" and name.lower() == "content-length"
            ):
                self.send_header(name, value)
        if self.command != "HEAD":
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if short:
            self.close_connection = True
        if self.command != "HEAD":
            self.wfile.write(answer.body[: len(answer.body) // 2] if short else answer.body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Log nothing."""


def _service(authorization: str) -> str | None:
    """Return the service that a request is signed for, None without a signature."""
    _, found, scope = authorization.partition("Credential=")
    parts = scope.split(",")[0].split("/")
    return parts[3] if found and len(parts) > 3 else None


def _refusal(service: str, status: int, code: str) -> _Answer:
    """Return an error in the format of the service's protocol."""
    if service == "s3":
        body = f"<Error><Code>{code}</Code><Message>fault</Message></Error>"
        return _Answer(status, "", [("Content-Type", "application/xml")], body.encode())
    headers = [("Content-Type", "application/x-amz-json-1.0"), ("x-amzn-ErrorType", code)]
    return _Answer(status, "", headers, f'{{"__type":"{code}","message":"fault"}}'.encode())


def open_fault_proxy(emulator_port: int) -> AbstractContextManager[FaultProxy]:
    return served(FaultProxy(emulator_port))
