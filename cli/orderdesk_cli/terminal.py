"""What reaches a terminal or pager: no control or bidirectional character in texts of others."""

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from orderdesk_cli.plain_text import is_control, printable

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


def console(*, stderr: bool = False) -> Console:
    """Create Rich's console: as wide as the terminal, or wide and without colour into a pipe."""
    made = _PrintableConsole(stderr=stderr, highlight=False)
    if made.is_terminal:
        return made
    return _PrintableConsole(stderr=stderr, highlight=False, width=PIPE_WIDTH)


class _PrintableConsole(Console):
    """Filters the text of whatever is drawn; Rich adds its colours after that."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(printable(segment.text, kept="\n"), segment.style)


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
