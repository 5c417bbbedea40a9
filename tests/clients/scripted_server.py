"""A server with a script of answers for each path prefix; it stores the requests."""

import json
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.served import served


class Silence(Enum):
    """The faults of a server that does not answer."""

    DROPS = "closes the connection"
    HANGS = "says nothing until the client has gone"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


type Step = Answer | Silence


def answer(code: int, status: int, data: Any = None, **headers: str) -> Answer:
    """Create an envelope; `Retry_After="1"` is a header."""
    text = json.dumps({"code": code, "msg": f"text of {code}", "data": data, "time": 1})
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, text.encode(), {"x-request-id": "r-1", **sent})


@dataclass(frozen=True, slots=True)
class Sent:
    """A request: its path without the prefix, and its body."""

    path: str
    body: bytes

    @property
    def parameters(self) -> Any:
        return json.loads(self.body)


class ScriptedServer:
    """Answers `/NAME/…` with the steps of `scripts[NAME]` in order."""

    def __init__(self) -> None:
        self.origin = ""
        self.scripts: dict[str, list[Step]] = {}
        self.sent: dict[str, list[Sent]] = defaultdict(list)
        self.over = threading.Event()

    def play(self, name: str, steps: Sequence[Step]) -> str:
        """Start a script; return its base URL."""
        self.scripts[name] = list(steps)
        self.sent[name] = []
        return f"{self.origin}/{name}"

    def take(self, path: str, body: bytes) -> Step:
        """Store a request and return the next step; after the end of a script, DROPS."""
        _, name, rest = path.split("/", 2)
        self.sent[name].append(Sent(f"/{rest}", body))
        steps = self.scripts.get(name, [])
        return steps.pop(0) if steps else Silence.DROPS


class _Handler(BaseHTTPRequestHandler):
    server: "_Server"
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        step = self.server.scripted.take(self.path, body)
        if step is Silence.HANGS:
            self.server.scripted.over.wait()
        if isinstance(step, Silence):
            self.close_connection = True
            return
        self.send_response(step.status)
        for name, value in step.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(step.body)))
        self.end_headers()
        self.wfile.write(step.body)

    do_GET = do_POST  # noqa: N815 - the name that the base calls

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, scripted: ScriptedServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.scripted = scripted


@contextmanager
def open_scripted_server() -> Iterator[ScriptedServer]:
    scripted = ScriptedServer()
    with served(_Server(scripted)) as server:
        scripted.origin = f"http://127.0.0.1:{server.server_port}"
        try:
            yield scripted
        finally:
            scripted.over.set()
