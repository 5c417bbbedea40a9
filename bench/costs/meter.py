"""Watches handlers at work on moto: every request they send, with the items it reads and writes.

Units are not asked for but computed from the items (`units.py`), so the same run can be counted
again with other indexes. CPU time is the handler's own: moto's, and that of looking at items, is
taken off.
"""

import gzip
import io
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from botocore.client import BaseClient
from moto.core.botocore_stubber import BotocoreStubber

from bench.costs.looking import Looker
from bench.costs.records import Invocation, Request
from bench.costs.units import Table

type Handler = Callable[[Any, Any], Any]

_SEND = "_make_api_call"


@dataclass
class Meter:
    """Collects invocations under the label that is set; records nothing outside of handlers."""

    tables: Mapping[str, Table]
    label: str = ""
    invocations: list[Invocation] = field(default_factory=list)
    _requests: list[Request] = field(default_factory=list)
    _is_recording: bool = False
    _aside_ns: int = 0
    _log: io.StringIO = field(default_factory=io.StringIO)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch every AWS client of this process, and what is printed."""
        send, answer = getattr(BaseClient, _SEND), BotocoreStubber.__call__

        def watched_send(client: Any, operation: str, params: dict[str, Any]) -> Any:
            if not self._is_recording:
                return send(client, operation, params)
            return self._recorded(
                client, operation, params, lambda: send(client, operation, params)
            )

        def watched_answer(*arguments: Any, **named: Any) -> Any:
            with self._aside():
                return answer(*arguments, **named)

        with (
            patch.object(BaseClient, _SEND, watched_send),
            patch.object(BotocoreStubber, "__call__", watched_answer),
            redirect_stdout(self._log),
        ):
            yield

    def watched(self, function: str, handler: Handler) -> Handler:
        """Wrap a handler: what it does is an invocation."""

        def watched_handler(event: Any, context: Any) -> Any:
            self._requests, self._aside_ns = [], 0
            logged, began_ns = self._log.tell(), time.process_time_ns()
            self._is_recording = True
            try:
                answer = handler(event, context)
            finally:
                self._is_recording = False
            spent_ns = time.process_time_ns() - began_ns - self._aside_ns
            lines = self._log.getvalue()[logged:].splitlines()
            self.invocations.append(self._invocation(function, spent_ns, answer, lines))
            return answer

        return watched_handler

    def _invocation(
        self, function: str, spent_ns: int, answer: Any, lines: list[str]
    ) -> Invocation:
        body = str((answer or {}).get("body") or "").encode()
        headers = (answer or {}).get("headers") or {}
        return Invocation(
            label=self.label,
            function=function,
            requests=tuple(self._requests),
            cpu_ms=spent_ns / 1e6,
            header_bytes=sum(len(f"{name}: {value}\r\n") for name, value in headers.items()),
            body_bytes=len(body),
            body_bytes_gzipped=len(gzip.compress(body)) if body else 0,
            log_bytes=sum(len(line.encode()) for line in lines),
            log_lines=len(lines),
            metrics=frozenset(name for line in lines for name in _metrics_of(line)),
        )

    def _recorded(
        self, client: Any, operation: str, params: Mapping[str, Any], send: Callable[[], Any]
    ) -> Any:
        service = client.meta.service_model.service_name
        if service != "dynamodb":
            self._requests.append(Request(service, operation))
            return send()
        looker = Looker(client, self.tables)
        with self._looking():
            before = looker.before(operation, params)
        answer = send()
        with self._looking():
            self._requests.append(looker.request(operation, params, answer, before))
        return answer

    @contextmanager
    def _looking(self) -> Iterator[None]:
        """Let time pass, and requests be sent, that are not the handler's."""
        self._is_recording = False
        try:
            with self._aside():
                yield
        finally:
            self._is_recording = True

    @contextmanager
    def _aside(self) -> Iterator[None]:
        """Let time pass that is not the handler's; what is inside of it counts once."""
        before_ns, began_ns = self._aside_ns, time.process_time_ns()
        try:
            yield
        finally:
            self._aside_ns = before_ns + time.process_time_ns() - began_ns


def _metrics_of(line: str) -> list[str]:
    """Name the metrics of a line in CloudWatch's embedded format; none for any other line."""
    if '"_aws"' not in line:
        return []
    directives = json.loads(line)["_aws"]["CloudWatchMetrics"]
    return [metric["Name"] for directive in directives for metric in directive["Metrics"]]
