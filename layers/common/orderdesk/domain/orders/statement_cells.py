"""What the columns and cells of a statement say: its head, sides, states, amounts and times.

Whatever is not on a list here is not understood. It never counts as money that arrived.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from enum import StrEnum

from orderdesk.domain.errors import Unfit
from orderdesk.domain.money import NotAnAmount, TooLarge, TooManyDecimals, parse_typed_cny
from orderdesk.domain.plain_text import plain_line
from orderdesk.domain.times import DAY_OFFSET_SECONDS, SECONDS_PER_DAY

TEXT_MAX = 200

_BEIJING = timezone(timedelta(seconds=DAY_OFFSET_SECONDS))
_MONTH, _DAY = "(1[0-2]|0?[1-9])", "(3[01]|[12][0-9]|0?[1-9])"
_DATE = re.compile(rf"(20[0-9]{{2}})[-/.年]{_MONTH}[-/.月]{_DAY}日?")
_CLOCK = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.[0-9]+)?)?")
# Without marks between: a date, a time of day, or one after the other.
_DIGITS = re.compile(
    r"(?:(20[0-9]{2})(1[0-2]|0[1-9])(3[01]|[12][0-9]|0[1-9]))?"
    r"(?:([01][0-9]|2[0-3])([0-5][0-9])([0-5][0-9]))?"
)
# Spreadsheets count the days since 1899-12-30; the years are those from 2009 to 2064.
_SERIAL = re.compile(r"([45][0-9]{4})(\.[0-9]+)?|0?(\.[0-9]+)")
_SERIAL_EPOCH = datetime(1899, 12, 30, tzinfo=_BEIJING)
_UNIT = re.compile(r"[\s:]|\((?:元|人民币|cny|rmb|借/?贷)[^()]*\)")
_MINUS = ("-", "\u2212")


class Column(StrEnum):
    """What a column of a statement can be."""

    TIME = "time"
    AMOUNT = "amount"
    INCOME = "income"
    SIDE = "side"
    CURRENCY = "currency"
    PAYER = "payer"
    REMARK = "remark"
    STATE = "state"


_HEADS: Mapping[Column, str] = {
    Column.TIME: "交易时间 交易日期 交易创建时间 付款时间 入账时间 入账日期 记账时间 记账日期 "
    "发生时间 日期 时间 time date",
    Column.AMOUNT: "金额 交易金额 发生额 发生金额 amount",
    Column.INCOME: "收入 收入金额 收入金额(+元) 贷方发生额 贷方发生额(收入) 贷方金额 存入金额 存入 "
    "入账金额 转入金额 交易金额(收入) 记账金额(收入) credit",
    Column.SIDE: "debit/credit 收付 收/付 "
    + " ".join(f"{side}{kind}" for side in ("收付", "收/付") for kind in ("标志", "标识", "类型")),
    Column.CURRENCY: "币种 币别 货币 交易币种 记账币种 currency",
    Column.PAYER: "交易对方 对方户名 对方名称 对方账户名称 对方账户名 对方姓名 付款人 付款方 "
    "付款人名称 交易对手 交易对手名称 对手户名 收(付)方名称 payer",
    Column.REMARK: "备注 附言 摘要 用途 商品 商品说明 商品名称 交易备注 转账备注 交易附言 交易摘要 "
    "说明 remark",
}
_COLUMN_OF = {name: column for column, names in _HEADS.items() for name in names.split()}
# Each bank has a name of its own for these.
_SIDE_FIRST, _SIDE_LAST = ("收支", "收/支", "借贷", "借/贷"), ("方向", "流向")
_STATE_LAST = ("状态", "结果", "status")
_NONE = {"", "/"}
_IN = {
    *("收", "收入", "收款", "贷", "贷方", "贷记", "入", "入账", "存", "存入", "转入", "汇入"),
    *("流入", "来账", "进", "进账", "c", "cr", "credit"),
}
_OUT = {
    *("支", "支出", "付", "付出", "付款", "借", "借方", "借记", "出", "出账", "取", "取出", "支取"),
    *("转出", "汇出", "流出", "往账", "d", "dr", "debit", "/", "不计收支", "中性", "中性交易"),
}
_CNY = {"人民币", "人民币元", "cny", "rmb", "156"}
_OF_BANKS = {"交易成功", "支付成功", "成功", "入账成功", "已入账", "记账成功", "已记账"}
# WeChat's column has this name; Alipay and banks have others.
_OF_WECHAT = "当前状态"
_ARRIVED_IN_WECHAT = {"已收钱", "已存入零钱", "支付成功"}


class Unread(StrEnum):
    """Why a row is not understood."""

    CELLS = "cells"
    LETTERS = "letters"
    SIDE = "side"
    CURRENCY = "currency"
    AMOUNT = "amount"
    REVERSED = "reversed"


class NotUnderstood(Unfit[Unread]):
    """A row's cells do not say whether, or how much, money arrived."""


@dataclass(frozen=True, slots=True)
class StatementHead:
    """The columns of a file by their places, its number of cells, and each state that arrived."""

    columns: Mapping[int, Column]
    width: int
    arrived: Mapping[int, set[str]]

    def cells(self, row: Sequence[str], column: Column) -> list[str]:
        """Return the cells of a row in the columns of a kind."""
        return [row[place] for place, its in self.columns.items() if its is column]

    def texts(self, row: Sequence[str], column: Column) -> list[str]:
        """Return the cells that have a text, cut to a length that can be shown."""
        cells = self.cells(row, column)
        return [cell[:TEXT_MAX] for cell in cells if cell not in _NONE]

    def words(self, row: Sequence[str], column: Column) -> list[str]:
        """Return the cells of a row in their plain form, in lower case."""
        return [_plain(cell) for cell in self.cells(row, column)]

    def is_arrived(self, row: Sequence[str]) -> bool:
        """Return whether every state of a row is known as one of money that arrived."""
        return all(_plain(row[place]) in states for place, states in self.arrived.items())


def head_of(cells: Sequence[str]) -> StatementHead | None:
    """Return the columns of a head; None if the row is no head."""
    names = [_UNIT.sub("", _plain(cell)) for cell in cells]
    found = {place: _column_of(name) for place, name in enumerate(names)}
    head = {place: column for place, column in found.items() if column is not None}
    columns = {*head.values()}
    has_amount = bool(columns & {Column.AMOUNT, Column.INCOME})
    if not has_amount or not columns & {Column.TIME, Column.PAYER, Column.REMARK}:
        return None
    arrived = {
        place: _ARRIVED_IN_WECHAT if names[place] == _OF_WECHAT else _OF_BANKS
        for place, column in head.items()
        if column is Column.STATE
    }
    return StatementHead(head, len(cells), arrived)


def _plain(cell: str) -> str:
    return plain_line(cell[:TEXT_MAX]).lower()


def _column_of(name: str) -> Column | None:
    if name in _COLUMN_OF:
        return _COLUMN_OF[name]
    if name.startswith(_SIDE_FIRST) or name.endswith(_SIDE_LAST):
        return Column.SIDE
    return Column.STATE if name.endswith(_STATE_LAST) else None


def is_incoming(row: Sequence[str], head: StatementHead) -> bool:
    """Return whether a row's sides are of money that comes in. Raises: NotUnderstood."""
    sides = {*head.words(row, Column.SIDE)}
    if sides & _OUT and not sides & _IN:
        return False
    if sides - _IN:
        raise NotUnderstood(Unread.SIDE)
    return True


def fen_of(row: Sequence[str], head: StatementHead) -> int | None:
    """Return the amount that came in; None for money that left. Raises: NotUnderstood.

    A negative amount that came in undoes an earlier one. If a column is of income, another amount
    may be what left. Several amounts must be the same.
    """
    has_income = Column.INCOME in head.columns.values()
    texts = head.texts(row, Column.INCOME if has_income else Column.AMOUNT)
    if not texts and has_income:
        return None
    amounts = {_amount_of(text) for text in texts}
    if len(amounts) != 1:
        raise NotUnderstood(Unread.AMOUNT)
    fen = amounts.pop()
    if fen < 0 and not has_income and Column.SIDE not in head.columns.values():
        return None
    if fen and not {*head.words(row, Column.CURRENCY)} <= _CNY:
        raise NotUnderstood(Unread.CURRENCY)
    return fen


def _amount_of(text: str) -> int:
    """Return an amount with its sign; what the parser of typed amounts refuses is none."""
    plain = plain_line(text)
    is_negative = plain.startswith(_MINUS)
    bare = plain[1:] if is_negative else plain.removeprefix("+")
    try:
        fen = parse_typed_cny(bare.removesuffix("元"))
    except (NotAnAmount, TooManyDecimals, TooLarge):
        raise NotUnderstood(Unread.AMOUNT) from None
    return -fen if is_negative else fen


def time_of(row: Sequence[str], head: StatementHead) -> int | None:
    """Return a row's time in Unix seconds, from a date and a time of day in one cell or two.

    The cells are in UTC+8. Of several times the earliest counts. None if one cell is not read.
    """
    whole, days, clocks = list[int](), list[int](), list[int]()
    for text in head.texts(row, Column.TIME):
        try:
            day, clock = _day_and_clock(plain_line(text))
        except ValueError:
            return None
        if day is not None and clock is not None:
            whole.append(day + clock)
        days += [] if day is None else [day]
        clocks += [] if clock is None else [clock]
    if not whole and days and clocks:
        whole = [min(days) + min(clocks)]
    return min(whole, default=None)


def _day_and_clock(text: str) -> tuple[int | None, int | None]:
    """Return a date (Unix seconds of its midnight) and a time of day in seconds.

    Raises: ValueError if a part is neither.
    """
    days, clocks = list[int](), list[int]()
    for part in text.replace("T", " ").split():
        if found := _SERIAL.fullmatch(part):
            day, fraction = found[1], found[2] or found[3]
            date = None if day is None else _SERIAL_EPOCH + timedelta(days=int(day))
            clock = None if fraction is None else round(Decimal(fraction) * SECONDS_PER_DAY)
        elif found := _DATE.fullmatch(part):
            date, clock = _date(*found.groups()), None
        elif found := _CLOCK.fullmatch(part):
            date, clock = None, _clock(*found.groups())
        elif found := _DIGITS.fullmatch(part):
            year, month, its_day, *rest = found.groups()
            date = None if year is None else _date(year, month, its_day)
            clock = None if rest[0] is None else _clock(*rest)
        else:
            raise ValueError(part)
        days += [] if date is None else [int(date.timestamp())]
        clocks += [] if clock is None else [clock]
    if max(len(days), len(clocks)) > 1:
        raise ValueError(text)
    return next(iter(days), None), next(iter(clocks), None)


def _date(year: str, month: str, day: str) -> datetime:
    return datetime(int(year), int(month), int(day), tzinfo=_BEIJING)


def _clock(hour: str, minute: str, second: str | None) -> int:
    return int(hour) * 3600 + int(minute) * 60 + int(second or 0)
