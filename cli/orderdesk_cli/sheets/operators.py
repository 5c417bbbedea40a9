"""What operators propose, decide, did, may do and have to repair; the rates and money they set."""

from orderdesk_cli.sheets.sheet import Changes, Sheet
from orderdesk_cli.sheets.words import facts, items, table

ENTRY_COLUMNS = (
    "time:audit who action target alone? reason:audit details? proposal_no? source_ip? arn?"
)
NO_ENTRIES = ("No actions.", "没有操作记录。")
ENTRIES = items(ENTRY_COLUMNS, NO_ENTRIES)
"""The audit trail."""

RIGHTS = Sheet([facts("person items")])

FINDINGS = items(
    "level check says remedy", ("Nothing is wrong, nothing is risky.", "未发现问题或风险。")
)
"""What doctor and preflight find."""

RATES = Sheet(
    [table("side rate:base source set_at", ("No rate is set.", "尚未设置汇率。"), key="side")]
)

_TRANSFER = "merchant_id trader_id is_test amount:usdt"
TRANSFERRED = Sheet([facts(f"transfer_id {_TRANSFER} available held memo")])
"""Money that came in from outside or went out."""

FORESEEN = Sheet(
    [facts(f"summary {_TRANSFER} memo")], ("About to do: {command}", "即将执行：{command}")
)
"""What a money command is about to do, before it is asked for."""

PROPOSALS = items(
    "proposal_no status summary proposed_by:list decided_by:list? proposed_at? expires_at? memo?",
    ("No proposals.", "没有提案。"),
)
_SENT = "request_no network address txid sent_at"
WITHDRAWALS = items(
    "proposal_no status summary network? address? txid? request_no? proposed_by:list? memo?",
    ("No withdrawals.", "没有提现。"),
)
"""Merchants' open requests, then proposals."""

SENT = Sheet([facts(f"proposal_no status summary {_SENT}")])
_RESULTS = table("order_no status refused?", at="results", heading=("Results", "执行结果"))
RESULTS = Sheet([_RESULTS])
"""What became of each order of a list."""

PROPOSAL = Sheet(
    [
        facts(
            "summary proposal_no status command target memo proposed_by proposed_at "
            "expires_at decided_by decided_at executed_at reason reveal_until request_no txid "
            "sent_at digest code.text:payment"
        ),
        Changes(),
        Changes("whole.before", "whole.after", ("All of it", "完整内容")),
        _RESULTS,
    ]
)
REVEALED = Sheet([facts("proposal_no command target secret reveal_until")])

REPEATED = Sheet([facts("target:repeated audit_id")])
"""The answer to a write that was done when an earlier answer was lost; it has no secret."""
