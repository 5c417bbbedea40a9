"""The string to sign and its HMAC: contract section 2, dialect `standard`.

JSON numbers are parsed to `JsonNumber`, which keeps their text. `100.50` is therefore signed as
sent and never becomes a float.
"""

import hmac
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from orderdesk.domain.errors import FieldProblem

TIMESTAMP_WINDOW_SECONDS = 300
NONCE_RETENTION_SECONDS = 600

UNSIGNED_PARAMETER = "signature"

TEST_PATHS = "/test/"
SHOWN_BYTES_MAX = 4096

NUMBER_LENGTH_MAX = 32
NUMBER_TOO_LONG = f"at most {NUMBER_LENGTH_MAX} characters"
_AMOUNT = "cny_amount"

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class JsonNumber:
    """A JSON number, kept as its text in the body."""

    text: str


type JsonValue = bool | str | JsonNumber | list[JsonValue] | dict[str, JsonValue] | None


def json_text(value: JsonValue) -> str:
    """Return a value as JSON; each number keeps its text, so it is parsed to the same value."""
    match value:
        case JsonNumber(text):
            return text
        case dict():
            pairs = (f"{json_text(name)}:{json_text(each)}" for name, each in value.items())
            return f"{{{','.join(pairs)}}}"
        case list():
            return f"[{','.join(map(json_text, value))}]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def is_absent(value: JsonValue) -> bool:
    """Return whether a parameter counts as not sent: `null` and "" are neither signed nor read."""
    return value is None or value == ""


def signable_problems(params: Mapping[str, JsonValue]) -> Iterator[FieldProblem]:
    """Yield what makes a body unsignable.

    These are bad names, control characters, numbers of more than 32 characters, and leaves of
    objects that are not strings. They are refused because two different bodies must never have the
    same string to sign. A body may have thousands of problems: read only as many as are shown.
    """
    for name, value in params.items():
        if _NAME.match(name) is None:
            yield FieldProblem(_CONTROL.sub("?", name), "a name matches [a-z][a-z0-9_]*")
        if isinstance(value, str) and _CONTROL.search(value) is not None:
            yield FieldProblem(name, "must not hold control characters")
        if len(_number_text(name, value)) > NUMBER_LENGTH_MAX:
            yield FieldProblem(name, NUMBER_TOO_LONG)
        if isinstance(value, list | dict):
            for path in _leaves_not_text((name,), value):
                yield FieldProblem(path, "must be a string")


def _number_text(name: str, value: JsonValue) -> str:
    """Return the text of a number literal, or of an amount that is a string; else ""."""
    match value:
        case JsonNumber():
            return value.text
        case str() if name == _AMOUNT:
            return value
        case _:
            return ""


def _leaves_not_text(path: tuple[str, ...], value: JsonValue) -> Iterator[str]:
    """Yield the dotted path of each leaf that is not a string; only these paths are joined."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves_not_text((*path, name), inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _leaves_not_text((*path, str(index)), inner)
    elif not isinstance(value, str):
        yield ".".join(path)


def string_to_sign(method: str, path: str, params: Mapping[str, JsonValue]) -> str:
    """Join the first line and one `name=value` line for each signed parameter by single LFs.

    `path` begins at `/merchant` or `/test`. The parameters must have no `signable_problems`.
    """
    lines = [f"{method} {path}"]
    # Signable names are ASCII, so sorting by code point equals sorting by byte.
    lines.extend(
        f"{name}={_value_text(params[name])}"
        for name in sorted(params)
        if name != UNSIGNED_PARAMETER and not is_absent(params[name])
    )
    return "\n".join(lines)


def shown_string_to_sign(path: str, text: str) -> str | None:
    """Return the part of a string to sign that a refusal shows; None except on the test paths.

    It is the first 4 KiB of UTF-8, in whole characters.
    """
    if not path.startswith(TEST_PATHS):
        return None
    return text.encode()[:SHOWN_BYTES_MAX].decode(errors="ignore")


def _value_text(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, JsonNumber):
        return value.text
    if isinstance(value, bool):
        return "true" if value else "false"
    return canonical_json(value)


def canonical_json(value: JsonValue) -> str:
    """Serialise objects and arrays of strings as RFC 8785 (JCS) does."""
    return json.dumps(_sorted(value), ensure_ascii=False, separators=(",", ":"))


def _sorted(value: JsonValue) -> object:
    if isinstance(value, dict):
        # RFC 8785 section 3.2.3: names sort by their UTF-16 code units.
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return {name: _sorted(value[name]) for name in names}
    if isinstance(value, list):
        return [_sorted(inner) for inner in value]
    return value


def sign(api_secret: str, text: str) -> str:
    """Return the lower-case hex HMAC-SHA256 of a string to sign."""
    return hmac.digest(api_secret.encode(), text.encode(), "sha256").hex()


def verifying_secret(api_secrets: Iterable[str], text: str, signature: str) -> int | None:
    """Return the position of the active secret that matches, or None.

    Constant time: every secret is tried, also after one matched. Upper-case hex is accepted.
    """
    given = signature.lower().encode("utf-8", "surrogatepass")
    matches = [hmac.compare_digest(sign(secret, text).encode(), given) for secret in api_secrets]
    return matches.index(True) if any(matches) else None
