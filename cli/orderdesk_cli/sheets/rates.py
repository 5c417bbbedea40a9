"""The base rates."""

from orderdesk_cli.sheets.sheet import Field, Kind, Sheet, Table

RATES = Sheet(
    [
        Table(
            [
                Field("side", "side", "方向", Kind.WORD),
                Field("rate", "CNY per USDT", "汇率", Kind.NUMBER),
                Field("source", "source", "来源"),
                Field("set_at", "set", "设置时间", Kind.TIME),
            ],
            empty=("No rate is set.", "尚未设置汇率。"),
            key="side",
        )
    ]
)
