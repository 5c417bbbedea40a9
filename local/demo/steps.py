"""The demo's output: each finished step, its actor, and the order's status."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import urllib3
from botocore.exceptions import BotoCoreError, ClientError

from local.progress import LocalError
from orderdesk.domain.errors import OrderdeskError
from orderdesk_cli.api import StackUnavailable

type Report = Callable[[str], None]
"""Adds a text to a step's result."""


class Unexpected(Exception):
    """A step's result is not the expected one; the text describes it."""


FAILURES = (
    Unexpected,
    urllib3.exceptions.HTTPError,
    OrderdeskError,
    StackUnavailable,
    BotoCoreError,
    ClientError,
)


class Walk:
    """One walk through the service, step by step."""

    def __init__(self, title: str) -> None:
        self._title = title
        print(f"\n{title}", flush=True)

    @contextmanager
    def step(self, who: str, what: str) -> Iterator[Report]:
        """Run a step and print it. Raises: LocalError, with the step's name, if it fails."""
        outcome: list[str] = []
        try:
            yield outcome.append
        except FAILURES as error:
            why = " ".join(str(error).split()) or type(error).__name__
            raise LocalError(f"{self._title}: {who} {what}: {why}") from None
        print(f"  {who:<9} {what:<46} {'  '.join(outcome)}".rstrip(), flush=True)
