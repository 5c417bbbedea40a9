"""API Gateway's proxy events as requests, responses, and the log line of an unexpected error."""

import base64
import os
import re
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aws_lambda_powertools.logging import Logger

from orderdesk.web.codes import CODES, INTERNAL_ERROR

REQUEST_ID_HEADER = "x-request-id"
_ENDPOINT = "AWS_ENDPOINT_URL"
_LOOPBACK = re.compile(r"http://(?:127\.0\.0\.1|localhost)(?::|/|\Z)")


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request; header names are lower case.

    `route` is the template's path ("/pay/{order_no}/{token}"). Merchants sign it, so it never
    begins with a stage or a base path. It may be logged, because it contains no token.
    `ends_in_slash`: the requested address has a slash at its end, which a route never has.
    """

    method: str
    route: str
    request_id: str
    source_ip: str
    stage_url: str
    headers: Mapping[str, str] = field(repr=False)
    path_parameters: Mapping[str, str] = field(repr=False)
    query: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    ends_in_slash: bool = False

    @property
    def prefers_chinese(self) -> bool:
        """Whether Accept-Language ranks zh above en (RFC 9110, 12.5.4)."""
        return _prefers_chinese(self.headers.get("accept-language", ""))


@dataclass(frozen=True, slots=True)
class Response:
    """One HTTP response."""

    status: int
    body: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)


def request_of(event: Mapping[str, Any]) -> Request:
    """Parse an API Gateway REST proxy event (payload version 1.0).

    Lone surrogates outside the body become question marks, because UTF-8 cannot encode them and a
    page may show parts of the request.
    """
    context = event["requestContext"]
    headers = _encodable(event.get("headers"))
    return Request(
        method=event["httpMethod"],
        route=event["resource"],
        request_id=context["requestId"],
        source_ip=(context.get("identity") or {}).get("sourceIp") or "",
        stage_url=f"https://{context.get('domainName')}/{context.get('stage')}",
        headers={name.lower(): value for name, value in headers.items()},
        path_parameters=_encodable(event.get("pathParameters")),
        query=_encodable(event.get("queryStringParameters")),
        body=_body(event),
        ends_in_slash=str(event.get("path")).endswith("/"),
    )


def _encodable(texts: Mapping[str, str] | None) -> Mapping[str, str]:
    return {_as_utf8(name): _as_utf8(value) for name, value in (texts or {}).items()}


def _as_utf8(text: str) -> str:
    return text if text.isascii() else text.encode(errors="replace").decode()


def _body(event: Mapping[str, Any]) -> bytes:
    text = event.get("body") or ""
    if event.get("isBase64Encoded"):
        try:
            return base64.b64decode(text, validate=True)
        except ValueError:  # not base64, or not ASCII, which is not a binascii.Error
            return b""
    return str(text).encode("utf-8", "surrogatepass")


def proxy_response(response: Response, request_id: str) -> dict[str, Any]:
    """Return the response in the form of API Gateway's proxy, with the request's id in a header."""
    return {
        "statusCode": int(response.status),
        "headers": {**response.headers, REQUEST_ID_HEADER: request_id},
        "body": response.body,
        "isBase64Encoded": False,
    }


def _prefers_chinese(accept_language: str) -> bool:
    spoken = [_ranked(part) for part in accept_language.split(",")]
    known = [(quality, language) for quality, language in spoken if language in {"zh", "en"}]
    quality, language = max(known, key=lambda entry: entry[0], default=(0.0, "en"))
    return language == "zh" and quality > 0


def _ranked(part: str) -> tuple[float, str]:
    tag, _, parameter = part.partition(";")
    name, _, value = parameter.strip().partition("=")
    try:
        quality = float(value) if name.strip().lower() == "q" else 1.0
    except ValueError:
        quality = 0.0
    return quality, tag.strip().lower().split("-")[0]


def log_unexpected(logger: Logger, error: Exception) -> None:
    """Log an unexpected error: its type and its stack.

    The error's text may quote values that must not be logged. So the text and the traceback are
    logged on the local stack only.
    """
    where = [
        f"{frame.filename}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    extra = {"code": CODES[INTERNAL_ERROR].code, "error": type(error).__qualname__, "where": where}
    if _is_on_local_stack():
        extra["traceback"] = "".join(traceback.format_exception(error))
    logger.error("unexpected", extra=extra)


def _is_on_local_stack() -> bool:
    """Return whether AWS is emulated on this machine.

    The local emulator sets this variable for each function. On AWS a function with such an
    endpoint reaches no table, so a wrong setting cannot put error texts into its log.
    """
    return is_local(os.environ.get(_ENDPOINT, ""))


def is_local(url: str) -> bool:
    """Return whether an address is of this machine, without TLS."""
    return _LOOPBACK.match(url) is not None
