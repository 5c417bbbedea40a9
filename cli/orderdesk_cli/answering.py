"""What a command answers, printed as JSON, CSV or a sheet drawn for people, and what it asks them.

What people read is drawn as wide as the terminal, or wide and without style into a pipe.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import batched, chain
from typing import assert_never

import click

from orderdesk_cli.plain_text import is_control, printable
from orderdesk_cli.sheets.sheet import Json, Sheet, Table, objects

ROWS_A_PAGE = 50
PIPE_WIDTH = 200
_UNATTENDED = "this changes many things at once: without a terminal it needs --yes"
_DELETE = "\x7f"  # the one control character that JSON, and so json.dumps, does not escape


class Form(Enum):
    """How an answer is printed."""

    TEXT = auto()
    JSON = auto()
    CSV = auto()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and its sheet.

    `data` may be an iterator: a list, printed while its pages are read, of which nothing is kept.
    `complaints` are lines on stderr, such as accounts that do not balance: the exit code is 1
    then. `warning` goes to stderr too. People see `lines` below the sheet, each whole on a line of
    its own, to copy.
    """

    data: Json | Iterator[Mapping[str, Json]]
    sheet: Sheet
    complaints: Sequence[str] = ()
    warning: str = ""
    lines: Sequence[str] = ()


def show(answer: Answer, form: Form) -> None:
    if isinstance(answer.data, Iterator):
        _show_items(answer.sheet, answer.data, form)
        return
    if answer.warning:
        complain(f"warning: {answer.warning}")
    for complaint in answer.complaints:
        complain(complaint)
    match form:
        case Form.JSON:
            print(json_text(answer.data))
        case Form.CSV:
            print("".join(_texts(answer.sheet, [objects(answer.data)], form)), end="")
        case Form.TEXT:
            print(drawing(answer.sheet, answer.data), end="")
            for line in answer.lines:
                print(printable(line))
        case _:
            assert_never(form)


def complain(message: str) -> None:
    """Print one line on stderr."""
    print(printable(" ".join(message.split())), file=sys.stderr)


def json_text(data: Json) -> str:
    """Write JSON for stdout: indented at a terminal, in one line into a pipe."""
    is_utf8 = sys.stdout.encoding.lower().replace("-", "") == "utf8"
    indent = 2 if sys.stdout.isatty() else None
    return printable_json(data, ensure_ascii=not is_utf8, indent=indent)


def printable_json(value: object, *, ensure_ascii: bool, indent: int | None) -> str:
    """Write JSON in which control characters are escaped; a reader parses the same value."""
    text = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent).replace(_DELETE, "\\u007f")
    if text.isascii():
        return text
    return "".join(
        json.dumps(letter)[1:-1] if letter != "\n" and is_control(letter) else letter
        for letter in text
    )


def _show_items(sheet: Sheet, items: Iterator[Mapping[str, Json]], form: Form) -> None:
    """Print a list. What goes wrong before the first page is read leaves stdout empty."""
    pages = batched(items, ROWS_A_PAGE, strict=False)
    first = next(pages, ())
    texts = _texts(sheet, chain((first,), pages), form)
    if form is not Form.TEXT or len(first) < ROWS_A_PAGE or not is_at_terminal():
        for text in texts:
            print(text, end="", flush=True)
        return
    # PAGER, or `less`; the pipe is small, so pages are read as they are wanted.
    os.environ.setdefault("LESS", "-FRX")
    with click.get_pager_file(color=_shows_style()) as pager:
        for text in texts:
            pager.write(text)
            pager.flush()


def _texts(
    sheet: Sheet, pages: Iterable[Sequence[Mapping[str, Json]]], form: Form
) -> Iterator[str]:
    """Yield the text of each page of a list; one that is empty is the only one."""
    [table] = sheet.parts
    assert isinstance(table, Table)
    match form:
        case Form.JSON:
            before = "["
            for page in filter(None, pages):
                yield before + ",".join(f"\n{json_text(item)}" for item in page)
                before = ","
            yield "[]\n" if before == "[" else "\n]\n"
        case Form.CSV:
            from orderdesk_cli.sheets.spreadsheet import heading_line, rows_as_csv  # noqa: PLC0415 only CSV needs it

            yield heading_line(table.columns)
            for page in pages:
                yield rows_as_csv(table.columns, page)
        case Form.TEXT:
            for page in pages:
                yield drawing(sheet, page)
        case _:
            assert_never(form)


def drawing(sheet: Sheet, data: Json) -> str:
    """Draw a sheet for people."""
    from orderdesk_cli.sheets.layout import View, blocks_of, title_of  # noqa: PLC0415 as above
    from orderdesk_cli.sheets.text import drawn  # noqa: PLC0415 as above

    view = View()
    title, blocks = title_of(sheet, data, view), blocks_of(sheet, data, view)
    width, _ = shutil.get_terminal_size((PIPE_WIDTH, 0))
    return drawn(title, blocks, width, is_styled=_shows_style())


def _shows_style() -> bool:
    """Return whether stdout is a terminal that shows bold and colour, which nobody turned off."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not is_plain


class Declined(Exception):
    """The operator did not agree, or could not be asked about a bulk command; the text says so."""

    def __init__(self, text: str = "nothing was changed") -> None:
        super().__init__(text)


def confirm(
    foreseen: Callable[[], tuple[Json, Sheet] | None], *, is_agreed: bool, is_bulk: bool = False
) -> None:
    """Show what a command is about to do, and ask whether to do it.

    With `is_agreed` nobody is asked and the command continues, and so it does without a terminal,
    except if it is a bulk command. `foreseen` returns what will be done; it is called only
    if somebody is asked, and returns None if there is nothing to ask. Raises: Declined.
    """
    if is_agreed:
        return
    if not is_at_terminal():
        if is_bulk:
            raise Declined(_UNATTENDED)
        return
    shown = foreseen()
    if shown is None:
        return
    data, sheet = shown
    # On stderr: stdout has the command's answer and nothing else.
    click.echo(drawing(sheet, data), nl=False, err=True)
    try:
        agreed = click.confirm("Do it?", err=True)
    except click.Abort:
        click.echo(err=True)  # ends the question's line, as Enter would have
        raise Declined from None
    if not agreed:
        raise Declined


def is_at_terminal() -> bool:
    """Return whether input and output are a terminal, so that somebody can answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()
