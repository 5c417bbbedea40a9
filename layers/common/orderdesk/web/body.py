"""The body of a call or command: a JSON object whose numbers keep their text."""

import json
from typing import NoReturn

from orderdesk.domain.merchants.signing import JsonNumber, JsonValue
from orderdesk.web.codes import BodyTooLarge, InvalidBody, WrongContentType
from orderdesk.web.http import Request

MAX_BODY_BYTES = 64 * 1024
MAX_DEPTH = 32


def read_body(request: Request) -> dict[str, JsonValue]:
    """Parse the body's parameters. Raises: WrongContentType; BodyTooLarge; InvalidBody."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise WrongContentType
    if len(request.body) > MAX_BODY_BYTES:
        raise BodyTooLarge
    return parse_object(request.body)


def parse_object(body: bytes) -> dict[str, JsonValue]:
    """Parse a JSON object; numbers keep their text.

    Raises: InvalidBody for no JSON, no object, duplicate names, more than 32 levels, lone
    surrogates, NaN or Infinity.
    """
    try:
        parsed = _DECODER.decode(body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise InvalidBody from None
    if not isinstance(parsed, dict):
        raise InvalidBody
    _check(parsed, MAX_DEPTH)
    return parsed


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    names = dict(pairs)
    if len(names) != len(pairs):
        raise InvalidBody
    return names


def _no_constant(_: str) -> NoReturn:
    raise InvalidBody


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_float=JsonNumber,
    parse_int=JsonNumber,
    parse_constant=_no_constant,
)


def _check(value: JsonValue, depth: int) -> None:
    """Refuse text that cannot be written as UTF-8, and values that are nested too deep."""
    if depth == 0:
        raise InvalidBody
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, dict):
        for name, inner in value.items():
            _check_text(name)
            _check(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth - 1)


def _check_text(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidBody from None
