"""Read the cells of a workbook (.xlsx) as texts; imported with the first one.

All sizes are bounded before the library sees the file. It reads stored values only: no formula is
computed, and no other file is opened.
"""

import warnings
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from io import BytesIO
from numbers import Real
from typing import Any

from orderdesk.domain.orders.statement_file import ROWS_MAX, StatementProblem, UnfitStatement

FIRST_BYTES = b"PK\x03\x04"
PARTS_MAX = 200
UNPACKED_BYTES_MAX = 16 * 1024 * 1024
COLUMNS_MAX = 64
CELLS_MAX = 100_000  # take about 2 s of CPU
_PACKED_BY = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # these unpack in small steps


def workbook_rows(content: bytes) -> list[list[str]]:
    """Return the rows of all sheets, without empty cells at their ends. Raises: UnfitStatement."""
    try:
        _check_parts(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles, for example, which are not read
            return list(_rows_of(content))
    except (UnfitStatement, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - the library does not document its exceptions
        raise UnfitStatement(StatementProblem.UNREADABLE) from None


def _check_parts(content: bytes) -> None:
    """Check the declared sizes of a zip file's parts; unpacking stops there."""
    with zipfile.ZipFile(BytesIO(content)) as packed:
        parts = packed.infolist()
    if len(parts) > PARTS_MAX or sum(part.file_size for part in parts) > UNPACKED_BYTES_MAX:
        raise UnfitStatement(StatementProblem.TOO_LARGE)
    if any(part.compress_type not in _PACKED_BY for part in parts):
        raise UnfitStatement(StatementProblem.UNREADABLE)


def _rows_of(content: bytes) -> Iterator[list[str]]:
    import openpyxl  # noqa: PLC0415 - most files are CSV

    book = openpyxl.load_workbook(
        BytesIO(content), read_only=True, data_only=True, keep_links=False
    )
    count = cells = 0
    for sheet in book.worksheets:
        # The size that the file declares is often wrong.
        sheet.reset_dimensions()
        for row in sheet.iter_rows(max_row=ROWS_MAX + 1, max_col=COLUMNS_MAX, values_only=True):
            texts = _texts_of(row)
            count += 1
            cells += len(texts)
            if count > ROWS_MAX or cells > CELLS_MAX:
                raise UnfitStatement(StatementProblem.TOO_LARGE)
            yield texts


def _texts_of(row: Sequence[Any]) -> list[str]:
    texts = [_text_of(value) for value in row]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _text_of(value: object) -> str:
    """Return what a cell's value says; a number as it is stored."""
    match value:
        case None:
            return ""
        case datetime():
            return value.isoformat(" ", "seconds")
        case date() | time():
            return value.isoformat()
        case Real():
            return str(value).removesuffix(".0")
        case _:
            return str(value).strip()
