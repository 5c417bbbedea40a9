"""CSV files for spreadsheets, whose cells run no formula."""

from collections.abc import Iterable, Sequence

from orderdesk.domain.plain_text import printable
from orderdesk.web.pages.page import Download

_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet runs
_BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # Excel needs it to read UTF-8


def csv_file(name: str, rows: Iterable[Sequence[str]]) -> Download:
    """Write rows as CSV. A cell that could be a formula gets a leading apostrophe."""
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
    return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown
