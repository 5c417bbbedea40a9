"""API Gateway REST proxy events, and handlers called with them as if over HTTP."""

import base64
import json
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from tests.support.merchant_client import Reply, Send

type Handler = Callable[[dict[str, Any], object], dict[str, Any]]


def proxy_event(
    method: str,
    route: str,
    *,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    path_parameters: Mapping[str, str] | None = None,
    source_ip: str = "198.51.100.7",
) -> dict[str, Any]:
    """Build the event of one request; a body that is no UTF-8 arrives base64-encoded."""
    try:
        text, encoded = body.decode(), False
    except UnicodeDecodeError:
        text, encoded = base64.b64encode(body).decode(), True
    path = route.format(**(path_parameters or {}))
    return {
        "resource": route,
        "path": path,
        "httpMethod": method,
        "headers": dict(headers or {}),
        "pathParameters": dict(path_parameters) if path_parameters else None,
        "queryStringParameters": None,
        "body": text or None,
        "isBase64Encoded": encoded,
        "requestContext": {
            "requestId": (headers or {}).get("x-amzn-requestid") or str(uuid.uuid4()),
            "identity": {"sourceIp": source_ip},
            "domainName": "api.example.com",
            "stage": "v1",
            "resourcePath": route,
            "httpMethod": method,
        },
    }


def sender(handlers: Mapping[str, Handler], source_ip: str = "198.51.100.7") -> Send:
    """Make a `Send` that calls the handler of each path in this process."""

    def send(path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        event = proxy_event("POST", path, body=body, headers=headers, source_ip=source_ip)
        response = handlers[path](event, None)
        lower = {name.lower(): value for name, value in response["headers"].items()}
        return Reply(response["statusCode"], json.loads(response["body"]), lower)

    return send
