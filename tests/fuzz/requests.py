"""A request as it is drawn, and the two ways on which it reaches a function."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support.events import proxy_event
from tests.support.template import template

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
        """Tell whether merchants call it."""
        return self.path.startswith(("/merchant/", "/test/"))


def every_route() -> list[Route]:
    """Give the template's routes, so that a new one is fuzzed without a word here."""
    return sorted(
        Route(
            resource["Properties"]["CodeUri"].strip("/").rpartition("/")[2],
            event["Properties"]["Method"],
            event["Properties"]["Path"],
        )
        for resource in template()["Resources"].values()
        if resource["Type"] == "AWS::Serverless::Function"
        for event in resource["Properties"].get("Events", {}).values()
        if event["Type"] == "Api"
    )


@dataclass(frozen=True, slots=True)
class Case:
    """One request.

    `names` are the path's parameters as the gateway decodes them. A `body` of type str may hold
    lone surrogates. `is_encoded` is what the event says of the body, None where the body decides.
    `told` are the values of the request that no log line may hold.
    """

    route: Route
    names: Mapping[str, str] = field(default_factory=dict)
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    body: str | bytes = ""
    is_encoded: bool | None = None
    source_ip: str = "198.51.100.7"
    told: frozenset[str] = frozenset()

    def event(self) -> dict[str, Any]:
        """Give the event with which API Gateway would call the function."""
        raw = self.body if isinstance(self.body, bytes) else b""
        event = proxy_event(
            self.route.method,
            self.route.path,
            body=raw,
            headers={"x-amzn-requestid": REQUEST_ID},
            path_parameters=self._whole_names(),
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
        """Give every parameter of the path: a request without one has no such route."""
        return {name: self.names.get(name, "") for name in re.findall(r"{(\w+)}", self.route.path)}

    def content(self) -> bytes:
        """Give the body as a client would send it."""
        if isinstance(self.body, bytes):
            return self.body
        return self.body.encode("utf-8", "surrogatepass")

    def __repr__(self) -> str:
        """Show what a developer needs to send it again; long parts are cut."""
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
    """Give a body as it stands in an event that says isBase64Encoded."""
    return base64.b64encode(content).decode("ascii")
