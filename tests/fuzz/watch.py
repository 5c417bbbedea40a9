"""Runs a function on one request and measures its answer, CPU time and log.

The CPU time is that of the thread, so other processes do not count. Two things that a deployed
function does not do are excluded: the work of the engine and moto, which are called by botocore (it
is included), and garbage collection, which would take many times as long as in a container because
this process has the tests' objects too.
"""

import gc
import io
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from moto.core.botocore_stubber import BotocoreStubber

from tests.support import engine

# The endings of the names of requests that change nothing.
_READS = (".GetItem", ".Query", ".BatchGetItem", ".Decrypt", ".GenerateMac")

type Handler = Callable[[dict[str, Any], object], Mapping[str, Any]]


@dataclass(slots=True)
class Seen:
    """The result of a request; `error` is the handler's exception, if any."""

    answer: Mapping[str, Any]
    cpu_ms: float
    log: str = field(repr=False)
    error: Exception | None = None


class Watch:
    """Measures handlers; functions must be loaded inside `printing`.

    `has_written`: whether anything was written to AWS since it was set to False.
    """

    def __init__(self) -> None:
        self.has_written = False
        self._printed = io.StringIO()
        self._of_aws_ns = 0

    @contextmanager
    def printing(self) -> Iterator[None]:
        """Capture everything printed; a Powertools logger keeps the stdout of its creation."""
        with redirect_stdout(self._printed), redirect_stderr(self._printed):
            yield

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Capture every logger at DEBUG, and count AWS's CPU time."""
        root, motos = logging.getLogger(), logging.getLogger("moto")
        handler, level = logging.StreamHandler(self._printed), root.level
        # A function's own logger prints its records itself.
        handler.addFilter(lambda record: not logging.getLogger(record.name).handlers)
        count = self._counting
        of_engine = patch.object(engine, "ask", count(engine.ask))
        of_moto = patch.object(BotocoreStubber, "__call__", count(BotocoreStubber.__call__))
        root.addHandler(handler)
        root.setLevel(logging.DEBUG)
        motos.setLevel(logging.WARNING)
        try:
            with of_engine, of_moto:
                yield
        finally:
            root.setLevel(level)
            motos.setLevel(logging.NOTSET)
            root.removeHandler(handler)

    def run(self, handler: Handler, event: dict[str, Any]) -> Seen:
        """Call a handler once."""
        self._printed.seek(0)
        self._printed.truncate()
        answer: Mapping[str, Any] = {}
        error: Exception | None = None
        self._of_aws_ns = 0
        gc.disable()
        with self.printing():
            began_ns = time.thread_time_ns()
            try:
                answer = handler(event, None)
            except Exception as raised:  # noqa: BLE001 - a rule checks it
                error = raised
            taken_ns = time.thread_time_ns() - began_ns - self._of_aws_ns
        gc.enable()
        return Seen(answer, taken_ns / 1e6, self._printed.getvalue(), error)

    def _counting(self, answer: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*asked: Any, event_name: str = "", **kwargs: Any) -> Any:
            began_ns = time.thread_time_ns()
            self.has_written |= not (event_name or asked[1]).endswith(_READS)
            if event_name:  # botocore calls moto by names
                kwargs["event_name"] = event_name
            try:
                return answer(*asked, **kwargs)
            finally:
                self._of_aws_ns += time.thread_time_ns() - began_ns

        return counted
