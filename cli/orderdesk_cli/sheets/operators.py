"""What operators propose, decide, did, may do and have to repair; the rates and money they set."""

from orderdesk_cli.sheets.sheet import Changes
from orderdesk_cli.sheets.words import SAYS, items, sheet, table

ENTRY_COLUMNS = (
    "time:audit who action target alone? reason:audit details? proposal_no? source_ip? arn?"
)
NO_ENTRIES = "no_actions"
ENTRIES = items(ENTRY_COLUMNS, NO_ENTRIES)
"""The audit trail."""

RIGHTS = sheet("person items")

FINDINGS = items("level check says remedy", "nothing_found")
"""What doctor and preflight find."""

RATES = sheet(table("side rate:base source set_at", "no_rate_is_set", key="side"))

_TRANSFER = "merchant_id trader_id is_test amount:usdt"
TRANSFERRED = sheet(f"transfer_id {_TRANSFER} available held memo")
"""Money that came in from outside or went out."""

FORESEEN = sheet(f"summary {_TRANSFER} memo", title="about_to_do_command")
"""What a money command is about to do, before it is asked for."""

PROPOSALS = items(
    "proposal_no status summary proposed_by:list decided_by:list? proposed_at? expires_at? memo?",
    "no_proposals",
)
_SENT = "request_no network address txid sent_at"
WITHDRAWALS = items(
    "proposal_no status summary network? address? txid? request_no? proposed_by:list? memo?",
    "no_withdrawals",
)
"""Merchants' open requests, then proposals."""

SENT = sheet(f"proposal_no status summary {_SENT}")
_RESULTS = table("order_no status refused?", at="results", heading="results")
RESULTS = sheet(_RESULTS)
"""What became of each order of a list."""

PROPOSAL = sheet(
    "summary proposal_no status command target memo proposed_by proposed_at "
    "expires_at decided_by decided_at executed_at reason reveal_until request_no txid "
    "sent_at digest code.text:payment",
    Changes(),
    Changes("whole.before", "whole.after", SAYS["all_of_it"]),
    _RESULTS,
)
REVEALED = sheet("proposal_no command target secret reveal_until")

REPEATED = sheet("target:repeated audit_id")
"""The answer to a write that was done when an earlier answer was lost; it has no secret."""
