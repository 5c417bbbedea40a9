"""Traders: duty, limits, receiving methods, open orders, and new access codes."""

from orderdesk_cli.sheets.orders import ORDERS
from orderdesk_cli.sheets.sheet import Facts, Field, Kind, Part, Sheet, Table, sheet_of_items

_ID = Field("trader_id", "trader", "交易员", Kind.CODE)
_NAME = Field("name", "name", "名称")
_DUTY = Field("duty", "duty", "状态", Kind.WORD)
_MODE = Field("mode", "mode", "模式", Kind.WORD)
_AVAILABLE = Field("available", "available USDT", "可用 USDT", Kind.NUMBER)
_HELD = Field("held", "held USDT", "冻结 USDT", Kind.NUMBER)
_OPEN = Field("open_orders", "open orders", "进行中订单", Kind.NUMBER)

TRADERS = sheet_of_items(
    [
        *(Field("trader_id", "trader", "交易员", Kind.TRADER), _NAME, _DUTY),
        Field("available", "available", "可用", Kind.NUMBER),
        Field("open_orders", "open", "进行中", Kind.NUMBER),
        Field("mode", "mode", "模式", Kind.WORD, wide=True),
        Field("held", "held", "冻结", Kind.NUMBER, wide=True),
        Field("min_cny", "from CNY", "最小金额", Kind.NUMBER, wide=True),
        Field("max_cny", "to CNY", "最大金额", Kind.NUMBER, wide=True),
        Field("created_at", "added", "添加时间", Kind.TIME, wide=True),
    ],
    ("No traders.", "没有交易员。"),
)

_FACTS = Facts(
    [
        *(_NAME, _ID, _DUTY, _MODE),
        Field("min_cny", "smallest order, CNY", "最小金额", Kind.NUMBER),
        Field("max_cny", "largest order, CNY", "最大金额", Kind.NUMBER),
        _OPEN,
        Field("max_open", "open orders at most", "进行中订单上限", Kind.NUMBER),
        Field("cny_today", "CNY today", "今日金额", Kind.NUMBER),
        Field("daily_cny", "CNY a day at most", "每日金额上限", Kind.NUMBER),
        Field("unique_amounts", "unique amounts", "金额唯一"),
        Field("own_limits", "its own limits", "自设限额"),
        Field("methods_changed_at", "accounts changed", "账户变更时间", Kind.TIME),
        *(_AVAILABLE, _HELD),
        Field("last_accepted_at", "last accepted", "最近接单", Kind.TIME),
        Field("created_at", "added", "添加时间", Kind.TIME),
        Field("given_back", "sells back in matching", "退回匹配的卖单"),
        Field("left", "left to operators", "需人工处理的订单"),
    ]
)
_METHODS = Table(
    [
        Field("method_type", "method", "方式", Kind.WORD),
        Field("bank", "bank", "银行"),
        Field("real_name", "payee", "收款人"),
        Field("card_number", "card", "卡号"),
        Field("account", "account", "账号"),
    ],
    ("No receiving method.", "没有收款方式。"),
    "methods",
    ("Receiving methods", "收款方式"),
)


def _orders() -> Part:
    [table] = ORDERS.parts
    assert isinstance(table, Table)
    heading = ("Open orders", "进行中订单")
    return Table(table.columns, ("None is open.", "没有进行中的订单。"), "orders", heading)


TRADER = Sheet([_FACTS, _METHODS, _orders()], ("{name} is {duty}", "{name}（{duty}）"))

CODE = Sheet(
    [
        Facts(
            [
                _NAME,
                Field("trader_id", "trader_id", "trader_id", Kind.CODE),
                Field("access_code", "access_code", "登录码", Kind.CODE),
            ]
        )
    ],
    (
        "The access code is shown this one time; keep it now. An earlier code works no longer.",
        "登录码只显示这一次，请立即妥善保存。原登录码已失效。",
    ),
)
