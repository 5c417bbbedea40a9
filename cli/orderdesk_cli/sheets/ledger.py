"""The ledger: its check, all balances, and a merchant's statement."""

from collections.abc import Iterator

from orderdesk_cli.sheets.sheet import Facts, Field, Kind, Label, Part, Sheet, Table, sheet_of_items

MODES: tuple[tuple[str, Label], ...] = (("live", ("live", "正式")), ("test", ("test", "测试")))

FINDINGS = Table(
    [
        Field("kind", "kind", "类型", Kind.CODE),
        Field("key", "item", "条目"),
        Field("order_no", "order", "订单", Kind.ORDER, wide=True),
        Field("proposal_no", "proposal", "提案", Kind.PROPOSAL, wide=True),
        Field("account", "account", "账户", wide=True),
        Field("text", "finding", "结果"),
    ],
    at="findings",
    heading=("Findings", "问题"),
)

CHECKED = Sheet(
    [
        Facts(
            [
                Field("balanced", "balances", "账目平衡"),
                Field("accounts", "accounts", "账户数", Kind.NUMBER),
                Field("postings", "postings", "分录数", Kind.NUMBER),
                Field("orders", "open orders", "进行中订单", Kind.NUMBER),
                Field("withdrawals", "open withdrawals", "待审批提现", Kind.NUMBER),
                Field("passes", "passes", "核对轮次", Kind.NUMBER),
            ]
        ),
        FINDINGS,
    ]
)

COMPARED = Sheet([Facts([Field("postings", "postings", "分录数", Kind.NUMBER)]), FINDINGS])

_OWNED = (
    Field("available", "available", "可用", Kind.NUMBER),
    Field("held", "held", "冻结", Kind.NUMBER),
)


def _balances() -> Iterator[Part]:
    for mode, (english, chinese) in MODES:
        yield Table(
            [
                Field("merchant_id", "merchant", "商户", Kind.MERCHANT),
                *_OWNED,
                Field("deposit", "deposit", "保证金", Kind.NUMBER),
                Field("fee", "fees", "手续费", Kind.NUMBER),
            ],
            ("No merchant owns anything.", "没有商户余额。"),
            f"{mode}.merchants",
            (f"Merchants, {english}", f"商户（{chinese}）"),
        )
        yield Table(
            [Field("trader_id", "trader", "交易员", Kind.TRADER), *_OWNED],
            ("No traders.", "没有交易员。"),
            f"{mode}.traders",
            (f"Traders, {english}", f"交易员（{chinese}）"),
        )
        yield Table(
            [
                Field("kind", "kind", "类型", Kind.WORD),
                Field("accounts", "accounts", "账户数", Kind.NUMBER),
                *_OWNED,
                Field("together", "together", "合计", Kind.NUMBER),
            ],
            ("No accounts.", "没有账户。"),
            f"{mode}.totals",
            (f"All accounts, {english}", f"全部账户（{chinese}）"),
            key="kind",
        )


BALANCES = Sheet([*_balances()])

STATEMENT = sheet_of_items(
    [
        Field("time", "time", "时间", Kind.TIME),
        Field("kind", "kind", "类型", Kind.WORD),
        Field("account", "account", "账户", Kind.WORD),
        Field("amount", "amount", "金额", Kind.NUMBER),
        Field("balance", "balance", "余额", Kind.NUMBER),
        Field("order_no", "order", "订单", Kind.ORDER, wide=True),
    ],
    ("No postings.", "没有分录。"),
)
