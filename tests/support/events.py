"""API Gateway proxy events, and handlers called with them as if over HTTP."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from events.gateway import as_deployed, proxy_event
from tests.support.merchant_client import Reply, Send

__all__ = ["Handler", "as_deployed", "proxy_event", "sender"]

type Handler = Callable[[dict[str, Any], object], dict[str, Any]]


def sender(handlers: Mapping[str, Handler], source_ip: str = "198.51.100.7") -> Send:
    """Return a `Send` that calls the handler of each path in this process."""

    def send(path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        event = proxy_event("POST", path, body=body, headers=headers, source_ip=source_ip)
        response = handlers[path](event, None)
        lower = {name.lower(): value for name, value in response["headers"].items()}
        return Reply(response["statusCode"], json.loads(response["body"]), lower)

    return send
