"""What operators propose, decide, did, may do and have to repair; the rates and money they set."""

from orderdesk_cli.sheets.sheet import Changes, Facts, Sheet, Table, sheet_of_items
from orderdesk_cli.sheets.words import fields

ENTRY_COLUMNS = fields(
    "time:audit who action target alone? reason:audit details? proposal_no? source_ip? arn?"
)
NO_ENTRIES = ("No actions.", "没有操作记录。")
ENTRIES = sheet_of_items(ENTRY_COLUMNS, NO_ENTRIES)
"""The audit trail."""

RIGHTS = Sheet([Facts(fields("person items"))])

FINDINGS = sheet_of_items(
    fields("level check says remedy"),
    ("Nothing is wrong, nothing is risky.", "未发现问题或风险。"),
)
"""What doctor and preflight find."""

RATES = Sheet(
    [
        Table(
            fields("side rate:base source set_at"),
            ("No rate is set.", "尚未设置汇率。"),
            key="side",
        )
    ]
)

_TRANSFER = "merchant_id trader_id is_test amount:usdt"
TRANSFERRED = Sheet([Facts(fields(f"transfer_id {_TRANSFER} available held memo"))])
"""Money that came in from outside or went out."""

FORESEEN = Sheet(
    [Facts(fields(f"summary {_TRANSFER} memo"))], ("About to do: {command}", "即将执行：{command}")
)
"""What a money command is about to do, before it is asked for."""

PROPOSALS = sheet_of_items(
    fields(
        "proposal_no status summary proposed_by:list decided_by:list? proposed_at? expires_at? "
        "memo?"
    ),
    ("No proposals.", "没有提案。"),
)
_SENT = "request_no network address txid sent_at"
WITHDRAWALS = sheet_of_items(
    fields(
        "proposal_no status summary network? address? txid? request_no? proposed_by:list? memo?"
    ),
    ("No withdrawals.", "没有提现。"),
)
"""Merchants' open requests, then proposals."""

SENT = Sheet([Facts(fields(f"proposal_no status summary {_SENT}"))])
_RESULTS = Table(fields("order_no status refused?"), at="results", heading=("Results", "执行结果"))
RESULTS = Sheet([_RESULTS])
"""What became of each order of a list."""

PROPOSAL = Sheet(
    [
        Facts(
            fields(
                "summary proposal_no status command target memo proposed_by proposed_at "
                "expires_at decided_by decided_at executed_at reason reveal_until request_no txid "
                "sent_at digest code.text:payment"
            )
        ),
        Changes(),
        Changes("whole.before", "whole.after", ("All of it", "完整内容")),
        _RESULTS,
    ]
)
REVEALED = Sheet([Facts(fields("proposal_no command target secret reveal_until"))])

REPEATED = Sheet([Facts(fields("target:repeated audit_id"))])
"""The answer to a write that was done when an earlier answer was lost; it has no secret."""
