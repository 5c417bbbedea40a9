"""Deliveries of callbacks and their attempts."""

from orderdesk_cli.sheets.sheet import Facts, Field, Kind, Sheet, Table, sheet_of_items

_CALLBACK = Field("webhook_id", "callback", "回调", Kind.CALLBACK)
_TYPE = Field("type", "type", "类型", Kind.CODE)
_COLUMNS = (
    _CALLBACK,
    _TYPE,
    Field("state", "state", "状态", Kind.WORD),
    Field("updated_time", "changed", "更新时间", Kind.TIME, wide=True),
    Field("next_time", "next", "下次尝试", Kind.TIME, wide=True),
)
_ATTEMPT_COLUMNS = (
    _TYPE,
    Field("time", "attempt", "尝试时间", Kind.TIME),
    Field("status", "HTTP", "HTTP", Kind.NUMBER),
    Field("failure", "failure", "失败", Kind.WORD),
    Field("latency_ms", "ms", "毫秒", Kind.NUMBER),
    Field("answer", "answer", "应答", Kind.ASIDE, wide=True),
)
_NONE = ("No callbacks.", "没有回调。")
_HEADING = ("Callbacks to the merchant", "商户回调")

DELIVERIES = Table(_COLUMNS, _NONE, "callbacks", _HEADING)
ATTEMPTS = Table(_ATTEMPT_COLUMNS, at="callbacks", each="attempts")

TROUBLED = sheet_of_items(
    [
        Field("number", "order", "订单", Kind.ORDER),
        Field("state", "state", "状态", Kind.WORD),
        _TYPE,
        Field("merchant_id", "merchant", "商户", Kind.MERCHANT, wide=True),
        Field("updated_time", "changed", "更新时间", Kind.TIME, wide=True),
        Field("next_time", "next", "下次尝试", Kind.TIME, wide=True),
        Field("webhook_id", "callback", "回调", Kind.CALLBACK, wide=True),
    ],
    ("No callback is in trouble.", "没有异常回调。"),
)
OF_ORDER = Sheet([Table(_COLUMNS, _NONE), Table(_ATTEMPT_COLUMNS, each="attempts")])
DELIVERY = Sheet(
    [
        Facts(
            [
                Field("webhook_id", "callback", "回调", Kind.CALLBACK),
                _TYPE,
                Field("number", "order", "订单", Kind.ORDER),
                Field("merchant_id", "merchant", "商户", Kind.MERCHANT),
                Field("state", "state", "状态", Kind.WORD),
                Field("url", "address", "地址"),
                Field("updated_time", "changed", "更新时间", Kind.TIME),
                Field("next_time", "next", "下次尝试", Kind.TIME),
                Field("redeliveries", "redeliveries", "重发次数", Kind.NUMBER),
            ]
        ),
        Table(_ATTEMPT_COLUMNS[1:], ("Not tried yet.", "尚未尝试。"), "attempts"),
    ]
)
