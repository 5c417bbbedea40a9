"""What takes the network's place in the worker: answers prepared beforehand, requests counted.

Bare-interpreter code; botocore is the artifact's own. The replaced function is the same for every
contestant: all that is left out is urllib3 and what is behind it.
"""

import importlib
import json
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

DYNAMODB = "DynamoDB_20120810"

# Where a page of traders has this, each answer has a later time: whoever was taken has been put
# back as if the rotation had gone round.
TIME_AT_FIRST = 4_000_000
TIME = f'"N":"{TIME_AT_FIRST}'


@dataclass(frozen=True, slots=True)
class Body:
    """The content of an answer, as urllib3's response gives it."""

    content: bytes
    headers: Mapping[str, str]

    def stream(self) -> Iterator[bytes]:
        """Give the content at once."""
        yield self.content


@dataclass(frozen=True, slots=True)
class Canned:
    """What answers the requests whose body holds all markers, one body after the other."""

    markers: tuple[bytes, ...]
    bodies: Iterator[Body]

    def fits(self, body: bytes) -> bool:
        """Tell whether this answers a request."""
        return all(marker in body for marker in self.markers)


@dataclass(slots=True)
class Sent:
    """DynamoDB's requests by operation, and the time (us) from sending one to its whole answer."""

    count: Counter[str] = field(default_factory=Counter)
    waited_us: dict[str, list[float]] = field(default_factory=dict)


def replace_transport(answers: Sequence[Mapping[str, Any]], *, stubbed: bool, buys: int) -> Sent:
    """Replace what botocore sends with; give what will be sent.

    Stubbed, every request gets the first of the answers for its target that fits; else DynamoDB's
    requests go out and only the others' (KMS) are answered here. `buys`: how many at most.
    """
    http = importlib.import_module("botocore.httpsession").URLLib3Session
    response = importlib.import_module("botocore.awsrequest").AWSResponse
    canned, sent, send_out = _by_target(answers, buys), Sent(), http.send

    def send(session: Any, request: Any) -> Any:
        target = request.headers["X-Amz-Target"]
        target = target.decode() if isinstance(target, bytes) else target
        service, _, operation = target.partition(".")
        if service == DYNAMODB:
            sent.count[operation] += 1
            if not stubbed:
                return _timed(send_out, session, request, sent.waited_us.setdefault(operation, []))
        answer = next(each for each in canned[target] if each.fits(request.body))
        body = next(answer.bodies)
        return response(request.url, 200, body.headers, body)

    http.send = send
    return sent


def _timed(
    send_out: Callable[[Any, Any], Any], session: Any, request: Any, waited_us: list[float]
) -> Any:
    began = time.perf_counter_ns()
    answer = send_out(session, request)
    waited_us.append((time.perf_counter_ns() - began) / 1000)
    return answer


def _by_target(answers: Sequence[Mapping[str, Any]], buys: int) -> dict[str, list[Canned]]:
    by_target: dict[str, list[Canned]] = {}
    for answer in answers:
        text = json.dumps(answer["body"], separators=(",", ":"), ensure_ascii=False)
        markers = tuple(marker.encode() for marker in answer["contains"])
        by_target.setdefault(answer["target"], []).append(Canned(markers, _bodies(text, buys)))
    return by_target


def _bodies(text: str, buys: int) -> Iterator[Body]:
    if TIME not in text:
        return repeat(_body(text))
    later = (TIME.replace(str(TIME_AT_FIRST), str(TIME_AT_FIRST + n)) for n in range(buys))
    return iter([_body(text.replace(TIME, time)) for time in later])


def _body(text: str) -> Body:
    content = text.encode()
    return Body(
        content,
        {
            "Server": "Server",
            "Date": "Sat, 01 Nov 2025 00:00:00 GMT",
            "Content-Type": "application/x-amz-json-1.0",
            "Content-Length": str(len(content)),
            "Connection": "keep-alive",
            "x-amzn-RequestId": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEF",
            "x-amz-crc32": str(zlib.crc32(content)),
        },
    )
