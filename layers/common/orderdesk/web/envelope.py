"""The envelope of every merchant API answer: code, msg, data, time (contract section 1)."""

import json
from collections.abc import Mapping

from orderdesk.domain.errors import Refusal
from orderdesk.web.codes import CODES, INTERNAL_ERROR, SUCCESS, Code, code_of
from orderdesk.web.http import Answer

_HEADERS = {"Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store"}

# What a client may do about a refusal that passes by itself.
_RETRY_AFTER_SECONDS = {"rate_unavailable": 30, "identity_provider_unavailable": 30, "try_again": 1}


def success(data: Mapping[str, object], now: int, *, chinese: bool) -> Answer:
    """Answer with a result."""
    return _envelope(SUCCESS, data, now, chinese=chinese)


def refused(refusal: Refusal, now: int, *, chinese: bool) -> Answer:
    """Answer an expected refusal with its code, its reason and what helps to act on it."""
    data = {"reason": refusal.reason, **refusal.data()}
    retry = _RETRY_AFTER_SECONDS.get(refusal.reason)
    extra = {} if retry is None else {"Retry-After": str(retry)}
    return _envelope(code_of(refusal), data, now, chinese=chinese, extra=extra)


def internal_error(now: int, *, chinese: bool) -> Answer:
    """Answer what nobody expected; says nothing about the inside."""
    code = CODES[INTERNAL_ERROR]
    return _envelope(code, {"reason": INTERNAL_ERROR}, now, chinese=chinese)


def _envelope(
    code: Code,
    data: Mapping[str, object],
    now: int,
    *,
    chinese: bool,
    extra: Mapping[str, str] | None = None,
) -> Answer:
    body = {"code": code.code, "msg": code.message(chinese=chinese), "data": data, "time": now}
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Answer(code.status, text, {**_HEADERS, **(extra or {})})
