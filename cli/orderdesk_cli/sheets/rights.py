"""What the caller may call."""

from orderdesk_cli.sheets.sheet import Facts, Field, Kind, Sheet

RIGHTS = Sheet(
    [
        Facts(
            [
                Field("person", "you are", "您是", Kind.PERSON),
                Field("items", "you may call", "可用命令"),
            ]
        )
    ]
)
