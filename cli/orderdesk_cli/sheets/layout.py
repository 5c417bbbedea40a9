"""Lays an answer out by its sheet: blocks of cells in one language, for any renderer."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from orderdesk_cli.language import Language
from orderdesk_cli.plain_text import BEIJING, ZONE, minute_text, time_text
from orderdesk_cli.sheets.label_texts import Decisions
from orderdesk_cli.sheets.sheet import (
    Changes,
    Facts,
    Field,
    Json,
    Kind,
    Label,
    Sheet,
    Table,
    objects,
    value_at,
)
from orderdesk_cli.sheets.words import CHINESE, label_of


@dataclass(frozen=True, slots=True)
class View:
    """The language of a sheet, and a function that returns a merchant's or trader's name by id."""

    language: Language = Language.EN
    name_of: Callable[[str], str | None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Cell:
    """A value as it is shown; `value` is the answer's own, such as the id behind a name."""

    text: str
    kind: Kind
    value: Json = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column's heading, and what its cells are."""

    name: str
    kind: Kind
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a sheet with the answer's values: facts, or a table (`columns` is not empty)."""

    heading: str = ""
    facts: Sequence[tuple[str, Cell]] = ()
    columns: Sequence[Column] = ()
    rows: Sequence[Sequence[Cell]] = ()
    empty: str = ""


_TITLED = frozenset({"duty", "status", "side", "outcome"})


def title_of(sheet: Sheet, data: Json, view: View) -> str:
    """Return a sheet's title with the answer's values."""
    text = sheet.title[view.language]
    if not isinstance(data, Mapping):
        return text
    if view.language is Language.EN:
        return text.format_map(data)
    words = {name: CHINESE.get(str(data[name]), data[name]) for name in _TITLED & data.keys()}
    return text.format_map({**data, **words})


def blocks_of(sheet: Sheet, data: Json, view: View) -> Iterator[Block]:
    """Lay out the parts of a sheet for which the answer has something."""
    for part in sheet.parts:
        match part:
            case Facts():
                known = value_at(data, part.at)
                if isinstance(known, Mapping):
                    cells = (
                        (each.label[view.language], cell(each, known, view)) for each in part.fields
                    )
                    shown = [(label, written) for label, written in cells if written.text]
                    yield Block(part.heading[view.language], facts=shown)
            case Table():
                rows = _rows_of(part, data)
                if rows or (rows is not None and part.empty[view.language]):
                    yield _table(part, rows, view)
            case Changes():
                yield _changes(part, data, view)
            case _:
                assert_never(part)


def _rows_of(table: Table, data: Json) -> list[Mapping[str, Json]] | None:
    """Return a table's rows as objects; None if the answer has no such table."""
    found = value_at(data, table.at)
    if isinstance(found, Mapping):
        pairs = found.items()
        return [{table.key: key, **row} for key, row in pairs if isinstance(row, Mapping)]
    if found is None:
        return None
    if not table.each:
        return objects(found)
    return [{**row, **item} for row in objects(found) for item in objects(row.get(table.each))]


def _table(table: Table, rows: Sequence[Mapping[str, Json]], view: View) -> Block:
    columns = []
    for each in table.columns:
        zone = f" ({ZONE})" if each.kind is Kind.TIME else ""  # its narrow cells leave it out
        columns.append(Column(f"{each.label[view.language]}{zone}", each.kind, each.wide))
    cells = [[cell(each, row, view, minute_text) for each in table.columns] for row in rows]
    empty = table.empty[view.language]
    return Block(table.heading[view.language], columns=columns, rows=cells, empty=empty)


def cell(of: Field, data: Json, view: View, written: Callable[[int], str] = time_text) -> Cell:
    """Write one value of an answer; the text is empty where there is none."""
    value = value_at(data, of.path)
    if value in (None, "") or (of.kind is Kind.FLAG and not value):
        return Cell("", of.kind)
    text, behind = plain(value, view), value
    match of.kind:
        case Kind.TIME if isinstance(value, int):
            text = written(value)
        case Kind.DURATION if isinstance(value, int):
            text = duration_text(value, view.language)
        case Kind.MERCHANT | Kind.TRADER:
            named = value_at(data, of.path.removesuffix("_id") + "_name")
            text = str(named or view.name_of(text) or text)
        case Kind.DECISION:
            text = behind = decision_of(data, view)
        case Kind.SUBJECT:
            text = view.name_of(text) or text
        case Kind.PERSON:
            behind = value_at(data, "arn") or value
        case Kind.WORD if view.language is Language.ZH:
            text = CHINESE.get(f"{of.path}.{text}") or CHINESE.get(text, text)
    return Cell(text, of.kind, behind)


def duration_text(seconds: int, language: Language) -> str:
    """Write a duration by its largest two units."""
    parts: list[str] = []
    for size, label in _UNITS:
        count, seconds = divmod(seconds, size)
        parts += [f"{count} {label[language]}"] if count else [""] if parts else []
    return " ".join(filter(None, parts[:2])) or f"0 {_UNITS[-1][1][language]}"


_UNITS: Sequence[tuple[int, Label]] = (
    (86_400, ("d", "天")),
    (3600, ("h", "小时")),
    (60, ("min", "分")),
    (1, ("s", "秒")),
)


def plain(value: Json, view: View) -> str:
    """Write a value of any shape in one line."""
    if isinstance(value, bool):
        return _YES[value][view.language]
    if isinstance(value, Mapping):
        return ", ".join(
            f"{name} {plain(each, view)}" for name, each in value.items() if each not in (None, "")
        )
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(plain(each, view) for each in value)
    return "" if value is None else str(value)


_YES: dict[bool, Label] = {True: ("yes", "是"), False: ("no", "否")}
_CHANGES: Sequence[Label] = (("what", "项目"), ("before", "变更前"), ("after", "变更后"))


def _changes(part: Changes, data: Json, view: View) -> Block:
    before, after = value_at(data, part.before), value_at(data, part.after)
    old = before if isinstance(before, Mapping) else {}
    new = after if isinstance(after, Mapping) else {}
    rows = [
        [
            Cell(label_of(name)[view.language] if view.language else name, Kind.TEXT, name),
            *(Cell(plain(side.get(name), view), Kind.TEXT, side.get(name)) for side in (old, new)),
        ]
        for name in dict.fromkeys([*old, *new])
    ]
    columns = [Column(label[view.language], Kind.TEXT) for label in _CHANGES] if rows else []
    return Block(part.heading[view.language] if rows else "", columns=columns, rows=rows)


_MONEY = Decisions.labels(lambda decisions: decisions.payments)
_OTHERS: Mapping[str, str] = {
    "merchant.add": "新增商户",
    "merchant.set": "修改商户条款",
    "merchant.resume": "恢复商户",
    "merchant.invite": "邀请使用商户后台",
    "trader.add": "新增交易员",
    "trader.set": "修改交易员限额",
    "trader.add-method": "设置收款方式",
    "trader.resume-account": "恢复收款账户",
    "trader.reset-code": "更换登录码",
    "block.remove": "移出黑名单",
    "desk.set": "修改每日限额",
    "rate.set": "设置汇率",
}
_REQUEST = "withdraw.merchant"
_SHORT_CHARS = 4


def decision_of(data: Json, view: View) -> str:
    """Return what a proposal or request does; the answer's own English summary otherwise.

    A payment names the merchant or trader, and its network, address and since when the merchant's
    address book has it.
    """
    command, language = str(value_at(data, "command") or _REQUEST), view.language
    amount, english = value_at(data, "amount"), str(value_at(data, "summary") or "")
    target = str(value_at(data, "target") or "")
    owner = str(value_at(data, "merchant_id") or value_at(data, "trader_id") or target)
    known = value_at(data, "merchant_name") or value_at(data, "trader_name")
    name = str(known or view.name_of(owner) or owner)
    if amount is None or command not in _MONEY:
        other = _OTHERS.get(command) if language else None
        return english if other is None else f"{other}：{name}".removesuffix("：")
    sentence = _MONEY[command][language].format(usdt=grouped(str(amount)), name=name, target=target)
    test = [("test money", "测试资金")[language]] if value_at(data, "is_test") is True else []
    details = [*_place(data, language), *test]
    opened, closed = (" (", ")") if not language else ("（", "）")
    joined = (", ", "，")[language].join(details)
    return f"{sentence}{opened}{joined}{closed}" if details else sentence


def _place(data: Json, language: int) -> list[str]:
    """Return the network, the address with its middle left out, and its date in the book."""
    network = value_at(data, "network") or value_at(data, "after.network")
    address = str(value_at(data, "address") or value_at(data, "after.address") or "")
    if not network:
        return []
    short = f"{address[:_SHORT_CHARS]}…{address[-_SHORT_CHARS:]}"
    added, day = value_at(data, "address_added_at") or value_at(data, "after.address_added"), ""
    if isinstance(added, int):
        day = time_text(added).partition(" ")[0]
    elif isinstance(added, str):
        day = f"{datetime.fromisoformat(added).astimezone(BEIJING):%Y-%m-%d}"
    book = ("in the address book since {day}", "地址簿 {day}")[language].format(day=day)
    return [str(network), short, *([book] if day else [])]


def grouped(number: str) -> str:
    """Write a number with a comma before each three digits."""
    whole, point, fraction = number.partition(".")
    sign = "+" if whole.startswith("+") else ""
    return f"{sign}{int(whole):,}{point}{fraction}"
