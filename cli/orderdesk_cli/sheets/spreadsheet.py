"""Writes sheets as CSV, of which spreadsheets neither run a cell nor change a text.

The portal and the desk write the same form (`web/pages/csv_file.py`); both have one table of tests.
"""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from unicodedata import normalize

from orderdesk_cli.plain_text import printable, time_text
from orderdesk_cli.sheets.layout import View, plain
from orderdesk_cli.sheets.sheet import Field, Json, Kind, value_at

# A number that a spreadsheet keeps, or a time as we write it.
_VALUE = re.compile(
    r"-?(?:0|[1-9][0-9]{0,10})(?:\.[0-9]{1,6})?"
    r"|20[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}(?::[0-9]{2}(?: \+08:00)?)?"
)
_SHORT_INTEGER = re.compile(r"0|[1-9][0-9]{0,10}")
_FIRST = "*#_[{<"  # what a text may begin with, beside a letter
_READ_AS = re.compile(
    r"(?i:true$|false$|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ ./-]?[0-9])"
)
_JUDGED_LENGTH = 64
_VALUES = {Kind.NUMBER, Kind.TIME, Kind.DURATION}


def heading_line(columns: Sequence[Field]) -> str:
    """Write the first line: the names of the values as in the JSON answer."""
    return csv_lines([[(each.path, False) for each in columns]])


def rows_as_csv(columns: Sequence[Field], rows: Iterable[Mapping[str, Json]]) -> str:
    """Write rows with all columns, wide ones too."""
    return csv_lines(
        [(_written(each, value_at(row, each.path)), each.kind in _VALUES) for each in columns]
        for row in rows
    )


def csv_lines(rows: Iterable[Sequence[tuple[str, bool]]]) -> str:
    """Write rows of texts, each with whether it is a number or time, as CSV.

    A text that a spreadsheet would run or change begins with `'`.
    """
    written = StringIO()
    csv.writer(written, lineterminator="\n").writerows(
        [_cell(cell, is_value=is_value) for cell, is_value in row] for row in rows
    )
    return written.getvalue()


def _written(of: Field, value: Json) -> str:
    if of.kind is Kind.TIME and isinstance(value, int):
        return time_text(value)
    return plain(value, View())


def _cell(text: str, *, is_value: bool) -> str:
    """Return a cell without control characters; without its first `'` it is the text."""
    shown = printable(text)
    if (is_value and _VALUE.fullmatch(shown)) or _SHORT_INTEGER.fullmatch(shown):
        return shown
    plain = normalize("NFKC", shown[:_JUDGED_LENGTH]).strip()
    is_text = plain[:1].isalpha() or plain.startswith(tuple(_FIRST))
    is_kept = not shown or (is_text and _READ_AS.match(plain) is None)
    return shown if is_kept else f"'{shown}"
