"""CSV for spreadsheets: no control characters, and no cell that a spreadsheet runs as a formula."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from orderdesk.domain.plain_text import printable

_FORMULA = ("=", "+", "-", "@")


def csv_lines(rows: Iterable[Sequence[str]]) -> str:
    """Write rows as CSV. A cell that could be a formula gets a leading apostrophe."""
    written = StringIO()
    csv.writer(written, lineterminator="\n").writerows(
        [_cell(cell) for cell in row] for row in rows
    )
    return written.getvalue()


def _cell(text: str) -> str:
    shown = printable(text)
    return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown
