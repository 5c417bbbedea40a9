"""The error catalogue, the table of retries and what is deprecated, from docs/openapi.yaml."""

from typing import Any

from tools.site.reference import document, in_both_languages

WORDS = in_both_languages(
    {
        "means": ("Means", "含义"),
        "do": ("What to do", "处理办法"),
        "retry": ("Send it again?", "可否重试"),
        "never": ("no", "不可"),
        "changed": ("yes, corrected, with a new nonce", "修正后重试，换用新的 nonce"),
        "later": ("yes, the same, with a new nonce", "可以，参数不变，换用新的 nonce"),
        "look": ("query the order first", "先查询订单"),
        "nothing": ("Nothing is deprecated now.", "目前没有弃用的内容。"),
        "deprecated": ("Route and parameter", "接口与参数"),
        "code": ("Code", "错误码"),
        "reason": ("Reason", "标识"),
    }
)


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


def deprecated(language: str) -> str:
    """Return the table of what is deprecated, or that nothing is."""
    found: dict[str, dict[str, str]] = document()["x-deprecations"]
    if not found:
        return WORDS[language]["nothing"]
    rows = [
        f"| `{name}` | `{sent['Deprecation']}` | {sent['Sunset']} |" for name, sent in found.items()
    ]
    return "\n".join(
        [f"| {WORDS[language]['deprecated']} | Deprecation | Sunset |\n|---|---|---|", *rows]
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
