"""The merchant's signature over the body: HMAC-SHA256 of its parameters, one line each."""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from typing import Any

from errors import OrderError, Problem

CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class JsonNumber(str):
    """The text of a JSON number: `100.50` is signed as it was sent."""

    __slots__ = ()


def verify_signature(api_secret: str, method: str, path: str, body: str) -> None:
    """Check the signature in constant time. Raises: OrderError."""
    params = json.loads(body, parse_int=JsonNumber, parse_float=JsonNumber)
    signed = string_to_sign(method, path, params).encode()
    expected = hmac.new(api_secret.encode(), signed, hashlib.sha256).hexdigest()
    given = str(params["signature"]).lower()
    if not hmac.compare_digest(expected.encode(), given.encode()):
        raise OrderError(Problem.BAD_SIGNATURE)


def string_to_sign(method: str, path: str, params: Mapping[str, Any]) -> str:
    """Join the first line and `name=value` of every parameter, sorted by name."""
    lines = [f"{method} {path}"]
    for name in sorted(params):
        value = params[name]
        if name != "signature" and value is not None and value != "":
            lines.append(f"{name}={signed_text(name, value)}")
    return "\n".join(lines)


def signed_text(name: str, value: Any) -> str:
    """Return the signed text of a value; objects as canonical JSON. Raises: OrderError."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        if CONTROL_CHARACTER.search(value):
            raise malformed(name, "control character")
        return str(value)
    if not all_text(value):
        raise malformed(name, "must be a string")
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def all_text(value: Any) -> bool:
    """Return whether every leaf of an object is a string."""
    if isinstance(value, dict):
        return all(all_text(inner) for inner in value.values())
    if isinstance(value, list):
        return all(all_text(inner) for inner in value)
    return isinstance(value, str) and not isinstance(value, JsonNumber)


def malformed(name: str, problem: str) -> OrderError:
    """Create the refusal of a parameter."""
    return OrderError(Problem.INVALID_PARAMETER, fields=[{"field": name, "problem": problem}])
