"""Orders and drafts: lists, one with its whole story, and what a move does."""

from orderdesk_cli.sheets.audit import ENTRY_COLUMNS, NO_ENTRIES
from orderdesk_cli.sheets.callbacks import ATTEMPTS, DELIVERIES
from orderdesk_cli.sheets.sheet import Facts, Field, Kind, Sheet, Table, sheet_of_items

STATUS = Field("status", "status", "状态", Kind.WORD)
_SIDE = Field("side", "side", "方向", Kind.WORD)
_MODE = Field("mode", "mode", "模式", Kind.WORD, wide=True)
_CNY = Field("cny_amount", "CNY", "人民币", Kind.NUMBER)
_USDT = Field("usdt_amount", "USDT", "USDT", Kind.NUMBER)
_MERCHANT = Field("merchant_id", "merchant", "商户", Kind.MERCHANT, wide=True)
_TRADER = Field("trader_id", "trader", "交易员", Kind.TRADER, wide=True)
_THEIR_NUMBER = Field("merchant_order_no", "merchant's number", "商户订单号", wide=True)
_CREATED = Field("createtime", "created", "创建时间", Kind.TIME, wide=True)
_AMOUNTS = (
    Field("rate", "rate", "汇率", Kind.NUMBER, wide=True),
    Field("merchant_amount", "merchant's USDT", "商户金额", Kind.NUMBER, wide=True),
    Field("deposit_amount", "deposit", "保证金", Kind.NUMBER, wide=True),
    Field("service_amount", "fee", "手续费", Kind.NUMBER, wide=True),
    Field(
        "merchant_actual_amount", "merchant gets or pays", "商户实收/实付", Kind.NUMBER, wide=True
    ),
)
_UPDATED = Field("updatetime", "changed", "更新时间", Kind.TIME, wide=True)

ORDERS = sheet_of_items(
    [
        Field("number", "order", "订单", Kind.ORDER),
        *(_SIDE, STATUS, _CNY, _USDT, _MERCHANT, _TRADER, _THEIR_NUMBER, _CREATED, _MODE),
        *_AMOUNTS,
        _UPDATED,
    ],
    ("No orders.", "没有订单。"),
)

DISPUTES = sheet_of_items(
    [
        Field("number", "order", "订单", Kind.ORDER),
        *(_SIDE, _CNY),
        Field("age_seconds", "disputed for", "争议时长", Kind.DURATION),
        Field("owner", "owner", "负责人", Kind.PERSON),
        Field("new_answer", "new answer", "有新回复", Kind.FLAG),
        *(_MERCHANT, _TRADER, _THEIR_NUMBER, _MODE),
    ],
    ("No order is disputed.", "没有争议订单。"),
)
"""Disputed orders; the owner is the operator who last asked or disputed."""

_LINES = (
    Field("account", "account", "账户", Kind.WORD),
    Field("merchant_id", "merchant", "商户", Kind.MERCHANT, wide=True),
    Field("trader_id", "trader", "交易员", Kind.TRADER, wide=True),
    Field("usdt", "USDT", "USDT", Kind.NUMBER),
)
NOTES = Table(
    [
        Field("time", "time", "时间", Kind.TIME),
        Field("by", "by", "发送方", Kind.WORD),
        Field("to", "to", "询问", Kind.WORD),
        Field("text", "text", "内容"),
        Field("picture", "picture", "图片", wide=True),
    ],
    ("Nothing was said.", "没有留言。"),
    "notes",
    ("What was said", "留言"),
)
EVIDENCE_TABLE = Table(
    [
        Field("file_name", "file", "文件", Kind.CODE),
        Field("kind", "kind", "类型", Kind.WORD),
        Field("time", "sent", "上传时间", Kind.TIME),
        Field("content_type", "type", "格式", wide=True),
        Field("size_bytes", "bytes", "字节", Kind.NUMBER, wide=True),
    ],
    ("Nothing was sent.", "没有上传文件。"),
    "evidence",
    ("Evidence", "凭证"),
)


TIMELINE = Table(
    [
        STATUS,
        Field("time", "since", "时间", Kind.TIME),
        Field("by", "by", "操作方", Kind.WORD),
    ],
    at="timeline",
    heading=("How it went", "进程"),
)


def _method(at: str, english: str, chinese: str) -> Facts:
    return Facts(
        [
            Field("method_type", "method", "方式", Kind.WORD),
            Field("bank", "bank", "银行"),
            Field("sub_bank", "branch", "支行"),
            Field("real_name", "payee", "收款人"),
            Field("card_number", "card", "卡号"),
            Field("account", "account", "账号"),
        ],
        at,
        (english, chinese),
    )


ORDER = Sheet(
    [
        Facts(
            [
                *(STATUS, _SIDE, _MODE, _CNY, _USDT, *_AMOUNTS, _MERCHANT, _TRADER),
                Field("passed_over", "gave it back", "曾退回"),
                _THEIR_NUMBER,
                Field("transfer_remark", "transfer remark", "转账附言", Kind.CODE),
                Field("order_id", "order_id", "订单编号", Kind.CODE),
                Field("pending_no", "draft", "草稿", Kind.ORDER),
                Field("remark", "remark", "备注"),
                Field("receipts", "receipts", "凭证数", Kind.NUMBER),
                _CREATED,
                _UPDATED,
                Field("expire_time", "expires", "到期时间", Kind.TIME),
                Field("base_rate", "base rate", "基准汇率", Kind.NUMBER),
                Field("rate_source", "rate's source", "汇率来源"),
                Field("rate_set_at", "rate set", "汇率时间", Kind.TIME),
                Field("callback_url", "callback_url", "回调地址"),
                Field("new_answer", "new answer", "有新回复", Kind.FLAG),
            ]
        ),
        Facts(
            [
                Field("outcome", "outcome", "结果"),
                Field("name", "name", "姓名"),
                Field("id_card", "id card", "证件号"),
                Field("mobile", "mobile", "手机号"),
                Field("provider", "provider", "服务商"),
                Field("reference", "reference", "流水号", Kind.CODE),
            ],
            "identity",
            ("Verified customer", "实名客户"),
        ),
        _method("payment_method", "Receiving account of the trader", "交易员收款账户"),
        _method("customer_payment_method", "Account of the customer", "客户收款账户"),
        TIMELINE,
        NOTES,
        EVIDENCE_TABLE,
        Table(
            _LINES,
            ("Nothing was posted, and nothing is held.", "没有分录，也没有冻结。"),
            "money.lines",
            ("Held or posted", "冻结或入账"),
        ),
        Table(
            [
                Field("trader_id", "trader", "交易员", Kind.TRADER),
                Field("online", "online", "在线"),
                Field("open_orders", "open orders", "进行中订单", Kind.NUMBER),
                Field("passed_over", "gave it back", "曾退回", Kind.FLAG),
            ],
            ("", ""),
            "fitting_traders",
            ("Traders that it fits", "可分配的交易员"),
        ),
        *(DELIVERIES, ATTEMPTS),
    ],
    ("Order {order_no}", "订单 {order_no}"),
)

DRAFT = Sheet(
    [
        Facts(
            [
                *(STATUS, _MODE, _CNY),
                Field("method_type", "method", "方式", Kind.WORD),
                _MERCHANT,
                _THEIR_NUMBER,
                Field("order_no", "became", "生成订单", Kind.ORDER),
                Field("remark", "remark", "备注"),
                _CREATED,
                _UPDATED,
                Field("expire_time", "expires", "到期时间", Kind.TIME),
                Field("callback_url", "callback_url", "回调地址"),
            ]
        ),
        *(DELIVERIES, ATTEMPTS),
    ],
    ("Draft {pending_no}", "草稿 {pending_no}"),
)

EVIDENCE = Sheet([EVIDENCE_TABLE])
HISTORY = Sheet(
    [TIMELINE, Table(ENTRY_COLUMNS, NO_ENTRIES, "items", ("What operators did", "运营操作"))]
)
ASKED = Sheet([NOTES])

_MOVING = (_MODE, _CNY, _MERCHANT, _TRADER)
_NO_LINES = ("No USDT moves.", "USDT 不变。")

MOVED = Sheet(
    [
        Facts(
            [
                *_MOVING,
                Field("effect.from", "from", "原状态", Kind.WORD),
                Field("effect.to", "to", "新状态", Kind.WORD),
                Field("effect.money", "USDT", "USDT", Kind.WORD),
            ]
        ),
        Table(_LINES, _NO_LINES, "effect.lines"),
    ],
    ("{side} {order_no} is {status}", "{side} {order_no}：{status}"),
)
"""A move that was made."""

MOVING = Sheet(
    [
        Facts([*_MOVING, STATUS, Field("money", "USDT", "USDT", Kind.WORD)]),
        Table(_LINES, at="lines"),
    ],
    ("{command} {order_no}", "{command} {order_no}"),
)
"""A move that is about to be made."""

_TOTALS = Table(
    [
        Field("mode", "mode", "模式", Kind.WORD),
        Field("orders", "orders", "订单数", Kind.NUMBER),
        Field("cny", "CNY", "人民币", Kind.NUMBER),
        Field("usdt", "USDT", "USDT", Kind.NUMBER),
    ],
    at="totals",
    key="mode",
)
BULK = Sheet(
    [
        Table(
            [
                Field("order_no", "order", "订单", Kind.ORDER),
                *(_SIDE, _MODE, _CNY, _USDT),
                STATUS,
                Field("refused", "refused", "被拒原因", Kind.ASIDE, wide=True),
            ],
            ("No disputed orders.", "没有争议订单。"),
            "orders",
        ),
        _TOTALS,
    ],
    ("disputed → {outcome}", "争议 → {outcome}"),
)
