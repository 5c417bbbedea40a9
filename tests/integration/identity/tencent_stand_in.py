"""A local stand-in for Tencent Cloud's faceid API: the documented answers, and its failures."""

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.served import served

REQUEST_ID = "7411a5fc-0ba6-431d-9e8a-5f6537fb4c80"
DRIP_SECONDS = 0.1


@dataclass
class Answer:
    """The stand-in's answer to a request; `drip` sends a byte at a time until released."""

    body: bytes = b""
    status: int = 200
    content_type: str = "application/json"
    hang: bool = False
    drip: bool = False


@dataclass
class StandIn:
    """A local faceid.tencentcloudapi.com that returns one answer and stores what it receives."""

    answer: Answer = field(default_factory=Answer)
    endpoint: str = ""
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)


def handler_of(stand_in: StandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            stand_in.requests.append((self.path, dict(self.headers.items()), body))
            answer = stand_in.answer
            if answer.hang:
                stand_in.released.wait()
                return
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.send_body(answer)

        def send_body(self, answer: Answer) -> None:
            if not answer.drip:
                self.wfile.write(answer.body)
                return
            for i in range(len(answer.body)):
                self.wfile.write(answer.body[i : i + 1])
                if stand_in.released.wait(DRIP_SECONDS):
                    return

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base's name)
            """Log nothing."""

    return Handler


@contextmanager
def serving() -> Iterator[StandIn]:
    made = StandIn()
    with served(ThreadingHTTPServer(("127.0.0.1", 0), handler_of(made))) as server:
        made.endpoint = f"127.0.0.1:{server.server_port}"
        try:
            yield made
        finally:
            made.released.set()


def result(code: str, **more: str) -> Answer:
    response = {
        "Result": code,
        "Description": "测试",
        "Isp": "移动",
        "RequestId": REQUEST_ID,
    } | more
    return Answer(json.dumps({"Response": response}).encode())


def error(code: str, message: str = "no") -> Answer:
    response = {"Error": {"Code": code, "Message": message}, "RequestId": REQUEST_ID}
    return Answer(json.dumps({"Response": response}).encode())


def tc3_authorization(headers: dict[str, str], body: bytes, secret_id: str, secret_key: str) -> str:
    """Return the expected signature (Tencent Cloud's "Signature Method v3", TC3-HMAC-SHA256)."""
    timestamp = headers["X-TC-Timestamp"]
    day = datetime.fromtimestamp(int(timestamp), UTC).strftime("%Y-%m-%d")
    scope = f"{day}/faceid/tc3_request"
    canonical = (
        f"POST\n/\n\ncontent-type:{headers['Content-Type']}\nhost:{headers['Host']}\n\n"
        f"content-type;host\n{hashlib.sha256(body).hexdigest()}"
    )
    hashed = hashlib.sha256(canonical.encode()).hexdigest()
    key = f"TC3{secret_key}".encode()
    for part in (day, "faceid", "tc3_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    to_sign = f"TC3-HMAC-SHA256\n{timestamp}\n{scope}\n{hashed}"
    signature = hmac.digest(key, to_sign.encode(), "sha256").hex()
    return (
        f"TC3-HMAC-SHA256 Credential={secret_id}/{scope}, "
        f"SignedHeaders=content-type;host, Signature={signature}"
    )
