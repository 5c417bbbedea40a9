"""What doctor and preflight find."""

from orderdesk_cli.sheets.sheet import Field, Kind, sheet_of_items

FINDINGS = sheet_of_items(
    [
        Field("level", "", "", Kind.WORD),
        Field("check", "check", "检查项", Kind.CODE),
        Field("says", "found", "发现"),
        Field("remedy", "what to do", "处理办法"),
    ],
    ("Nothing is wrong, nothing is risky.", "未发现问题或风险。"),
)
