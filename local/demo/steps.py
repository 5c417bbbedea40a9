"""What the demo prints: each step when it is done, who took it, and the order's status then."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import urllib3
from botocore.exceptions import BotoCoreError, ClientError

from local.progress import LocalError
from orderdesk.domain.errors import OrderdeskError
from orderdesk_cli.stacks import StackUnavailable

type Tell = Callable[[str], None]
"""Takes what a step led to."""


class Unexpected(Exception):
    """Something did not go as it should; the text says what."""


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
    def step(self, who: str, what: str) -> Iterator[Tell]:
        """Take a step and print it. Raises: LocalError that names the step where it fails."""
        outcome: list[str] = []
        try:
            yield outcome.append
        except FAILURES as error:
            why = " ".join(str(error).split()) or type(error).__name__
            raise LocalError(f"{self._title}: {who} {what}: {why}") from None
        print(f"  {who:<9} {what:<46} {'  '.join(outcome)}".rstrip(), flush=True)
