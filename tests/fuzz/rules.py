"""Rules for every answer, whatever the request."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from aws_lambda_powertools.logging import formatter

from orderdesk.web.codes import CODES
from tests.fuzz.hostile import TAG
from tests.fuzz.requests import Case
from tests.fuzz.watch import Seen
from tests.support.template import ROOT

ANSWER_BYTES_MAX = 80 * 1024
CPU_MS_MAX = 200

# Of a longer value both ends are searched, so that a cut one is found.
FRAGMENT_LENGTH = 24
# Shorter values, or those of few letters, occur in a log by chance.
SHORTEST_FRAGMENT, FEWEST_LETTERS = 8, 5
# Numbers of orders and drafts may be logged.
_NUMBER = re.compile(r"[BSD][0-9]{24}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_STATUSES = {code.code: code.status for code in CODES.values()} | {1: 200}
# The statuses of 1001: malformed, too large, wrong content type.
_BODY_STATUSES = {400, 413, 415}
# Reasons of a 503 if the rate is set and DynamoDB is never busy (contract section 3).
UNAVAILABLE = "identity_provider_unavailable"
# The sandbox provider is unavailable for these mobiles (contract section 10).
_PROVIDER_IS_DOWN = b"9999"


def broken_rules(case: Case, seen: Seen) -> Iterator[str]:
    """Yield the broken rules of an answer."""
    if seen.error is not None:
        yield f"raised {seen.error!r}"
        return
    yield from _of_status(case, seen.answer)
    yield from _of_form(seen.answer)
    yield from _of_page(seen.answer)
    yield from (f"logged {value!r}: {seen.log}" for value in logged(case.private, seen.log))
    if seen.cpu_ms > CPU_MS_MAX:
        yield f"took {seen.cpu_ms:.0f} ms of CPU"


def _of_status(case: Case, answer: Mapping[str, Any]) -> Iterator[str]:
    status = answer["statusCode"]
    if case.route.is_signed:
        envelope = json.loads(answer["body"])
        code, data = envelope["code"], envelope["data"]
        if code == 1001 and status in _BODY_STATUSES:
            return
        if status != _STATUSES[code]:
            yield f"code {code} with status {status}"
        if status >= 500 and (status, data["reason"] == UNAVAILABLE) != (503, True):
            yield f"status {status}: {data}"
    elif status >= 500 and not _may_be_unavailable(case, status):
        yield f"status {status}"


def _may_be_unavailable(case: Case, status: int) -> bool:
    """Return whether a page may answer that the identity provider is unavailable."""
    is_identity = (case.route.function, case.route.method) == ("identity_page", "POST")
    return status == 503 and is_identity and any(_PROVIDER_IS_DOWN in form for form in case.forms())


def _of_form(answer: Mapping[str, Any]) -> Iterator[str]:
    try:
        size = len(answer["body"].encode())
        json.dumps(answer, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        yield "an answer that is no UTF-8"
        return
    if size > ANSWER_BYTES_MAX:
        yield f"an answer of {size} bytes"
    headers = _headers(answer)
    for name, value in headers.items():
        if _CONTROL.search(name + value):
            yield f"a header with a control character: {name}: {value!r}"
    if "x-request-id" not in headers:
        yield "no x-request-id"


def _of_page(answer: Mapping[str, Any]) -> Iterator[str]:
    is_page = _headers(answer).get("content-type", "").startswith("text/html")
    if is_page and TAG in answer["body"]:
        yield "a page with a tag of the request's"


def _headers(answer: Mapping[str, Any]) -> dict[str, str]:
    return {name.lower(): value for name, value in answer["headers"].items()}


@cache
def _own_words() -> str:
    """Return our source code and the log's; its words may be logged, and hypothesis draws them."""
    folders = (ROOT / folder for folder in ("layers/common/orderdesk", "functions"))
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    return "\n".join(path.read_text("utf-8") for path in [*files, Path(formatter.__file__)])


def logged(private: frozenset[str], log: str) -> Iterator[str]:
    """Yield the values of a request that occur in a log, raw or escaped as JSON."""
    for value in private:
        if _NUMBER.fullmatch(value):
            continue
        for fragment in {value[:FRAGMENT_LENGTH], value[-FRAGMENT_LENGTH:]}:
            if len(fragment) < SHORTEST_FRAGMENT or len(set(fragment)) < FEWEST_LETTERS:
                continue
            if fragment in _own_words():
                continue
            in_json = (
                json.dumps(fragment, ensure_ascii=is_ascii)[1:-1] for is_ascii in (True, False)
            )
            if any(text in log for text in (fragment, *in_json)):
                yield fragment
