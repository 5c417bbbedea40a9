"""Read the CSV file of a bank's, Alipay's or WeChat's statement: the money that arrived.

Banks name the columns differently, and wallets put lines above the head, so the head is the first
row with a column of an amount and one of a payer, a remark or a time. All sizes are bounded.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from enum import StrEnum
from io import StringIO
from itertools import islice

from orderdesk.domain.errors import OrderdeskError
from orderdesk.domain.money import NotAnAmount, TooLarge, TooManyDecimals, parse_cny
from orderdesk.domain.orders.statement_match import StatementRow
from orderdesk.domain.traders.trader import DAY_OFFSET_SECONDS

FILE_BYTES_MAX = 2 * 1024 * 1024
ROWS_MAX = 20_000
COLUMNS_MAX = 64
_HEAD_ROWS_MAX = 60
_TEXT_MAX = 200

_BEIJING = timezone(timedelta(seconds=DAY_OFFSET_SECONDS))
_TIME = re.compile(
    r"(20[0-9]{2})[-/.年](1[0-2]|0?[1-9])[-/.月]([12][0-9]|3[01]|0?[1-9])日?[ T]+"
    r"([01]?[0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9]))?"
)
_UNIT = re.compile(r"[\s:\uff1a]|[(\uff08](元|人民币|cny|rmb|借/?贷)[^)\uff09]*[)\uff09]")


class Column(StrEnum):
    """What a column of a statement can be."""

    TIME = "time"
    AMOUNT = "amount"
    INCOME = "income"
    SIDE = "side"
    PAYER = "payer"
    REMARK = "remark"
    STATE = "state"


_HEADS: Mapping[Column, str] = {
    Column.TIME: "交易时间 交易日期 交易创建时间 付款时间 入账时间 记账时间 记账日期 日期 时间 "
    "time date",
    Column.AMOUNT: "金额 交易金额 发生额 发生金额 amount",
    Column.INCOME: "收入 收入金额 贷方发生额 贷方金额 存入金额 存入 入账金额 转入金额 credit",
    Column.SIDE: "交易方向 资金方向 资金流向 方向 debit/credit "
    + " ".join(
        f"{sides}{kind}"
        for sides in ("收/支", "收支", "收/付", "收付", "借/贷", "借贷")
        for kind in ("", "标志", "标记", "标识", "类型", "类别", "方向", "状态", "情况")
    ),
    Column.PAYER: "交易对方 对方户名 对方名称 对方账户名称 对方账户名 对方姓名 付款人 付款方 "
    "付款人名称 交易对手 交易对手名称 对手户名 payer",
    Column.REMARK: "备注 附言 摘要 用途 商品 商品说明 商品名称 交易备注 转账备注 交易附言 交易摘要 "
    "说明 remark",
    Column.STATE: "当前状态 交易状态 状态",
}
_COLUMN_OF = {name: column for column, names in _HEADS.items() for name in names.split()}
_ARRIVED = ("收", "贷", "入", "存", "转入", "汇入", "流入", "来账", "进", "cr")
_CREDIT = "c"
_UNDONE = ("退款", "关闭", "失败", "撤销", "冲正")


class StatementProblem(StrEnum):
    """Why a file cannot be read."""

    MISSING = "missing"
    TOO_LARGE = "too_large"
    UNREADABLE = "unreadable"
    NO_HEAD = "no_head"


class UnfitStatement(OrderdeskError):
    """The file is no statement that can be read."""

    def __init__(self, problem: StatementProblem) -> None:
        super().__init__()
        self.problem = problem


def read_statement(content: bytes) -> list[StatementRow]:
    """Return the rows of a file with money that arrived. Raises: UnfitStatement."""
    if not content.strip():
        raise UnfitStatement(StatementProblem.MISSING)
    if len(content) > FILE_BYTES_MAX:
        raise UnfitStatement(StatementProblem.TOO_LARGE)
    text = _text_of(content)
    for delimiter in (",", "\t", ";"):
        rows = _cells(text, delimiter)
        head = next(filter(None, map(_head_of, islice(rows, _HEAD_ROWS_MAX))), None)
        if head is not None:
            return list(_arrivals(rows, head))
    raise UnfitStatement(StatementProblem.NO_HEAD)


def _text_of(content: bytes) -> str:
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UnfitStatement(StatementProblem.UNREADABLE)


def _cells(text: str, delimiter: str) -> Iterator[list[str]]:
    """Yield the rows of a file. Raises: UnfitStatement beyond the limits."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    try:
        for number, row in enumerate(reader):
            if number >= ROWS_MAX or len(row) > COLUMNS_MAX:
                raise UnfitStatement(StatementProblem.TOO_LARGE)
            yield [cell.strip().strip('="').strip() for cell in row]
    except csv.Error:
        raise UnfitStatement(StatementProblem.UNREADABLE) from None


def _head_of(row: Sequence[str]) -> Mapping[int, Column] | None:
    """Return the columns of a head by their positions; None if the row is no head."""
    names = (_UNIT.sub("", cell.lower()) for cell in row)
    head = {place: _COLUMN_OF[name] for place, name in enumerate(names) if name in _COLUMN_OF}
    columns = {*head.values()}
    has_amount = bool(columns & {Column.AMOUNT, Column.INCOME})
    return head if has_amount and columns & {Column.TIME, Column.PAYER, Column.REMARK} else None


def _arrivals(rows: Iterator[list[str]], head: Mapping[int, Column]) -> Iterator[StatementRow]:
    for line, row in enumerate(rows, start=1):
        of: dict[Column, list[str]] = {column: [] for column in Column}
        for place, column in head.items():
            # A row without a side, such as a wallet's "/" for a payout to a bank, has not arrived.
            if place < len(row) and (column is Column.SIDE or row[place] not in {"", "/"}):
                of[column].append(row[place][:_TEXT_MAX])
        fen = _arrived_fen(of)
        if fen is not None:
            payer, remark = " ".join(of[Column.PAYER][:1]), " ".join(of[Column.REMARK])
            yield StatementRow(line, fen, _time_of(of[Column.TIME]), payer, remark)


def _arrived_fen(of: Mapping[Column, Sequence[str]]) -> int | None:
    """Return the amount that arrived; None for a row of other money, or of none."""
    if any(word in state for state in of[Column.STATE] for word in _UNDONE):
        return None
    side = "".join(of[Column.SIDE]).lower().lstrip("/")
    if of[Column.SIDE] and side != _CREDIT and not side.startswith(_ARRIVED):
        return None
    for text in (*of[Column.INCOME], *of[Column.AMOUNT]):
        try:
            fen = parse_cny(text.replace(",", "").lstrip("+¥￥ "))
        except (NotAnAmount, TooManyDecimals, TooLarge):
            return None
        return fen or None
    return None


def _time_of(texts: Sequence[str]) -> int | None:
    """Return the first time with a time of day, in Unix seconds; statements are in UTC+8."""
    found = next(filter(None, map(_TIME.match, texts)), None)
    if found is None:
        return None
    try:
        parts = [int(part or 0) for part in found.groups()]
        return int(datetime(*parts, tzinfo=_BEIJING).timestamp())  # type: ignore[misc,arg-type]
    except ValueError:
        return None
