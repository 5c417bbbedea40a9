"""The frame of every merchant route: it reads the body, catches errors, logs, responds."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from aws_lambda_powertools.logging import Logger

from orderdesk.domain.errors import Refusal, TooManyRequests
from orderdesk.domain.merchants.signing import JsonNumber, JsonValue, is_absent
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.web.codes import (
    CODES,
    INTERNAL_ERROR,
    SUCCESS,
    SUCCESS_CODE,
    BodyTooLarge,
    Code,
    InvalidBody,
    WrongContentType,
    code_of,
    shortened,
)
from orderdesk.web.http import Request, Response, log_unexpected, proxy_response, request_of
from orderdesk.web.merchant.parameters import COMMON_PARAMETERS

# Logged to connect a line with an order; these numbers are neither secret nor personal.
_LOGGED = ("order_no", "pending_no")

_HEADERS = {"Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store"}

# Seconds after which a client may retry a refusal that is temporary.
_RETRY_AFTER_SECONDS = {"rate_unavailable": 30, "identity_provider_unavailable": 30, "try_again": 1}

IGNORED_MAX = 20
MAX_BODY_BYTES = 64 * 1024
MAX_DEPTH = 32

type Params = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Route:
    """A signed route: its use case, and the names of its parameters beside the common ones.

    `run` gets the request, the body's parameters and the time in Unix us.
    """

    run: Callable[[Request, Params, int], Mapping[str, object]]
    parameters: frozenset[str] = frozenset()


def answer(event: Mapping[str, Any], logger: Logger, route: Route) -> dict[str, Any]:
    """Run a route on an API Gateway event.

    A refusal returns its code and logs one line. Any other error returns 5000, and an alarm counts
    it. Its log line has the error's type and stack but not its text, because some libraries quote
    values in it.
    """
    now_us = time.time_ns() // 1000
    request = request_of(event)
    logger.append_keys(request_id=request.request_id, route=f"{request.method} {request.route}")
    try:
        result = _run(request, now_us, logger, route)
        return proxy_response(result, request.request_id)
    finally:
        logger.remove_keys(["request_id", "route"])


def _run(request: Request, now_us: int, logger: Logger, route: Route) -> Response:
    now, chinese = now_us // US_PER_SECOND, request.prefers_chinese
    try:
        params = read_body(request)
        data = {**route.run(request, params, now_us), **_ignored(params, route)}
    except Refusal as refusal:
        logger.info("refused", extra={"code": CODES[refusal.reason].code, "reason": refusal.reason})
        return _refused(refusal, now, chinese=chinese)
    except Exception as error:  # noqa: BLE001 - every error must have a response
        log_unexpected(logger, error)
        return _internal_error(now, chinese=chinese)
    numbers = {name: data[name] for name in _LOGGED if name in data}
    logger.info("done", extra={"code": SUCCESS_CODE, **numbers})
    return _success(data, now, chinese=chinese)


def _ignored(params: Params, route: Route) -> Mapping[str, object]:
    """Return the names of sent parameters that are not the route's (contract section 1)."""
    known = route.parameters | COMMON_PARAMETERS
    names = sorted(n for n, value in params.items() if n not in known and not is_absent(value))
    return {"ignored": [shortened(name) for name in names[:IGNORED_MAX]]} if names else {}


def _success(data: Mapping[str, object], now: int, *, chinese: bool) -> Response:
    return envelope(SUCCESS, data, now, chinese=chinese)


def _refused(refusal: Refusal, now: int, *, chinese: bool) -> Response:
    data = {"reason": refusal.reason, **refusal.data()}
    retry = _RETRY_AFTER_SECONDS.get(refusal.reason)
    if isinstance(refusal, TooManyRequests):
        retry = refusal.retry_after_seconds
    extra = {} if retry is None else {"Retry-After": str(retry)}
    return envelope(code_of(refusal), data, now, chinese=chinese, extra=extra)


def _internal_error(now: int, *, chinese: bool) -> Response:
    """Return the response to an unexpected error, without internal details."""
    code = CODES[INTERNAL_ERROR]
    return envelope(code, {"reason": INTERNAL_ERROR}, now, chinese=chinese)


def envelope(
    code: Code,
    data: Mapping[str, object],
    now: int,
    *,
    chinese: bool,
    extra: Mapping[str, str] | None = None,
) -> Response:
    """Return a response in the contract's envelope; `now` is in Unix seconds."""
    body = {"code": code.code, "msg": code.message(chinese=chinese), "data": data, "time": now}
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Response(code.status, text, {**_HEADERS, **(extra or {})})


def read_body(request: Request) -> dict[str, JsonValue]:
    """Parse the body's parameters; numbers keep their text.

    Raises: WrongContentType; BodyTooLarge; InvalidBody for no JSON, no object, duplicate names,
    more than 32 levels, lone surrogates, NaN or Infinity.
    """
    if _media_type(request.headers.get("content-type", "")) != "application/json":
        raise WrongContentType
    if len(request.body) > MAX_BODY_BYTES:
        raise BodyTooLarge
    try:
        parsed = _DECODER.decode(request.body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise InvalidBody from None
    if not isinstance(parsed, dict):
        raise InvalidBody
    _check(parsed, MAX_DEPTH)
    return parsed


def _media_type(content_type: str) -> str:
    return content_type.split(";", maxsplit=1)[0].strip().lower()


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
