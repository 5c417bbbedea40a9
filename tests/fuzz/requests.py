"""A drawn request, and its forms as an event and over HTTP."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from orderdesk.web.http import request_of
from tests.support.events import as_deployed, proxy_event
from tests.support.template import template
from tests.support.world import desk_routes

REQUEST_ID = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"


@dataclass(frozen=True, slots=True, order=True)
class Route:
    """A route of the API, and the folder of its function."""

    function: str
    method: str
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def is_signed(self) -> bool:
        """Whether it belongs to the merchant API."""
        return self.path.startswith(("/merchant/", "/test/"))


def every_route() -> list[Route]:
    """Return the routes of the merchants' API, so that a new one is fuzzed automatically."""
    desk = [Route("trader_desk", method, path) for method, path in desk_routes()]
    deployed = sorted(
        Route(
            resource["Properties"]["CodeUri"].strip("/").rpartition("/")[2],
            event["Properties"]["Method"],
            event["Properties"]["Path"],
        )
        for resource in template()["Resources"].values()
        if resource["Type"] == "AWS::Serverless::Function"
        for event in resource["Properties"].get("Events", {}).values()
        if event["Type"] == "Api" and event["Properties"]["RestApiId"] == {"Ref": "Api"}
    )
    return sorted({*(each for each in deployed if each.function != "trader_desk"), *desk})


@dataclass(frozen=True, slots=True)
class Case:
    """One request.

    `names` are the path's parameters, decoded by the gateway. A `body` of type str may contain
    lone surrogates. `is_encoded` is the event's isBase64Encoded; None: the body's type decides.
    `private` are the values of the request that no log line may contain.
    """

    route: Route
    names: Mapping[str, str] = field(default_factory=dict)
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    body: str | bytes = ""
    is_encoded: bool | None = None
    source_ip: str = "198.51.100.7"
    private: frozenset[str] = frozenset()

    def event(self) -> dict[str, Any]:
        """Return the event of API Gateway for this request."""
        raw = self.body if isinstance(self.body, bytes) else b""
        path, names = as_deployed(self.route.path, self._whole_names())
        event = proxy_event(
            self.route.method,
            path,
            body=raw,
            headers={"x-amzn-requestid": REQUEST_ID},
            path_parameters=names,
            source_ip=self.source_ip,
        )
        event["headers"] = dict(self.headers) or None
        event["queryStringParameters"] = dict(self.query) or None
        if isinstance(self.body, str):
            event["body"] = self.body or None
        if self.is_encoded is not None:
            event["isBase64Encoded"] = self.is_encoded
        return event

    def _whole_names(self) -> dict[str, str]:
        """Return every parameter of the path; a request without one has another route."""
        return {name: self.names.get(name, "") for name in re.findall(r"{(\w+)}", self.route.path)}

    def content(self) -> bytes:
        """Return the body as a client sends it."""
        if isinstance(self.body, bytes):
            return self.body
        return self.body.encode("utf-8", "surrogatepass")

    def forms(self) -> tuple[bytes, bytes]:
        """Return the body as a client sends it and as the service decodes it."""
        return self.content(), request_of(self.event()).body

    def __repr__(self) -> str:
        """Return what a developer needs to repeat it; long parts are cut."""
        shown = {
            "names": dict(self.names),
            "query": self.query,
            "headers": self.headers,
            "body": self.body,
        }
        parts = (f"{name}={_cut(repr(value))}" for name, value in shown.items() if value)
        return f"Case({self.route}, {', '.join(parts)}, is_encoded={self.is_encoded})"


def _cut(text: str, longest: int = 3_000) -> str:
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text)} characters)"


def encoded(content: bytes) -> str:
    """Return the body of an event with isBase64Encoded."""
    return base64.b64encode(content).decode("ascii")
