"""Writes sheets as CSV: no control characters, and no cell that a spreadsheet runs as a formula."""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

from orderdesk_cli.beijing import time_text
from orderdesk_cli.plain_text import printable
from orderdesk_cli.sheets.layout import View, plain
from orderdesk_cli.sheets.sheet import Field, Json, Kind, value_at

_FORMULA = ("=", "+", "-", "@")
_NUMBER = re.compile(r"-[0-9]+(\.[0-9]+)?")


def heading_line(columns: Sequence[Field]) -> str:
    """Write the first line: the names of the values as in the JSON answer."""
    return csv_lines([[each.path for each in columns]])


def rows_as_csv(columns: Sequence[Field], rows: Iterable[Mapping[str, Json]]) -> str:
    """Write rows with all columns, wide ones too."""
    return csv_lines([_written(each, value_at(row, each.path)) for each in columns] for row in rows)


def csv_lines(rows: Iterable[Sequence[str]]) -> str:
    """Write rows as CSV. A cell that could be a formula, and is no number, begins with `'`."""
    written = StringIO()
    csv.writer(written, lineterminator="\n").writerows(
        [_cell(cell) for cell in row] for row in rows
    )
    return written.getvalue()


def _written(of: Field, value: Json) -> str:
    if of.kind is Kind.TIME and isinstance(value, int):
        return time_text(value)
    return plain(value, View())


def _cell(text: str) -> str:
    shown = printable(text)
    runs = shown.lstrip().startswith(_FORMULA) and not _NUMBER.fullmatch(shown)
    return f"'{shown}" if runs else shown
