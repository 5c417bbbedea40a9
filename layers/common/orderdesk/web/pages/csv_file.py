"""CSV files for spreadsheets, which neither run a cell nor change a text.

The command line writes the same form (`cli/orderdesk_cli/sheets/spreadsheet.py`); both have one
table of tests.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from unicodedata import normalize

from orderdesk.domain.plain_text import printable
from orderdesk.web.pages.frame import Download

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
_BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # Excel needs it to read UTF-8


def csv_file(name: str, rows: Iterable[Sequence[str]], values: Collection[int]) -> Download:
    """Write rows as CSV. A text that a spreadsheet would run or change begins with `'`.

    `values` are the places of the columns of numbers and times.
    """
    # Few requests are for a file, and each module costs a cold start some time.
    import csv  # noqa: PLC0415
    from io import StringIO  # noqa: PLC0415

    written = StringIO()
    csv.writer(written, lineterminator="\n").writerows(
        [_cell(cell, is_value=place in values) for place, cell in enumerate(row)] for row in rows
    )
    return Download(name, _BYTE_ORDER_MARK + written.getvalue())


def _cell(text: str, *, is_value: bool) -> str:
    """Return a cell without control characters; without its first `'` it is the text."""
    shown = printable(text)
    if (is_value and _VALUE.fullmatch(shown)) or _SHORT_INTEGER.fullmatch(shown):
        return shown
    plain = normalize("NFKC", shown[:_JUDGED_LENGTH]).strip()
    is_text = plain[:1].isalpha() or plain.startswith(tuple(_FIRST))
    is_kept = not shown or (is_text and _READ_AS.match(plain) is None)
    return shown if is_kept else f"'{shown}"
