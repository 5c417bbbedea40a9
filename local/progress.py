"""What the person at the terminal sees: one line a step, one line when something fails."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class LocalError(Exception):
    """Something a person can act on; its text is the whole message."""


@contextmanager
def step(text: str) -> Iterator[None]:
    """Name a step before it runs and its duration once it is done."""
    began = time.monotonic()
    say(f"{text} …")
    yield
    say(f"{text}: {time.monotonic() - began:.1f} s")


def say(line: str) -> None:
    """Print on stderr at once; stdout stays for what a program may read."""
    print(line, file=sys.stderr, flush=True)
