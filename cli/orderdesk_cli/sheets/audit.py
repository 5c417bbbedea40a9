"""The audit trail."""

from orderdesk_cli.sheets.sheet import Field, Kind, sheet_of_items

ENTRY_COLUMNS = (
    Field("time", "when", "时间", Kind.TIME),
    Field("who", "who", "操作人", Kind.PERSON),
    Field("action", "what", "操作", Kind.CODE),
    Field("target", "about", "对象", Kind.SUBJECT),
    Field("alone", "alone", "单人", Kind.FLAG, wide=True),
    Field("reason", "why", "原因"),
    Field("details", "details", "详情", Kind.ASIDE, wide=True),
    Field("proposal_no", "proposal", "提案", Kind.PROPOSAL, wide=True),
    Field("source_ip", "from", "来源", Kind.ASIDE, wide=True),
    Field("arn", "ARN", "ARN", wide=True),
)
NO_ENTRIES = ("No actions.", "没有操作记录。")

ENTRIES = sheet_of_items(ENTRY_COLUMNS, NO_ENTRIES)
