"""What a command answers: one JSON document, or tables and lines for people.

Human output is Rich on a terminal and the same, wide and without colour, into a pipe.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from orderdesk.domain.plain_text import printable
from orderdesk_cli.terminal import console, printable_json

type Json = bool | int | str | Sequence[Json] | Mapping[str, Json] | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command found or did: `data` for programs, `shown` for people.

    `warning` goes to stderr in either case, and so do `complaints`, a line each: what was looked
    for and found, such as accounts that do not balance. With any the exit code is 1. People see
    `lines` below `shown`, each whole on a line of its own, to copy. If `plain` is given, people get
    this text as it is, e.g. CSV.
    """

    data: Json
    shown: RenderableType
    warning: str = ""
    complaints: Sequence[str] = ()
    lines: Sequence[str] = ()
    plain: str | None = None


def show(answer: Answer, *, as_json: bool) -> None:
    """Print an answer."""
    if answer.warning:
        complain(f"warning: {answer.warning}")
    for complaint in answer.complaints:
        complain(complaint)
    if as_json:
        print(json_text(answer.data))
        return
    if answer.plain is not None:
        print(answer.plain, end="")
        return
    console().print(answer.shown)
    for line in answer.lines:
        print(printable(line))


def json_text(data: Json) -> str:
    """Write JSON for stdout: indented at a terminal, in one line into a pipe."""
    is_utf8 = sys.stdout.encoding.lower().replace("-", "") == "utf8"
    indent = 2 if sys.stdout.isatty() else None
    return printable_json(data, ensure_ascii=not is_utf8, indent=indent)


def complain(message: str) -> None:
    """Print one line on stderr."""
    print(printable(message), file=sys.stderr)


def record(title: str, fields: Mapping[str, str]) -> Table:
    """Draw the fields of one thing, name by name; empty ones are left out."""
    # As Text: a name in brackets is a name, not Rich's markup.
    its_title = Text(printable(title), "table.title")
    table = Table(
        title=its_title, title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 0)
    )
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in fields.items():
        if value:
            table.add_row(name, Text(printable(value)))
    return table


def listing(columns: Sequence[str], rows: Sequence[Sequence[str]], empty: str) -> RenderableType:
    """Draw many things as a table, or say that there are none."""
    if not rows:
        return Text(empty)
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table


def stacked(*parts: RenderableType) -> Group:
    """Put several parts under each other."""
    return Group(*parts)


def time_text(seconds: int | None) -> str:
    """Write a time (Unix seconds) for people, in UTC."""
    if seconds is None:
        return ""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}Z"
