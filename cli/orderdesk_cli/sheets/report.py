"""A trading day by merchant and trader (contract section 9)."""

from collections.abc import Iterator

from orderdesk_cli.sheets.ledger import MODES
from orderdesk_cli.sheets.sheet import Facts, Field, Kind, Part, Sheet, Table, sheet_of_items

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


REPORT = Sheet(
    [
        Facts(
            [
                Field("date", "trading day (UTC+8)", "交易日（UTC+8）"),
                Field("closes", "closes", "账目平衡"),
            ]
        ),
        *_tables(),
    ]
)

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
