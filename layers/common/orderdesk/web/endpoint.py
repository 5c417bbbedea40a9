"""Around every merchant route: one place that catches, logs and answers."""

import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from aws_lambda_powertools.logging import Logger

from orderdesk.domain.errors import Refusal
from orderdesk.web import envelope
from orderdesk.web.codes import CODES, INTERNAL_ERROR, SUCCESS_CODE
from orderdesk.web.http import Answer, Request, request_of, response_of

# What ties a log line to an order; neither is secret or personal.
_LOGGED = ("order_no", "pending_no")

type Route = Callable[[Request, int], Mapping[str, object]]


def answer(event: Mapping[str, Any], logger: Logger, route: Route) -> dict[str, Any]:
    """Run a route on an API Gateway event; `route` gets the request and the time in Unix us.

    A refusal is answered with its code and logged as one line; anything else is 5000, and an alarm
    counts it. Its log line says which error and where, but not the error's text: some libraries
    quote the values that they were given.
    """
    now_us = time.time_ns() // 1000
    request = request_of(event)
    logger.append_keys(request_id=request.request_id, route=f"{request.method} {request.route}")
    try:
        result = _run(request, now_us, logger, route)
        return response_of(result, request.request_id)
    finally:
        logger.remove_keys(["request_id", "route"])


def _run(request: Request, now_us: int, logger: Logger, route: Route) -> Answer:
    now, chinese = now_us // 1_000_000, request.prefers_chinese
    try:
        data = route(request, now_us)
    except Refusal as refusal:
        logger.info("refused", extra={"code": CODES[refusal.reason].code, "reason": refusal.reason})
        return envelope.refused(refusal, now, chinese=chinese)
    except Exception as error:  # noqa: BLE001 - the last resort of the house
        log_unexpected(logger, error)
        return envelope.internal_error(now, chinese=chinese)
    told = {name: data[name] for name in _LOGGED if name in data}
    logger.info("done", extra={"code": SUCCESS_CODE, **told})
    return envelope.success(data, now, chinese=chinese)


def log_unexpected(logger: Logger, error: Exception) -> None:
    """Log an error that nobody expected: its type and where it came from, never its text."""
    where = [
        f"{frame.filename}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    extra = {
        "code": CODES[INTERNAL_ERROR].code,
        "error": type(error).__qualname__,
        "where": where,
    }
    logger.error("unexpected", extra=extra)
