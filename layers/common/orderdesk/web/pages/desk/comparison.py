"""The desk's page that compares a statement's file with the open buys; imported with its first use.

The file is read in memory. It is neither stored nor logged, and nothing confirms itself. Of a
workbook (.xlsx) only stored values are read: no formula is computed, and no other file is opened.
"""

import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from http import HTTPStatus
from io import BytesIO
from numbers import Real
from typing import Any

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import Field as FormField
from python_multipart.multipart import FormParser, parse_options_header

from orderdesk.domain.ids import id_range
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.statement_file import (
    FILE_BYTES_MAX,
    ROWS_MAX,
    StatementProblem,
    StatementRows,
    UnfitStatement,
    read_cells,
    read_statement,
)
from orderdesk.domain.orders.statement_match import (
    Doubt,
    Match,
    Nearness,
    StatementRow,
    Unmatched,
    match_rows,
    unmatched_rows,
)
from orderdesk.domain.plain_text import printable
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import DAY_OFFSET_SECONDS, SECONDS_PER_DAY, date_in_china, trading_day
from orderdesk.services.traders.desk import TOP, DeskOrders, open_orders
from orderdesk.services.traders.history import (
    SEARCHED_MAX,
    DayTotals,
    Found,
    Wanted,
    find_past,
    totals_by_day,
)
from orderdesk.web.http import Request
from orderdesk.web.pages.desk.comparison_texts import StatementTexts
from orderdesk.web.pages.desk.gate import DeskScene
from orderdesk.web.pages.desk.order import is_confirmable
from orderdesk.web.pages.desk.routes import ONLY
from orderdesk.web.pages.desk.summary import summary_of
from orderdesk.web.pages.frame import Page
from orderdesk.web.pages.scene import BadForm

FILE_FIELD = "file"
# Of a workbook: all its sizes are bounded before the library sees the file.
FIRST_BYTES = b"PK\x03\x04"
PARTS_MAX = 200
UNPACKED_BYTES_MAX = 16 * 1024 * 1024
COLUMNS_MAX = 64
CELLS_MAX = 100_000  # take about 2 s of CPU
_PACKED_BY = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # these unpack in small steps
_ORDERS_MAX = 400
_SHOWN_MAX = 200
_FRAME_BYTES = 4 * 1024  # of the multipart body around the file
_UNMATCHED_SHOWN_MAX = 100
_UNREAD_SHOWN_MAX = 20
# One tap may confirm these; a dispute's page has to be read first.
_UNHURRIED = {OrderStatus.PENDING, OrderStatus.PAID}


def compare_statement(index: DeskOrders, scene: DeskScene) -> Page:
    """Read the sent file, and return its rows beside the open buys. Raises: BadForm, TryAgain."""
    t = StatementTexts(scene.language)
    try:
        statement = _statement_in(_file_of(scene.request))
    except UnfitStatement as refusal:
        return statement_page(index, scene, problem=t.problems[refusal.problem])
    page = open_orders(index, scene.trader, TOP, limit=_ORDERS_MAX)
    waiting = [order for order in page.orders if is_confirmable(order, scene)]
    matches = match_rows(waiting, statement.rows)
    unmatched = unmatched_rows(waiting, statement.rows, matches)
    compared = Comparison(statement, matches, unmatched, is_part=page.further is not None)
    return statement_page(index, scene, compared)


def _today(index: DeskOrders, scene: DeskScene) -> tuple[DayTotals, Found]:
    """Add up today's ended orders; more than a search reads are left out."""
    begin = trading_day(scene.now) * SECONDS_PER_DAY - DAY_OFFSET_SECONDS
    first_id, last_id = id_range(begin, None)
    wanted = Wanted(first_id=first_id, last_id=last_id)
    found = find_past(index.done, scene.trader, wanted, None, limit=SEARCHED_MAX)
    totals = totals_by_day(found.orders)
    return (totals[0] if totals else DayTotals(date_in_china(scene.now))), found


def _statement_in(content: bytes) -> StatementRows:
    """Return the rows of a workbook or a text. Raises: UnfitStatement."""
    if not content.startswith(FIRST_BYTES) or len(content) > FILE_BYTES_MAX:
        return read_statement(content)
    return read_cells(_workbook_rows(content))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A statement beside the open buys; `is_part`: there are more buys."""

    statement: StatementRows
    matches: Sequence[Match]
    unmatched: Sequence[Unmatched]
    is_part: bool


def _file_of(request: Request) -> bytes:
    """Return the file of a multipart form. Raises: BadForm; UnfitStatement if it is too large."""
    header = request.headers.get("content-type", "")
    kind, options = parse_options_header(header) if header.isascii() else (b"", {})
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        raise BadForm
    if len(request.body) > FILE_BYTES_MAX + _FRAME_BYTES:
        raise UnfitStatement(StatementProblem.TOO_LARGE)
    parts: list[Any] = []
    in_memory, keep = {"MAX_MEMORY_FILE_SIZE": len(request.body)}, parts.append
    try:
        parser = FormParser(kind.decode(), keep, keep, boundary=boundary, config=in_memory)
        parser.write(request.body)
        parser.finalize()
    except FormParserError:
        raise BadForm from None
    sent = next((each for each in parts if each.field_name == FILE_FIELD.encode()), None)
    if sent is None:
        raise BadForm
    is_field = isinstance(sent, FormField)  # a part without a file's name
    return bytes((sent.value or b"") if is_field else sent.file_object.getvalue())


def statement_page(
    index: DeskOrders,
    scene: DeskScene,
    compared: Comparison | None = None,
    *,
    problem: str | None = None,
) -> Page:
    """Return the form, and what was compared. Raises: TryAgain."""
    t, (today, ended) = StatementTexts(scene.language), _today(index, scene)
    found = compared or Comparison(StatementRows((), (), 0), (), (), is_part=False)
    unread, unmatched = found.statement.unread, found.unmatched
    view = {
        "t": t,
        "field": FILE_FIELD,
        "problem": problem,  # why a file was refused
        "counts": None if compared is None else _counts(found, t),
        "matches": [_match(match, scene, t) for match in found.matches[:_SHOWN_MAX]],
        # The heads count all rows, of which the first ones are shown.
        "unmatched_head": _head(t.unmatched, len(unmatched), _UNMATCHED_SHOWN_MAX, t),
        "unmatched": [_unmatched(one, scene, t) for one in unmatched[:_UNMATCHED_SHOWN_MAX]],
        "unread_head": _head(t.unread, len(unread), _UNREAD_SHOWN_MAX, t),
        "unread": [(each, printable(each.text)) for each in unread[:_UNREAD_SHOWN_MAX]],
        "day": today.day.isoformat(),
        "received": today.completed[OrderType.BUY],
        "paid": today.completed[OrderType.SELL],
        "margin_fen": today.margin_fen,
        "is_cut": ended.before is not None,
        "now": scene.now,
    }
    status = HTTPStatus.OK if problem is None else HTTPStatus.UNPROCESSABLE_CONTENT
    here = scene.links.here("statement")
    return Page("desk/statement.html", view, here, section="statement", status=status)


def _counts(found: Comparison, t: StatementTexts) -> str:
    """Return how many rows there are of each kind; each row is of one."""
    sure = {match.row.line for match in found.matches if match.is_sure}
    doubtful = {match.row.line for match in found.matches} - sure
    wrong = sum(one.has_another_sum for one in found.unmatched)
    counts = t.counts.format(
        count=found.statement.count,
        sure=len(sure),
        doubtful=len(doubtful),
        wrong=wrong,
        unmatched=len(found.unmatched) - wrong,
        unread=len(found.statement.unread),
        others=found.statement.others,
    )
    part = t.part.format(limit=_ORDERS_MAX) if found.is_part else ""
    return f"{counts} {part}".strip()


def _head(text: str, count: int, most: int, t: StatementTexts) -> str | None:
    """Return the head of a list of rows, of which the first are shown; None without a row."""
    shown = t.shown.format(count=most) if count > most else ""
    return f"{text.format(count=count)} {shown}".strip() if count else None


def _match(match: Match, scene: DeskScene, t: StatementTexts) -> Mapping[str, object]:
    """Return what a trader sees of an order beside the row that may be its payment."""
    row, order = match.row, match.order
    # Without the remark, the row may pay an equal order; the order's page shows those.
    is_offered = match.is_sure and match.remark is True and order.status in _UNHURRIED
    link = scene.links.to(f"orders/{order.order_no}/confirm", **{ONLY: "1"})
    return {
        "order": summary_of(order, scene, is_named=True),
        **_row(row, t),
        "is_payer": match.payer,
        "is_remark": match.remark,
        "doubts": [t.doubts[doubt] for doubt in match.doubts],
        "confirm": link if is_offered else None,  # set if one tap may confirm
        "button": scene.texts.order.confirm[order.order_type].link,
    }


def _row(row: StatementRow, t: StatementTexts) -> Mapping[str, object]:
    """Return what a row says; its time is in Unix seconds."""
    payer, remark = _said(t.payer, row.payer, t), _said(t.remark, row.remark, t)
    return {"time": row.time, "payer": payer, "remark": remark}


def _said(label: str, text: str, t: StatementTexts) -> str:
    """Return what a row says of its payer or remark, with the label."""
    return label.format(text=printable(text) or t.nothing)


def _unmatched(one: Unmatched, scene: DeskScene, t: StatementTexts) -> Mapping[str, object]:
    """Return money that belongs to no order, and what a trader sees of the nearest one."""
    row = one.row
    order, nearness = one.nearest or (None, Nearness.AMOUNT)
    return {
        "cny_fen": row.cny_fen,
        **_row(row, t),
        "doubt": None if row.is_arrived else t.doubts[Doubt.STATE],
        "nearest": summary_of(order, scene, is_named=True) if order else None,
        "why": t.nearest[nearness],  # why it is near
        "excess_fen": row.cny_fen - order.quote.cny_fen if order else 0,
    }


def _workbook_rows(content: bytes) -> list[list[str]]:
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
