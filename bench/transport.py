"""Replaces the network in the worker: counts requests and returns prepared answers.

It replaces the same function of every contestant's own botocore: only the network is missing.
"""

import importlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

DYNAMODB = "DynamoDB_20120810"

# In a page of traders, each answer replaces this by a later time, as if every other trader had
# accepted an order since the last answer.
INITIAL_TIME = 4_000_000
TIME = f'"N":"{INITIAL_TIME}'
_HEADERS = {
    "Server": "Server",
    "Date": "Sat, 01 Nov 2025 00:00:00 GMT",
    "Content-Type": "application/x-amz-json-1.0",
    "Connection": "keep-alive",
    "x-amzn-RequestId": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEF",
}


@dataclass(frozen=True, slots=True)
class Body:
    """The content of an answer, with the interface of urllib3's response."""

    content: bytes
    headers: Mapping[str, str]

    def stream(self) -> Iterator[bytes]:
        """Yield the content in one chunk."""
        yield self.content


def replace_transport(
    answers: Sequence[tuple[str, Sequence[str], Any]], *, stubbed: bool, buys: int
) -> Counter[str]:
    """Replace botocore's sender; return the counter of requests to DynamoDB by operation.

    An answer is a target, texts of the request's body, and the answer's body. If `stubbed`, every
    request gets the first answer that fits. Otherwise requests to DynamoDB are sent, and only
    those to KMS are answered here. `buys`: the maximum.
    """
    http = importlib.import_module("botocore.httpsession").URLLib3Session
    response = importlib.import_module("botocore.awsrequest").AWSResponse
    sent, send_out = Counter[str](), http.send
    canned = [
        (target, [marker.encode() for marker in contains], _bodies(body, buys))
        for target, contains, body in answers
    ]

    def send(session: Any, request: Any) -> Any:
        target = request.headers["X-Amz-Target"]
        target = target.decode() if isinstance(target, bytes) else target
        service, _, operation = target.partition(".")
        if service == DYNAMODB:
            sent[operation] += 1
            if not stubbed:
                return send_out(session, request)
        for its_target, markers, bodies in canned:
            if its_target == target and all(marker in request.body for marker in markers):
                body = next(bodies)
                return response(request.url, 200, body.headers, body)
        raise LookupError(target)

    http.send = send
    return sent


def _bodies(answer: Any, buys: int) -> Iterator[Body]:
    text = json.dumps(answer, separators=(",", ":"), ensure_ascii=False)
    if TIME not in text:
        return repeat(_body(text))
    later = (TIME.replace(str(INITIAL_TIME), str(INITIAL_TIME + n)) for n in range(buys))
    return iter([_body(text.replace(TIME, time)) for time in later])


def _body(text: str) -> Body:
    content = text.encode()
    of_content = {"Content-Length": str(len(content)), "x-amz-crc32": str(zlib.crc32(content))}
    return Body(content, _HEADERS | of_content)
