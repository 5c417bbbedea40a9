"""Money that came in from outside or went out."""

from orderdesk_cli.sheets.sheet import Facts, Field, Kind, Sheet

TRANSFERRED = Sheet(
    [
        Facts(
            [
                Field("transfer_id", "transfer", "转账", Kind.CODE),
                Field("merchant_id", "merchant", "商户", Kind.MERCHANT),
                Field("trader_id", "trader", "交易员", Kind.TRADER),
                Field("is_test", "test money", "测试资金"),
                Field("amount", "USDT", "USDT", Kind.NUMBER),
                Field("available", "available", "可用", Kind.NUMBER),
                Field("held", "held", "冻结", Kind.NUMBER),
                Field("memo", "memo", "备注"),
            ]
        )
    ]
)

FORESEEN = Sheet(
    [
        Facts(
            [
                Field("merchant_id", "merchant", "商户", Kind.MERCHANT),
                Field("trader_id", "trader", "交易员", Kind.TRADER),
                Field("is_test", "test money", "测试资金"),
                Field("amount", "USDT", "USDT", Kind.NUMBER),
                Field("memo", "memo", "备注"),
            ]
        )
    ],
    ("About to do: {command}", "即将执行：{command}"),
)
"""What a money command is about to do, before it is asked for."""
