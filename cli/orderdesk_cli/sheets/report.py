"""A trading day by merchant and trader (contract section 9)."""

from collections.abc import Iterator

from orderdesk_cli.sheets.ledger import MODES
from orderdesk_cli.sheets.sheet import (
    Facts,
    Field,
    Kind,
    Label,
    Part,
    Sheet,
    Table,
    sheet_of_items,
)
from orderdesk_cli.sheets.words import CHINESE, STATUSES

VOLUME = (
    Field("orders", "orders", "订单数", Kind.NUMBER),
    Field("cny", "CNY", "人民币", Kind.NUMBER),
    Field("usdt", "USDT", "USDT", Kind.NUMBER),
    Field("fees", "fees", "手续费", Kind.NUMBER),
    Field("deposits", "deposits", "保证金", Kind.NUMBER),
)
MONEY = (
    Field("fundings", "fundings", "充值", Kind.NUMBER),
    Field("withdrawals", "withdrawals", "提现", Kind.NUMBER),
    Field("opening", "opening", "期初", Kind.NUMBER),
    Field("closing", "closing", "期末", Kind.NUMBER),
)
_OWNERS = (
    ("merchants", Field("merchant_id", "merchant", "商户", Kind.MERCHANT), "Merchants", "商户"),
    ("traders", Field("trader_id", "trader", "交易员", Kind.TRADER), "Traders", "交易员"),
)
_NOTHING = ("Nothing.", "无。")


def _tables() -> Iterator[Part]:
    for mode, (english, chinese) in MODES:
        for name, owner, en, zh in _OWNERS:
            at = f"{mode}.{name}"
            yield Table([owner, *VOLUME], _NOTHING, at, (f"{en}, {english}", f"{zh}（{chinese}）"))
            heading = (f"{en}' USDT, {english}", f"{zh} USDT（{chinese}）")
            yield Table([owner, *MONEY], ("", ""), at, heading)
        accounts = (f"Other accounts' USDT, {english}", f"其他账户 USDT（{chinese}）")
        account = Field("account", "account", "账户")
        yield Table([account, *MONEY], _NOTHING, f"{mode}.accounts", accounts)


def _figures() -> Iterator[Part]:
    for mode, (english, chinese) in MODES:
        yield Facts(
            [
                Field("orders", "orders", "订单数", Kind.NUMBER),
                Field("completed_cny", "completed, CNY", "完成金额", Kind.NUMBER),
                Field("completed_percent", "completed of the ended, %", "完成率 %", Kind.NUMBER),
                Field("median_confirm_seconds", "half confirmed in", "半数确认用时", Kind.DURATION),
                Field("most_confirm_seconds", "90 % confirmed in", "九成确认用时", Kind.DURATION),
                Field("ever_disputed", "ever disputed", "曾有争议", Kind.NUMBER),
                *(Field(f"statuses.{name}", name, CHINESE[name], Kind.NUMBER) for name in STATUSES),
            ],
            f"figures.{mode}",
            (f"Orders created on the day, {english}", f"当日创建的订单（{chinese}）"),
        )


CHARTS: tuple[tuple[str, Label], ...] = (
    ("completed_cny_by_hour", ("Completed volume by hour, CNY", "每小时完成金额（元）")),
    ("created_by_hour", ("Orders created by hour", "每小时新订单")),
    ("disputed_by_hour", ("Disputed, by hour of creation", "争议订单（按创建小时）")),
    ("confirmed_by_class", ("Orders by time to confirm", "确认用时分布（单）")),
)
"""The figures that pages draw as bars."""

REPORT = Sheet(
    [
        Facts(
            [
                Field("date", "trading day (UTC+8)", "交易日（UTC+8）"),
                Field("closes", "closes", "账目平衡"),
            ]
        ),
        *_figures(),
        *_tables(),
    ]
)

DIFFERENCES = Table(
    [
        Field("account", "account", "账户"),
        Field("opening", "opening", "期初", Kind.NUMBER),
        Field("postings", "postings", "分录", Kind.NUMBER),
        Field("closing", "closing", "期末", Kind.NUMBER),
        Field("difference", "difference", "差额", Kind.NUMBER),
    ],
    at="differences",
    heading=("Accounts that do not close", "不平的账户"),
)
"""What is wrong with a day; the command line says it on stderr."""

ROWS = sheet_of_items(
    [
        Field("mode", "mode", "模式"),
        Field("kind", "kind", "类型"),
        Field("id", "id", "编号"),
        *VOLUME,
        *MONEY,
    ],
    _NOTHING,
)
"""The same as one table, for spreadsheets: a row for each account."""
