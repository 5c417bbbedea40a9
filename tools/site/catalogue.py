"""The error catalogue and the table of retries, from the codes in docs/openapi.yaml."""

from collections.abc import Mapping
from typing import Any

from tools.site.reference import document

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "means": "Means",
        "do": "What to do",
        "retry": "Send it again?",
        "never": "no",
        "changed": "yes, corrected, with a new nonce",
        "later": "yes, the same, with a new nonce",
        "look": "query the order first",
        "code": "Code",
        "reason": "Reason",
    },
    "zh": {
        "means": "含义",
        "do": "处理办法",
        "retry": "可否重试",
        "never": "不可",
        "changed": "修正后重试，换用新的 nonce",
        "later": "可以，参数不变，换用新的 nonce",
        "look": "先查询订单",
        "code": "错误码",
        "reason": "标识",
    },
}


def _codes() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document()["x-codes"]
    return found


def errors(language: str) -> str:
    """Return a section for each code."""
    words = WORDS[language]
    return "\n\n".join(
        f"## {each['code']} {each['reason']} {{#{each['reason']}}}\n\n"
        f"HTTP {', '.join(map(str, each['http']))} · `msg`: {each['msg'][language]}\n\n"
        f"**{words['means']}:** {each[language]['means']}\n\n"
        f"**{words['do']}:** {each[language]['do']}\n\n"
        f"**{words['retry']}** {words[each['retry']]}"
        for each in _codes()
    )


def retries(language: str) -> str:
    """Return the table of codes with whether and how to retry."""
    words = WORDS[language]
    head = f"| {words['code']} | HTTP | {words['reason']} | {words['retry']} |\n|---|---|---|---|"
    rows = [
        f"| {each['code']} | {', '.join(map(str, each['http']))} "
        f"| [{each['reason']}](errors.md#{each['reason']}) | {words[each['retry']]} |"
        for each in _codes()
    ]
    return "\n".join([head, *rows])
