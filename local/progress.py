"""Output at the terminal: a line for each step, and a line for a failure."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class LocalError(Exception):
    """A failure that a developer can fix; its text is the whole message."""


@contextmanager
def step(text: str) -> Iterator[None]:
    """Print a step before it runs, and its duration afterwards."""
    began = time.monotonic()
    say(f"{text} …")
    yield
    say(f"{text}: {time.monotonic() - began:.1f} s")


def say(line: str) -> None:
    """Print on stderr; stdout is for output that programs read."""
    print(line, file=sys.stderr, flush=True)
