"""What reaches a terminal or pager: its width and style, JSON without control characters."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress

from orderdesk_cli.plain_text import is_control

PIPE_WIDTH = 200
_DELETE = "\x7f"  # the one control character that JSON, and so json.dumps, does not escape


def printable_json(value: object, *, ensure_ascii: bool, indent: int | None) -> str:
    """Write JSON in which those characters are escaped; a reader parses the same value."""
    text = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent).replace(_DELETE, "\\u007f")
    if text.isascii():
        return text
    return "".join(
        json.dumps(letter)[1:-1] if letter != "\n" and is_control(letter) else letter
        for letter in text
    )


def width() -> int:
    """Return the columns of the terminal, or those of a wide text for a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_WIDTH


def shows_style() -> bool:
    """Return whether stdout is a terminal that shows bold and colour, which nobody turned off."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not is_plain


def to_pager(texts: Iterator[str]) -> None:
    """Write texts to PAGER, or `less`; the pipe is small, so pages are read as they are wanted."""
    command = shlex.split(os.environ.get("PAGER", "less"))
    found = shutil.which(command[0]) if command else None
    if found is None:
        for text in texts:
            print(text, end="", flush=True)
        return
    environment = {"LESS": "FRX", **os.environ}
    words = [found, *command[1:]]
    with subprocess.Popen(words, stdin=subprocess.PIPE, env=environment, text=True) as pager:  # noqa: S603 the operator's own pager
        assert pager.stdin is not None
        # The operator may leave the pager before the last page.
        with suppress(BrokenPipeError), pager.stdin:
            for text in texts:
                pager.stdin.write(text)
                pager.stdin.flush()
