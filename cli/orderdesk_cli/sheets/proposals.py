"""Proposals, which a second person decides (contract section 11)."""

from collections.abc import Sequence

from orderdesk_cli.sheets.sheet import Changes, Facts, Field, Kind, Sheet, sheet_of_items

_COMMON: Sequence[Field] = (
    Field("proposal_no", "proposal", "提案", Kind.PROPOSAL),
    Field("status", "status", "状态", Kind.WORD),
    Field("command", "command", "命令"),
    Field("summary", "summary", "内容"),
    Field("proposed_by", "proposed by", "提案人", Kind.PERSON),
    Field("expires_at", "expires", "到期", Kind.TIME, wide=True),
    Field("proposed_at", "proposed", "提案时间", Kind.TIME, wide=True),
    Field("decided_by", "decided by", "审批人", Kind.PERSON, wide=True),
    Field("decided_at", "decided", "审批时间", Kind.TIME, wide=True),
    Field("reason", "reason", "原因", wide=True),
)

PROPOSALS = sheet_of_items(_COMMON, ("No proposals.", "没有提案。"))

PROPOSAL = Sheet([Facts(_COMMON), Changes()], ("Proposal {proposal_no}", "提案 {proposal_no}"))
