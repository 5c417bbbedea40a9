"""Read a bank's, Alipay's or WeChat's statement, from CSV or cells: the money that arrived.

Banks name the columns differently, and wallets put lines above the head, so the head is the first
row with a column of an amount and one of a payer, a remark or a time. All sizes are bounded.

Payers choose their names and remarks, and WeChat does not quote the commas in them. So a row with
more or fewer cells than its head is not read. Every row below the head is counted, as money that
arrived, as not understood, or as something else.
"""

import csv
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from io import StringIO
from itertools import islice

from orderdesk.domain.errors import Unfit
from orderdesk.domain.orders.statement_cells import (
    TEXT_MAX,
    Column,
    NotUnderstood,
    StatementHead,
    Unread,
    fen_of,
    head_of,
    is_incoming,
    time_of,
)
from orderdesk.domain.orders.statement_match import StatementRow
from orderdesk.domain.plain_text import SHOWN_INSTEAD

FILE_BYTES_MAX = 2 * 1024 * 1024
ROWS_MAX = 20_000
_HEAD_ROWS_MAX = 60
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"  # .xls, or one with a password
_UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class UnreadRow:
    """A row that may be money that arrived, and is not understood; `line` is that of the file."""

    line: int
    why: Unread
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class StatementRows:
    """The rows below a file's head: money that arrived, and those that are not understood.

    `others` counts the rest: money that left, and lines around the rows. Empty lines are none.
    """

    rows: tuple[StatementRow, ...]
    unread: tuple[UnreadRow, ...]
    others: int

    @property
    def count(self) -> int:
        """The number of all rows."""
        return len(self.rows) + len(self.unread) + self.others


class StatementProblem(StrEnum):
    """Why a file cannot be read."""

    MISSING = "missing"
    TOO_LARGE = "too_large"
    UNREADABLE = "unreadable"
    NO_HEAD = "no_head"


class UnfitStatement(Unfit[StatementProblem]):
    """The file is no statement that can be read."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A row of the file; `cells` is None if quotes leave open where its cells end."""

    number: int
    cells: Sequence[str] | None
    text: str


def read_statement(content: bytes) -> StatementRows:
    """Return the rows of a file with money that arrived, and the unread ones.

    Raises: UnfitStatement.
    """
    if not content.strip():
        raise UnfitStatement(StatementProblem.MISSING)
    if len(content) > FILE_BYTES_MAX:
        raise UnfitStatement(StatementProblem.TOO_LARGE)
    if content.startswith(_OLD_WORKBOOK):
        raise UnfitStatement(StatementProblem.UNREADABLE)
    for text in _texts_of(content):
        for delimiter in (",", "\t", ";"):
            lines = _lines(text, delimiter)
            head = _head_in(lines)
            if head is not None:
                return _read(lines, head)
    raise UnfitStatement(StatementProblem.NO_HEAD)


def read_cells(rows: Iterable[Sequence[str]]) -> StatementRows:
    """Return the same of a workbook's rows, which end with their last cell that is not empty.

    Raises: UnfitStatement.
    """
    numbered = enumerate(rows, 1)
    lines = (_Line(number, cells, " ".join(cells)[:TEXT_MAX]) for number, cells in numbered)
    head = _head_in(lines)
    if head is None:
        raise UnfitStatement(StatementProblem.NO_HEAD)
    return _read((_filled(line, head.width) for line in lines), head)


def _head_in(lines: Iterator[_Line]) -> StatementHead | None:
    """Read up to the head; None without one."""
    heads = (head_of(line.cells or ()) for line in islice(lines, _HEAD_ROWS_MAX))
    return next(filter(None, heads), None)


def _filled(line: _Line, width: int) -> _Line:
    cells = line.cells or ()
    return replace(line, cells=[*cells, *[""] * (width - len(cells))])


def _texts_of(content: bytes) -> Iterator[str]:
    """Yield what a file may say; a letter that cannot be read is a replacement character."""
    if content.startswith(_UTF_16):
        yield content.decode("utf-16", "replace")
        return
    for errors in ("strict", "replace"):
        for encoding in ("utf-8-sig", "gb18030"):
            with suppress(UnicodeDecodeError):
                yield content.decode(encoding, errors)


def _lines(text: str, delimiter: str) -> Iterator[_Line]:
    """Yield the rows of a file. Raises: UnfitStatement beyond the limit.

    If quotes join several lines, each of them is a row whose cells are not known.
    """
    lines = list(islice(StringIO(text, newline=""), ROWS_MAX + 1))
    if len(lines) > ROWS_MAX:
        raise UnfitStatement(StatementProblem.TOO_LARGE)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while (first := reader.line_num) < len(lines):
        try:
            row = next(reader)
        except csv.Error:  # the reader goes on with the next line
            row = None
        joined = lines[first : reader.line_num]
        cells = None
        if row is not None and len(joined) == 1:
            cells = [cell.strip().strip('="').strip() for cell in row]
        for number, line in enumerate(joined, first + 1):
            yield _Line(number, cells, line[:TEXT_MAX].strip().replace("\t", " "))


def _read(lines: Iterator[_Line], head: StatementHead) -> StatementRows:
    rows: list[StatementRow] = []
    unread: list[UnreadRow] = []
    undone: set[int] = set()
    others = 0
    for line in lines:
        if not (line.text if line.cells is None else any(line.cells)):
            continue
        try:
            row = _arrival(line, head)
        except NotUnderstood as problem:
            unread.append(UnreadRow(line.number, problem.problem, line.text))
            continue
        if row is None:
            others += 1
        elif row.cny_fen > 0:
            rows.append(row)
        else:
            undone.add(-row.cny_fen)
            unread.append(UnreadRow(line.number, Unread.REVERSED, line.text))
    # Whichever of equal amounts was undone: none of them is known to have arrived.
    judged = (replace(row, is_arrived=False) if row.cny_fen in undone else row for row in rows)
    return StatementRows(tuple(judged), tuple(unread), others)


def _arrival(line: _Line, head: StatementHead) -> StatementRow | None:
    """Return a row of money that arrived; None for other money, or a line around the rows.

    Raises: NotUnderstood.
    """
    row = line.cells
    if row is not None and _is_around(row, head):
        return None
    if row is None or len(row) != head.width:
        raise NotUnderstood(Unread.CELLS)
    if any(SHOWN_INSTEAD in cell for cell in row):
        raise NotUnderstood(Unread.LETTERS)
    fen = fen_of(row, head) if is_incoming(row, head) else None
    if not fen:
        return None
    payer = " ".join(head.texts(row, Column.PAYER)[:1])
    remark = " ".join(head.texts(row, Column.REMARK))
    is_arrived = head.is_arrived(row)
    return StatementRow(line.number, fen, time_of(row, head), payer, remark, is_arrived)


def _is_around(row: Sequence[str], head: StatementHead) -> bool:
    """Return whether a line is a text around the rows, such as a sum: one cell, or a comment."""
    filled = [place for place, cell in enumerate(row) if cell]
    is_amount = head.columns.get(filled[0]) in {Column.AMOUNT, Column.INCOME}
    is_comment = row[0].startswith("#") and len(row) < head.width
    return is_comment or (len(filled) == 1 and not is_amount)
