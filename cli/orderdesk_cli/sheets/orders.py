"""Orders and drafts with their story, the callbacks about them, and what a move does."""

from orderdesk_cli.sheets.operators import ENTRY_COLUMNS, NO_ENTRIES
from orderdesk_cli.sheets.sheet import Sheet
from orderdesk_cli.sheets.words import facts, items, sheet, table

_OPEN = (
    "status cny_amount createtime? usdt_amount? merchant_id? trader_id? merchant_order_no? side?"
)
_AMOUNTS = "rate? merchant_amount? deposit_amount? service_amount? merchant_actual_amount?"

ORDER_COLUMNS = f"number {_OPEN} mode? {_AMOUNTS} updatetime?"
ORDERS = items(ORDER_COLUMNS, "no_orders")
DISPUTES = items(
    "number side cny_amount age_seconds owner new_answer overdue suggested payee_stopped_at? "
    "merchant_id? trader_id? merchant_order_no? mode?",
    "no_order_is_disputed",
)
"""Disputed orders; the owner is the operator who last asked or disputed."""
STOPPED = items(
    "number status cny_amount payee_stopped_at merchant_id? createtime? merchant_order_no?",
    "no_order_of_a_stopped",
)
"""Open orders of a trader's stopped accounts."""
CLAIMS = items(
    "number status cny_amount merchant_id? trader_id? updatetime merchant_order_no? mode?",
    "no_claim_is_open",
)
"""Ended sells with a late proof that nobody has decided."""

_ATTEMPTS = "time:attempt status:http failure latency_ms answer?"
_STATES = "state updated_time? next_time?"
_DELIVERY_COLUMNS = f"webhook_id type {_STATES}"
_ATTEMPT_COLUMNS = f"type {_ATTEMPTS}"
_NO_CALLBACKS = "no_callbacks"
_CALLBACKS = (
    table(_DELIVERY_COLUMNS, _NO_CALLBACKS, "callbacks", "callbacks_to_the_merchant"),
    table(_ATTEMPT_COLUMNS, at="callbacks", each="attempts"),
)
OF_ORDER = sheet(table(_DELIVERY_COLUMNS, _NO_CALLBACKS), table(_ATTEMPT_COLUMNS, each="attempts"))
"""An order's callbacks with their attempts."""

TROUBLED = items(
    "number state type merchant_id? updated_time? next_time? webhook_id?",
    "no_callback_is_in_trouble",
)
PAUSED = sheet(
    table(
        "merchant_id origin mode since:paused probe_time?",
        "no_endpoint_is_paused",
        heading="paused_endpoints",
    )
)
"""Endpoints that keep failing: what is to be sent to them waits."""
DELIVERY = sheet(
    "webhook_id type number merchant_id state url updated_time next_time redeliveries",
    table(_ATTEMPTS, "not_tried_yet", "attempts"),
)

_LINES = "account:word merchant_id? trader_id? usdt"
NOTES = table(
    "time by:note to text picture?", "nothing_was_said", at="notes", heading="what_was_said"
)
EVIDENCE_TABLE = table(
    "file_name kind time:sent trader_id? content_type? size_bytes?",
    "nothing_was_sent",
    at="evidence",
    heading="evidence",
)
CLAIMS_TABLE = table(
    "trader_id time:sent claim number?", at="claims", heading="late_proofs_of_former_traders"
)
TIMELINE = table("status time:since by", at="timeline", heading="how_it_went")
_METHOD = "method_type bank sub_bank real_name card_number account:number"

ORDER = sheet(
    "status side mode cny_amount requested_cny_amount reported_cny_amount sum_answer "
    f"usdt_amount {_AMOUNTS} merchant_id trader_id "
    "passed_over merchant_order_no transfer_remark order_id pending_no remark receipts "
    "createtime updatetime expire_time base_rate rate_source rate_set_at callback_url "
    "new_answer overdue suggested payee_stopped_at reversed_usdt reversible_usdt",
    facts(
        "outcome name:person id_card mobile provider reference",
        at="identity",
        heading="verified_customer",
    ),
    facts(_METHOD, "payment_method", "receiving_account_of_the_trader"),
    facts(_METHOD, "customer_payment_method", "account_of_the_customer"),
    TIMELINE,
    NOTES,
    EVIDENCE_TABLE,
    table("number time usdt", at="reversals", heading="reversals"),
    CLAIMS_TABLE,
    table(_LINES, "nothing_posted_or_held", at="money.lines", heading="held_or_posted"),
    table(
        "trader_id online open_orders passed_over:flag",
        at="fitting_traders",
        heading="traders_that_it_fits",
    ),
    *_CALLBACKS,
    title="order_title",
)

DRAFT = sheet(
    "status mode cny_amount method_type merchant_id merchant_order_no order_no:draft "
    "remark createtime updatetime expire_time callback_url",
    *_CALLBACKS,
    title="draft_title",
)

EVIDENCE = sheet(EVIDENCE_TABLE)
HISTORY = sheet(TIMELINE, table(ENTRY_COLUMNS, NO_ENTRIES, "items", "what_operators_did"))
ASKED = sheet(NOTES)

_MOVING = "mode? cny_amount merchant_id? trader_id?"

MOVED = sheet(
    f"{_MOVING} effect.from effect.to effect.money",
    table(_LINES, "no_usdt_moves", "effect.lines"),
    title="move_done",
)
"""A move that was made."""

MOVING = sheet(f"{_MOVING} status money", table(_LINES, at="lines"), title="move_ahead")
"""A move that is about to be made."""


def _bulk(empty: str, title: str) -> Sheet:
    columns = "order_no side mode? cny_amount usdt_amount status refused?"
    totals = table("mode orders cny usdt", at="totals")
    return sheet(table(columns, empty, "orders"), totals, title=title)


BULK = _bulk("no_disputed_orders", "bulk_ending")
DISPUTED = _bulk("nothing_to_dispute", "bulk_disputing")
