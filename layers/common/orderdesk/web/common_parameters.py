"""The common parameters of every signed call (contract section 2)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.signing import JsonNumber, JsonValue, is_absent, signable_problems
from orderdesk.services.authenticate import SignedCall
from orderdesk.web.http import Request

MISSING = "missing"
NOT_TEXT = "must be a string"
NOT_INTEGER = "must be an integer"

# Room for times in milliseconds, which are told that they are out of the window.
_INTEGER = re.compile(r"-?[0-9]{1,18}\Z")
_NONCE = re.compile(r"[A-Za-z0-9_-]{8,64}\Z")


@dataclass(slots=True)
class CommonParameters:
    """The call with its common parameters read, or None and what is wrong with them."""

    call: SignedCall | None
    problems: list[FieldProblem] = field(default_factory=list)


def integer(value: JsonValue) -> int | None:
    """Read an int, sent as a JSON number or as a string of digits; None where it is neither."""
    text = value.text if isinstance(value, JsonNumber) else value
    if not isinstance(text, str) or _INTEGER.match(text) is None:
        return None
    return int(text)


def read_common(request: Request, params: Mapping[str, JsonValue]) -> CommonParameters:
    """Read api_key, timestamp, nonce and signature, and check that the body can be signed."""
    problems = signable_problems(params)
    texts: dict[str, str] = {}
    for name in ("api_key", "nonce", "signature"):
        value = params.get(name)
        if is_absent(value):
            problems.append(FieldProblem(name, MISSING))
        elif not isinstance(value, str):
            problems.append(FieldProblem(name, NOT_TEXT))
        else:
            texts[name] = value
    if "nonce" in texts and _NONCE.match(texts["nonce"]) is None:
        problems.append(FieldProblem("nonce", "8 to 64 of [A-Za-z0-9_-]"))
    sent = params.get("timestamp")
    timestamp = integer(sent)
    if timestamp is None:
        problems.append(FieldProblem("timestamp", MISSING if is_absent(sent) else NOT_INTEGER))
    if problems or timestamp is None:
        return CommonParameters(None, problems)
    call = SignedCall(
        method=request.method,
        path=request.route,
        source_ip=request.source_ip,
        timestamp=timestamp,
        params=params,
        **texts,
    )
    return CommonParameters(call)
