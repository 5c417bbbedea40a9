"""Orders and drafts with their story, the callbacks about them, and what a move does."""

from orderdesk_cli.sheets.operators import ENTRY_COLUMNS, NO_ENTRIES
from orderdesk_cli.sheets.sheet import Label, Sheet
from orderdesk_cli.sheets.words import facts, items, table

_OPEN = (
    "status cny_amount createtime? usdt_amount? merchant_id? trader_id? merchant_order_no? side?"
)
_AMOUNTS = "rate? merchant_amount? deposit_amount? service_amount? merchant_actual_amount?"

ORDER_COLUMNS = f"number {_OPEN} mode? {_AMOUNTS} updatetime?"
ORDERS = items(ORDER_COLUMNS, ("No orders.", "没有订单。"))
DISPUTES = items(
    "number side cny_amount age_seconds owner new_answer overdue suggested payee_stopped_at? "
    "merchant_id? trader_id? merchant_order_no? mode?",
    ("No order is disputed.", "没有争议订单。"),
)
"""Disputed orders; the owner is the operator who last asked or disputed."""
STOPPED = items(
    "number status cny_amount payee_stopped_at merchant_id? createtime? merchant_order_no?",
    ("No order of a stopped account is open.", "停用账户没有未结束的订单。"),
)
"""Open orders of a trader's stopped accounts."""
CLAIMS = items(
    "number status cny_amount merchant_id? trader_id? updatetime merchant_order_no? mode?",
    ("No claim is open.", "没有待裁定的凭证。"),
)
"""Ended sells with a late proof that nobody has decided."""

_ATTEMPTS = "time:attempt status:http failure latency_ms answer?"
_STATES = "state updated_time? next_time?"
_DELIVERY_COLUMNS = f"webhook_id type {_STATES}"
_ATTEMPT_COLUMNS = f"type {_ATTEMPTS}"
_NO_CALLBACKS = ("No callbacks.", "没有回调。")
_CALLBACKS = (
    table(_DELIVERY_COLUMNS, _NO_CALLBACKS, "callbacks", ("Callbacks to the merchant", "商户回调")),
    table(_ATTEMPT_COLUMNS, at="callbacks", each="attempts"),
)
OF_ORDER = Sheet(
    [table(_DELIVERY_COLUMNS, _NO_CALLBACKS), table(_ATTEMPT_COLUMNS, each="attempts")]
)
"""An order's callbacks with their attempts."""

TROUBLED = items(
    "number state type merchant_id? updated_time? next_time? webhook_id?",
    ("No callback is in trouble.", "没有异常回调。"),
)
PAUSED = Sheet(
    [
        table(
            "merchant_id origin mode since:paused probe_time?",
            ("No endpoint is paused.", "没有暂停投递的回调地址。"),
            heading=("Paused endpoints", "已暂停投递的回调地址"),
        )
    ]
)
"""Endpoints that keep failing: what is to be sent to them waits."""
DELIVERY = Sheet(
    [
        facts("webhook_id type number merchant_id state url updated_time next_time redeliveries"),
        table(_ATTEMPTS, ("Not tried yet.", "尚未尝试。"), "attempts"),
    ]
)

_LINES = "account:word merchant_id? trader_id? usdt"
NOTES = table(
    "time by:note to text picture?",
    ("Nothing was said.", "没有留言。"),
    at="notes",
    heading=("What was said", "留言"),
)
EVIDENCE_TABLE = table(
    "file_name kind time:sent trader_id? content_type? size_bytes?",
    ("Nothing was sent.", "没有上传文件。"),
    at="evidence",
    heading=("Evidence", "凭证"),
)
CLAIMS_TABLE = table(
    "trader_id time:sent claim number?",
    at="claims",
    heading=("Late proofs of former traders", "原交易员的逾期凭证"),
)
TIMELINE = table("status time:since by", at="timeline", heading=("How it went", "进程"))
_METHOD = "method_type bank sub_bank real_name card_number account:number"

ORDER = Sheet(
    [
        facts(
            "status side mode cny_amount requested_cny_amount reported_cny_amount sum_answer "
            f"usdt_amount {_AMOUNTS} merchant_id trader_id "
            "passed_over merchant_order_no transfer_remark order_id pending_no remark receipts "
            "createtime updatetime expire_time base_rate rate_source rate_set_at callback_url "
            "new_answer overdue suggested payee_stopped_at reversed_usdt reversible_usdt"
        ),
        facts(
            "outcome name:person id_card mobile provider reference",
            at="identity",
            heading=("Verified customer", "实名客户"),
        ),
        facts(_METHOD, "payment_method", ("Receiving account of the trader", "交易员收款账户")),
        facts(_METHOD, "customer_payment_method", ("Account of the customer", "客户收款账户")),
        TIMELINE,
        NOTES,
        EVIDENCE_TABLE,
        table("number time usdt", at="reversals", heading=("Reversals", "冲正")),
        CLAIMS_TABLE,
        table(
            _LINES,
            ("Nothing was posted, and nothing is held.", "没有分录，也没有冻结。"),
            at="money.lines",
            heading=("Held or posted", "冻结或入账"),
        ),
        table(
            "trader_id online open_orders passed_over:flag",
            at="fitting_traders",
            heading=("Traders that it fits", "可分配的交易员"),
        ),
        *_CALLBACKS,
    ],
    ("Order {order_no}", "订单 {order_no}"),
)

DRAFT = Sheet(
    [
        facts(
            "status mode cny_amount method_type merchant_id merchant_order_no order_no:draft "
            "remark createtime updatetime expire_time callback_url"
        ),
        *_CALLBACKS,
    ],
    ("Draft {pending_no}", "草稿 {pending_no}"),
)

EVIDENCE = Sheet([EVIDENCE_TABLE])
HISTORY = Sheet(
    [TIMELINE, table(ENTRY_COLUMNS, NO_ENTRIES, "items", ("What operators did", "运营操作"))]
)
ASKED = Sheet([NOTES])

_MOVING = "mode? cny_amount merchant_id? trader_id?"

MOVED = Sheet(
    [
        facts(f"{_MOVING} effect.from effect.to effect.money"),
        table(_LINES, ("No USDT moves.", "USDT 不变。"), "effect.lines"),
    ],
    ("{side} {order_no} is {status}", "{side} {order_no}：{status}"),
)
"""A move that was made."""

MOVING = Sheet(
    [facts(f"{_MOVING} status money"), table(_LINES, at="lines")],
    ("{command} {order_no}", "{command} {order_no}"),
)
"""A move that is about to be made."""


def _bulk(empty: Label, title: Label) -> Sheet:
    columns = "order_no side mode? cny_amount usdt_amount status refused?"
    totals = table("mode orders cny usdt", at="totals", key="mode")
    return Sheet([table(columns, empty, "orders"), totals], title)


BULK = _bulk(
    ("No disputed orders.", "没有争议订单。"), ("disputed → {outcome}", "争议 → {outcome}")
)
DISPUTED = _bulk(
    ("No paid buys or assigned sells.", "没有已付款的买单或已分配的卖单。"),
    ("paid, assigned → disputed", "已付款、已分配 → 争议"),
)
