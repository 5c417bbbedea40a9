"""The frame of every merchant route: it authenticates, catches errors, logs and responds.

The contract's sequence of checks is: body, common parameters, key, address, signature, timestamp,
rate, nonce, parameters. The first failure is returned. A use case that consumes the nonce in its
own transaction does that check itself.
"""

import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aws_lambda_powertools.logging import Logger

from orderdesk.domain.errors import FieldProblem, Refusal, TooManyRequests, TryAgain, shortened
from orderdesk.domain.merchants.signing import JsonValue, is_absent
from orderdesk.domain.times import SECONDS_PER_DAY, US_PER_SECOND
from orderdesk.services.merchants.authenticate import AuthenticatePorts, authenticate
from orderdesk.services.merchants.refused_calls import RefusalLog
from orderdesk.services.ports import MerchantCaller, Nonce, NonceGuard
from orderdesk.web.body import read_body
from orderdesk.web.codes import (
    CODES,
    INTERNAL_ERROR,
    SUCCESS,
    SUCCESS_CODE,
    Code,
    InvalidParameters,
    code_of,
)
from orderdesk.web.http import Request, Response, log_unexpected, proxy_response, request_of
from orderdesk.web.merchant.parameters import COMMON_PARAMETERS, UNKNOWN_PARAMETER, read_common

# Logged to connect a line with an order; these numbers are neither secret nor personal.
_LOGGED = ("order_no", "pending_no")

_HEADERS = {"Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store"}

# Seconds after which a client may retry a refusal that is temporary.
_RETRY_AFTER_SECONDS = {"rate_unavailable": 30, "identity_provider_unavailable": 30, "try_again": 1}

IGNORED_MAX = 20

DEPRECATIONS: Mapping[str, int] = {}
"""What will be removed, and since when (Unix seconds): "ROUTE", or "ROUTE PARAMETER"."""

DEPRECATED_DAYS = 365
"""Days from a deprecation to the removal."""

type Params = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class MerchantRoute:
    """A signed route: its use case, and the names of its parameters beside the common ones.

    `run` gets the request, the body's parameters and the time in Unix us. `is_list`: an unknown
    parameter is refused, because to ignore a filter would return what was not asked for.
    """

    run: Callable[[Request, Params, int], Mapping[str, object]]
    parameters: frozenset[str] = frozenset()
    is_list: bool = False

    def unknown(self, params: Params) -> list[str]:
        """Return the names of sent parameters that are not the route's, sorted."""
        known = self.parameters | COMMON_PARAMETERS
        return sorted(n for n, value in params.items() if n not in known and not is_absent(value))

    def problems(self, params: Params) -> list[FieldProblem]:
        """Return the unknown parameters of a list (contract section 1)."""
        if not self.is_list:
            return []
        return [FieldProblem(name, UNKNOWN_PARAMETER) for name in self.unknown(params)]


def answer(
    event: Mapping[str, Any], logger: Logger, route: MerchantRoute, refusals: RefusalLog
) -> dict[str, Any]:
    """Run a route on an API Gateway event.

    A refusal returns its code, logs one line and is recorded for the merchant's developers. Any
    other error returns 5000, and an alarm counts it. Its log line has the error's type and stack
    but not its text, because some libraries quote values in it.
    """
    now_us = time.time_ns() // 1000
    request = request_of(event)
    logger.append_keys(request_id=request.request_id, route=f"{request.method} {request.route}")
    try:
        result = _run(request, now_us, logger, route, refusals)
        return proxy_response(result, request.request_id)
    finally:
        logger.remove_keys(["request_id", "route"])


def _announced(response: Response, route: str, params: Params) -> Response:
    """Add the headers of RFC 9745 and RFC 8594 if the route or a sent parameter is deprecated."""
    sent = (f"{route} {name}" for name, value in params.items() if not is_absent(value))
    used = {route, *sent} & DEPRECATIONS.keys()
    if not used:
        return response
    headers = deprecation_headers(min(DEPRECATIONS[name] for name in used))
    return replace(response, headers={**response.headers, **headers})


def deprecation_headers(since: int) -> dict[str, str]:
    """Return the headers of what is deprecated since a time (Unix seconds)."""
    ends = time.gmtime(since + DEPRECATED_DAYS * SECONDS_PER_DAY)
    sunset = time.strftime("%a, %d %b %Y %H:%M:%S GMT", ends)
    return {"Deprecation": f"@{since}", "Sunset": sunset}


def _run(
    request: Request, now_us: int, logger: Logger, route: MerchantRoute, refusals: RefusalLog
) -> Response:
    now, chinese = now_us // US_PER_SECOND, request.prefers_chinese
    params: Params = {}
    try:
        params = read_body(request)
        data = {**route.run(request, params, now_us), **_ignored(params, route)}
    except Refusal as refusal:
        logger.info("refused", extra={"code": CODES[refusal.reason].code, "reason": refusal.reason})
        _record(refusal, request, params, now, logger=logger, refusals=refusals)
        response = refused(refusal, now, chinese=chinese)
    except Exception as error:  # noqa: BLE001 - every error must have a response
        log_unexpected(logger, error)
        code = CODES[INTERNAL_ERROR]
        response = envelope(code, {"reason": INTERNAL_ERROR}, now, chinese=chinese)
    else:
        numbers = {name: data[name] for name in _LOGGED if name in data}
        logger.info("done", extra={"code": SUCCESS_CODE, **numbers})
        response = envelope(SUCCESS, data, now, chinese=chinese)
    return _announced(response, request.route, params)


def _record(
    refusal: Refusal,
    request: Request,
    params: Params,
    now: int,
    *,
    logger: Logger,
    refusals: RefusalLog,
) -> None:
    """Record a refusal for the merchant's developers; the response never depends on it.

    5001 is not recorded, because the store is already too busy or does not respond.
    """
    if isinstance(refusal, TryAgain):
        return
    address = request.source_ip
    try:
        refusals.note(params.get("api_key"), request.route, refusal, address, now)
    except TryAgain:
        return
    except Exception as error:  # noqa: BLE001 - the response is decided
        log_unexpected(logger, error)


def _ignored(params: Params, route: MerchantRoute) -> Mapping[str, object]:
    """Return the names of sent parameters that are not the route's (contract section 1)."""
    names = route.unknown(params)
    return {"ignored": [shortened(name) for name in names[:IGNORED_MAX]]} if names else {}


def refused(refusal: Refusal, now: int, *, chinese: bool) -> Response:
    data = {"reason": refusal.reason, **refusal.data}
    retry = _RETRY_AFTER_SECONDS.get(refusal.reason)
    if isinstance(refusal, TooManyRequests):
        retry = refusal.retry_after_seconds
    extra = {} if retry is None else {"Retry-After": str(retry)}
    return envelope(code_of(refusal), data, now, chinese=chinese, extra=extra)


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


def identify(
    request: Request,
    params: Mapping[str, JsonValue],
    problems: Sequence[FieldProblem],
    ports: AuthenticatePorts,
    now_us: int,
) -> MerchantCaller:
    """Authenticate a call; `problems` are those of its other parameters, `now_us` in Unix us.

    If common parameters are missing, all problems are returned together.
    Raises: InvalidParameters, and what `authenticate` raises.
    """
    call, wrong = read_common(request, params)
    if call is None:
        raise InvalidParameters([*wrong, *problems])
    merchant, key, secret_rotated_at = authenticate(call, ports, now_us)
    now = now_us // US_PER_SECOND
    nonce = Nonce(call.api_key, call.nonce, now, holder=secrets.token_hex(16))
    return MerchantCaller(merchant, key, nonce, secret_rotated_at)


def require(problems: Sequence[FieldProblem], caller: MerchantCaller, guard: NonceGuard) -> None:
    """Consume the nonce and refuse any problems. Raises: NonceReused, InvalidParameters."""
    if problems:
        guard.consume(caller.nonce)
        raise InvalidParameters(list(problems))
