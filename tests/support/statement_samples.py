"""The statements that docs/traders.md lists, as texts and as a workbook."""

import csv
import re
from collections.abc import Mapping, Sequence
from io import BytesIO, StringIO

import openpyxl

from local.places import REPOSITORY

REMARK, PAYER, DAY = "210123", "张三", "2026"
WECHAT, ICBC = "WeChat, as .xlsx or CSV", "ICBC"


def samples() -> Mapping[str, str]:
    """Return each source's sample by the words before it."""
    text = (REPOSITORY / "docs/traders.md").read_text("utf-8")
    found = re.findall(r"\n\n([A-Z][^\n]*?)(?: \([^\n]*\))?:\n\n```csv\n(.*?)```", text, re.DOTALL)
    return dict(found)


def cells_of(text: str) -> list[list[str]]:
    """Return the cells of a sample."""
    return list(csv.reader(StringIO(text, newline="")))


def text_of(rows: Sequence[Sequence[str]]) -> str:
    """Return cells as CSV; only what has to be quoted is."""
    written = StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue()


def workbook_of(rows: Sequence[Sequence[object]], *, far: int | None = None) -> bytes:
    """Return a workbook of one sheet, with one more cell in the row `far`."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    if far is not None:
        book.active.cell(far, 1, "x")
    written = BytesIO()
    book.save(written)
    return written.getvalue()
