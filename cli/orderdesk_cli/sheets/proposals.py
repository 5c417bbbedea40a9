"""Proposals, which a second person decides (contract section 11)."""

from orderdesk_cli.sheets.sheet import Changes, Facts, Field, Kind, Sheet, sheet_of_items

_NO = Field("proposal_no", "proposal", "提案", Kind.PROPOSAL)

PROPOSALS = sheet_of_items(
    [
        _NO,
        Field("status", "status", "状态", Kind.WORD),
        Field("summary", "summary", "内容"),
        Field("proposed_by", "proposed by", "提案人"),
        Field("decided_by", "decided by", "审批人", wide=True),
        Field("proposed_at", "proposed", "提案时间", Kind.TIME, wide=True),
        Field("expires_at", "expires", "到期", Kind.TIME, wide=True),
        Field("memo", "memo", "备注", wide=True),
    ],
    ("No proposals.", "没有提案。"),
)

PROPOSAL = Sheet(
    [
        Facts(
            [
                _NO,
                Field("status", "status", "状态", Kind.WORD),
                Field("command", "command", "命令", Kind.CODE),
                Field("target", "about", "对象", Kind.SUBJECT),
                Field("summary", "summary", "内容"),
                Field("memo", "memo", "备注"),
                Field("proposed_by", "proposed by", "提案人", Kind.PERSON),
                Field("proposed_at", "proposed", "提案时间", Kind.TIME),
                Field("expires_at", "expires", "到期", Kind.TIME),
                Field("decided_by", "decided by", "审批人", Kind.PERSON),
                Field("decided_at", "decided", "审批时间", Kind.TIME),
                Field("reason", "reason", "原因"),
                Field("reveal_until", "its secret can be read until", "密钥可读取至", Kind.TIME),
            ]
        ),
        Changes(),
    ]
)

REVEALED = Sheet(
    [
        Facts(
            [
                _NO,
                Field("command", "command", "命令", Kind.CODE),
                Field("target", "about", "对象", Kind.SUBJECT),
                Field("secret", "secret", "密钥", Kind.CODE),
                Field("reveal_until", "can be read until", "可读取至", Kind.TIME),
            ]
        )
    ]
)

REPEATED = Sheet(
    [
        Facts(
            [
                Field("target", "done before, about", "此前已执行，对象", Kind.SUBJECT),
                Field("audit_id", "audit entry", "审计记录", Kind.CODE),
            ]
        )
    ]
)
"""The answer to a write that was done when an earlier answer was lost; it has no secret."""
