"""Confirmation at a terminal, on a pseudo-terminal."""

import os
import pty
import subprocess
import sys
from contextlib import suppress

import pytest

PROGRAM = """
from orderdesk_cli.confirmation import Declined, confirm
try:
    confirm(lambda: "what will happen\\n", is_agreed=False)
except Declined:
    print("declined")
else:
    print("agreed")
"""


def run(typed: bytes, *, stdin: bool = True, stdout: bool = True) -> str:
    """Run the program on a pseudo-terminal, or with a pipe instead; return all that it prints."""
    ours, theirs = pty.openpty()
    try:
        os.write(ours, typed)
        done = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=theirs if stdin else subprocess.DEVNULL,
            stdout=theirs if stdout else subprocess.PIPE,
            stderr=theirs,
        )
        piped, _ = done.communicate()
        assert done.returncode == 0
    finally:
        os.close(theirs)
    try:
        return printed_on(ours) + (piped or b"").decode()
    finally:
        os.close(ours)


def printed_on(terminal: int) -> str:
    """Read a pseudo-terminal that is no longer written to; each read returns only a part."""
    printed = b""
    with suppress(OSError):  # the end, on Linux
        while part := os.read(terminal, 10_000):
            printed += part
    return printed.decode()


@pytest.mark.parametrize(
    ("typed", "outcome"),
    [
        (b"y\n", "agreed"),
        (b"yes\n", "agreed"),
        (b"n\n", "declined"),
        (b"\n", "declined"),
        (b"\x04", "declined"),  # Ctrl-D
        (b"what?\ny\n", "agreed"),
    ],
)
def test_a_terminal_is_asked(typed: bytes, outcome: str) -> None:
    printed = run(typed)
    assert "what will happen" in printed
    assert "Do it? [y/N]" in printed
    assert printed.rstrip().endswith(outcome)


@pytest.mark.parametrize("piped", ["stdin", "stdout"])
def test_a_pipe_is_never_asked(piped: str) -> None:
    printed = run(b"n\n", **{piped: False})
    assert "Do it?" not in printed
    assert printed.rstrip().endswith("agreed")
