"""What reaches a terminal: its width and style, JSON without control characters."""

import json
import os
import shutil
import sys

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
    """Return the columns of the terminal; for a pipe COLUMNS, or those of a wide text."""
    if sys.stdout.isatty():
        return shutil.get_terminal_size().columns
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if columns.isdecimal() and int(columns) else PIPE_WIDTH


def shows_style() -> bool:
    """Return whether stdout is a terminal that shows bold and colour, which nobody turned off."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not is_plain
