"""What a proposal or a withdrawal request does, as a sentence in both languages."""

from collections.abc import Callable, Mapping
from datetime import datetime

from orderdesk_cli.beijing import BEIJING, time_text
from orderdesk_cli.sheets.label_texts import Decisions
from orderdesk_cli.sheets.sheet import Json, value_at

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


def decision_of(data: Json, language: int, name_of: Callable[[str], str | None]) -> str:
    """Return what a proposal or request does; the answer's own English summary otherwise.

    A payment names the merchant or trader, and its network, address and since when the merchant's
    address book has it.
    """
    command = str(value_at(data, "command") or _REQUEST)
    amount, english = value_at(data, "amount"), str(value_at(data, "summary") or "")
    target = str(value_at(data, "target") or "")
    owner = str(value_at(data, "merchant_id") or value_at(data, "trader_id") or target)
    known = value_at(data, "merchant_name") or value_at(data, "trader_name")
    name = str(known or name_of(owner) or owner)
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
