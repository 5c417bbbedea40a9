"""Records what handlers in this process send to AWS, answer and print, step by step."""

import io
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from unittest.mock import patch

from botocore.client import BaseClient
from botocore.exceptions import ClientError
from moto import mock_aws

from local.templates import table_definitions
from orderdesk.adapters.receipts import Bucket
from orderdesk.services.orders.render_receipt import KeptFile
from orderdesk.web.pages.routing import located
from tests.model.request_units import key_names, units_read, units_written, writes_in
from tests.model.usual_lives import UsualLives
from tests.support import engine
from tests.support.template import template
from tests.support.world import ENVIRONMENT, World, desk_routes

_SEND = "_make_api_call"
_SETTINGS = ENVIRONMENT | {
    # Lambda sets it, and the logger adds it to every line.
    "_X_AMZN_TRACE_ID": "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8",
    "CACHE_SECONDS": "86400",  # no cached item expires, however slow the machine
}


@dataclass(slots=True)
class Step:
    """One run of a function, named by its route, or by the function.

    `requests` are (service, operation). `units` are DynamoDB's, by ("reads" or "writes", table or
    table/index). `cpu_ms` excludes the requests. `log` is what the function printed.
    """

    name: str
    function: str
    requests: list[tuple[str, str]] = field(default_factory=list)
    units: dict[tuple[str, str], Decimal] = field(default_factory=dict)
    answer: Mapping[str, Any] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    cpu_ms: float = 0


type Walk = dict[str, list[Step]]
"""The steps of a "buy", of a "sell", and "idle": the schedules' runs that find nothing to do."""


def walk(traders: int = 100) -> Walk:
    """Walk one order of each kind to warm up, then the ones that count; takes seconds."""
    watch = _Watch()
    own = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment = patch.dict(os.environ, own | _SETTINGS, clear=True)
    sending = patch.object(BaseClient, _SEND, watch.sending(getattr(BaseClient, _SEND)))
    # One after the other: the watch counts the requests of one thread.
    storing = patch.object(Bucket, "keep_all", _keep_in_turn)
    with (
        environment,
        mock_aws(),
        engine.running(),
        sending,
        storing,
        redirect_stdout(watch.printed),
    ):
        lives = UsualLives(World(), traders, watch.handling)
        for kind in ("buy", "sell", "idle") * 2:
            watch.walk[kind] = watch.steps = []
            getattr(lives, kind)()
    return watch.walk


def _keep_in_turn(bucket: Bucket, files: Sequence[KeptFile]) -> None:
    for each in files:
        bucket.keep(each.key, each.content, each.content_type)


class _Watch:
    def __init__(self) -> None:
        self.walk: Walk = {}
        self.steps: list[Step] = []
        self.printed = io.StringIO()
        definitions = table_definitions(template())
        self._tables = {name.removesuffix("Table"): each for name, each in definitions.items()}
        self._running: Step | None = None
        self._sending_ns = 0
        # Read before the walk's own world begins.
        self._desk = {route: route for route in desk_routes()}

    def sending(self, send: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap botocore's method that sends a request."""

        def watched(client: Any, operation: str, params: dict[str, Any]) -> Any:
            if (step := self._running) is None:
                return send(client, operation, params)
            began_ns, self._running = time.process_time_ns(), None
            step.requests.append((client.meta.service_model.service_name, operation))
            before = self._items(client, operation, params)
            try:
                answer = send(client, operation, params)
            except ClientError:  # a missing key, for example, is billed too
                self._running = step
                raise
            after = self._items(client, operation, params)
            taken = [*units_read(operation, params, answer)]
            transactional = operation == "TransactWriteItems"
            for (name, old), (_, new) in zip(before, after, strict=True):
                table = self._tables[name]
                taken += units_written(name, table, old, new, transactional=transactional)
            for kind, place, units in taken:
                step.units[kind, place] = step.units.get((kind, place), Decimal(0)) + units
            self._running = step
            self._sending_ns += time.process_time_ns() - began_ns
            return answer

        return watched

    def handling(self, function: str, handler: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function's handler: each run is a step."""

        def watched(event: Any, context: Any) -> Any:
            route = function if event else f"{function}, by its schedule"
            if "resource" in event:
                route = self._route_of(event)
            step = self._running = Step(route, function)
            printed, self._sending_ns = len(self.printed.getvalue()), 0
            began_ns = time.process_time_ns()
            step.answer = handler(event, context) or {}
            step.cpu_ms = (time.process_time_ns() - began_ns - self._sending_ns) / 1e6
            self._running = None
            assert step.answer.get("statusCode", 0) < 400, step.answer
            step.log = self.printed.getvalue()[printed:].splitlines()
            self.steps.append(step)
            return step.answer

        return watched

    def _items(self, client: Any, operation: str, params: Mapping[str, Any]) -> list[Any]:
        """Return the table and the current item, or None, of each write of a request."""
        found = []
        for write in writes_in(operation, params):
            name, whole = write["TableName"], write.get("Key") or write["Item"]
            key = {each: whole[each] for each in key_names(self._tables[name])}
            answer = client.get_item(TableName=name, Key=key, ConsistentRead=True)
            found.append((name, answer.get("Item")))
        return found

    def _route_of(self, event: Mapping[str, Any]) -> str:
        """Return the method and path of a request's own route."""
        path = event["resource"]
        if path == "/trader/{proxy+}":
            path = located("/trader", self._desk, event)[0]["resource"]
        return f"{event['httpMethod']} {path}"
