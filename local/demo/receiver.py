"""Waits for callbacks of the demo's merchants in the callback sink."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import urllib3

from local.demo.steps import Unexpected

ANSWER_SECONDS_MAX = 5
PAUSE_SECONDS = 0.2


@dataclass(frozen=True)
class Receiver:
    """The sink, which verifies callbacks with the official library."""

    address: str
    seconds_max: float = 20.0

    def await_verified(self, kind: str, order_no: str) -> str:
        """Wait for an order's verified callback of a type; return a text. Raises: Unexpected.

        A callback with a wrong signature is refused, so it is sent again. Only the end of the wait
        shows whether a valid one arrives.
        """
        deadline = time.monotonic() + self.seconds_max
        while True:
            came = list(self._about(kind, order_no))
            if any(callback["verified"] for callback in came):
                return f"{kind} verified"
            if time.monotonic() >= deadline:
                why = "arrived, but its signature is wrong" if came else "did not arrive"
                raise Unexpected(f"{kind} {why} within {self.seconds_max:g} s")
            time.sleep(PAUSE_SECONDS)

    def _about(self, kind: str, order_no: str) -> Iterator[dict[str, Any]]:
        answer = urllib3.request("GET", self.address, timeout=ANSWER_SECONDS_MAX, retries=False)
        for callback in json.loads(answer.data):
            if (callback["type"], callback["order_no"]) == (kind, order_no):
                yield callback
