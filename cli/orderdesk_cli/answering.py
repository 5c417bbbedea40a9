"""What a command answers, printed: JSON, CSV, or the sheet drawn for people.

What people read is drawn as wide as the terminal, or wide and without style into a pipe.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import batched, chain
from typing import assert_never

import click

from orderdesk_cli.confirmation import is_at_terminal
from orderdesk_cli.plain_text import printable
from orderdesk_cli.sheets.sheet import Json, Sheet, Table

ROWS_A_PAGE = 50


class Form(Enum):
    """How an answer is printed."""

    TEXT = auto()
    JSON = auto()
    CSV = auto()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and its sheet.

    `complaints` are lines on stderr, such as accounts that do not balance: the exit code is 1
    then. `warning` goes to stderr too. People see `lines` below the sheet, each whole on a line of
    its own, to copy.
    """

    data: Json
    sheet: Sheet
    complaints: Sequence[str] = ()
    warning: str = ""
    lines: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Items:
    """A list, printed while its pages are read: nothing is kept of what is printed."""

    items: Iterator[Mapping[str, Json]]
    sheet: Sheet

    @property
    def table(self) -> Table:
        """The table that the items are rows of."""
        [table] = self.sheet.parts
        assert isinstance(table, Table)
        return table


def show(answer: Answer | Items, form: Form) -> None:
    """Print an answer."""
    if isinstance(answer, Items):
        _show_items(answer, form)
        return
    if answer.warning:
        complain(f"warning: {answer.warning}")
    for complaint in answer.complaints:
        complain(complaint)
    match form:
        case Form.JSON:
            print(json_text(answer.data))
        case Form.CSV:
            print(_csv_of_tables(answer), end="")
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
    from orderdesk_cli.terminal import printable_json  # noqa: PLC0415 only what is shown is loaded

    is_utf8 = sys.stdout.encoding.lower().replace("-", "") == "utf8"
    indent = 2 if sys.stdout.isatty() else None
    return printable_json(data, ensure_ascii=not is_utf8, indent=indent)


def _show_items(items: Items, form: Form) -> None:
    """Print a list. What goes wrong before the first page is read leaves stdout empty."""
    pages = batched(items.items, ROWS_A_PAGE, strict=False)
    first = next(pages, ())
    texts = _texts(items, chain((first,), pages) if first else iter(()), form)
    if form is Form.TEXT and len(first) == ROWS_A_PAGE and is_at_terminal():
        _show_in_pager(texts)
        return
    for text in texts:
        print(text, end="", flush=True)


def _show_in_pager(texts: Iterator[str]) -> None:
    """Write texts to PAGER, or `less`; the pipe is small, so pages are read as they are wanted."""
    from orderdesk_cli.terminal import shows_style  # noqa: PLC0415 only what is shown is loaded

    os.environ.setdefault("LESS", "-FRX")
    with click.get_pager_file(color=shows_style()) as pager:
        for text in texts:
            pager.write(text)
            pager.flush()


def _texts(
    items: Items, pages: Iterator[tuple[Mapping[str, Json], ...]], form: Form
) -> Iterator[str]:
    match form:
        case Form.JSON:
            return _json_pages(pages)
        case Form.CSV:
            return _csv_pages(items.table, pages)
        case Form.TEXT:
            return _tables(items, pages)
    assert_never(form)


def _json_pages(pages: Iterable[Sequence[Json]]) -> Iterator[str]:
    before = "["
    for page in pages:
        parts = []
        for item in page:
            parts.append(f"{before}\n{json_text(item)}")
            before = ","
        yield "".join(parts)
    yield "[]\n" if before == "[" else "\n]\n"


def _csv_pages(table: Table, pages: Iterable[Sequence[Mapping[str, Json]]]) -> Iterator[str]:
    from orderdesk_cli.sheets.spreadsheet import heading_line, rows_as_csv  # noqa: PLC0415 only CSV needs it

    yield heading_line(table.columns)
    for page in pages:
        yield rows_as_csv(table.columns, page)


def _csv_of_tables(answer: Answer) -> str:
    """Write the rows of all of the sheet's tables below one heading."""
    from orderdesk_cli.sheets.layout import rows_of  # noqa: PLC0415 as above
    from orderdesk_cli.sheets.spreadsheet import heading_line, rows_as_csv  # noqa: PLC0415 as above

    tables = [part for part in answer.sheet.parts if isinstance(part, Table)]
    rows = [rows_as_csv(each.columns, rows_of(each, answer.data) or ()) for each in tables]
    return "".join([heading_line(tables[0].columns), *rows])


def _tables(items: Items, pages: Iterable[Sequence[Json]]) -> Iterator[str]:
    is_empty = True
    for page in pages:
        yield drawing(items.sheet, page)
        is_empty = False
    if is_empty:
        yield drawing(items.sheet, [])


def drawing(sheet: Sheet, data: Json) -> str:
    """Draw a sheet for people."""
    from orderdesk_cli.sheets.layout import View, blocks_of, title_of  # noqa: PLC0415 as above
    from orderdesk_cli.sheets.text import drawn  # noqa: PLC0415 as above
    from orderdesk_cli.terminal import shows_style, width  # noqa: PLC0415 as above

    view = View()
    title, blocks = title_of(sheet, data, view), blocks_of(sheet, data, view)
    return drawn(title, blocks, width(), is_styled=shows_style())
