"""Build the proxy event that API Gateway's REST API sends for one request."""

import base64
import uuid
from collections.abc import Mapping
from typing import Any

HOST = "api.example.com"
# The function of the desk knows the routes below.
DESK = "/trader"


def as_deployed(route: str, names: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the route of the template that a page's own route belongs to, and its parameters."""
    if not route.startswith(f"{DESK}/"):
        return route, dict(names)
    path = route.removeprefix(f"{DESK}/").replace("+}", "}").format(**names)
    return f"{DESK}/{{proxy+}}", {"proxy": path}


def proxy_event(
    method: str,
    route: str,
    *,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    path_parameters: Mapping[str, str] | None = None,
    query: Mapping[str, str] | None = None,
    source_ip: str = "198.51.100.7",
) -> dict[str, Any]:
    """Return the event of one request; a body that is not UTF-8 is base64-encoded."""
    try:
        text, encoded = body.decode(), False
    except UnicodeDecodeError:
        text, encoded = base64.b64encode(body).decode(), True
    return {
        "resource": route,
        "path": route.replace("+}", "}").format(**(path_parameters or {})),
        "httpMethod": method,
        "headers": dict(headers or {}),
        "pathParameters": dict(path_parameters) if path_parameters else None,
        "queryStringParameters": dict(query) if query else None,
        "body": text or None,
        "isBase64Encoded": encoded,
        "requestContext": {
            "requestId": (headers or {}).get("x-amzn-requestid") or str(uuid.uuid4()),
            "identity": {"sourceIp": source_ip},
            "domainName": HOST,
            "stage": "v1",
            "resourcePath": route,
            "httpMethod": method,
        },
    }


def operator_event(
    route: str,
    command: str,
    body: str,
    *,
    arn: str | None = "arn:aws:iam::123456789012:user/finance-1",
    headers: Mapping[str, str] | None = None,
    source_ip: str = "203.0.113.5",
) -> dict[str, Any]:
    """Return the event of a signed call of the operators' API; AWS found the caller's ARN."""
    event = proxy_event(
        "POST",
        route,
        body=body.encode(),
        headers={"content-type": "application/json", **(headers or {})},
        path_parameters={"command": command},
        source_ip=source_ip,
    )
    event["requestContext"] |= {"accountId": "123456789012", "apiId": "orderdesk-operators"}
    event["requestContext"]["identity"]["userArn"] = arn
    return event
