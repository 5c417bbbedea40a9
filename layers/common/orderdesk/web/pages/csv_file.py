"""CSV files for spreadsheets, whose cells run no formula."""

import re
from collections.abc import Iterable, Sequence

from orderdesk.domain.plain_text import printable
from orderdesk.web.pages.page import Download

_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet runs
_NUMBER = re.compile(r"-[0-9]+(\.[0-9]+)?")
_BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # Excel needs it to read UTF-8


def csv_file(name: str, rows: Iterable[Sequence[str]]) -> Download:
    """Write rows as CSV. A cell that could be a formula, and is no number, begins with `'`."""
    # Few requests are for a file, and each module costs a cold start some time.
    import csv  # noqa: PLC0415
    from io import StringIO  # noqa: PLC0415

    written = StringIO()
    csv.writer(written, lineterminator="\n").writerows(
        [_safe_cell(cell) for cell in row] for row in rows
    )
    return Download(name, "text/csv; charset=utf-8", _BYTE_ORDER_MARK + written.getvalue())


def _safe_cell(text: str) -> str:
    """Return a cell without control characters that no spreadsheet runs as a formula."""
    shown = printable(text)
    runs = shown.lstrip().startswith(_FORMULA) and not _NUMBER.fullmatch(shown)
    return f"'{shown}" if runs else shown
