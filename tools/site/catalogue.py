"""The error catalogue, the table of retries and what is deprecated, from docs/openapi.yaml."""

from tools.site.reference import document, words

WORDS = words("errors")


def errors(language: str) -> str:
    """Return a section for each code."""
    said = WORDS[language]
    return "\n\n".join(
        f"## {each['code']} {each['reason']} {{#{each['reason']}}}\n\n"
        f"HTTP {', '.join(map(str, each['http']))} · `msg`: {each['msg'][language]}\n\n"
        f"**{said['means']}:** {each[language]['means']}\n\n"
        f"**{said['do']}:** {each[language]['do']}\n\n"
        f"**{said['retry']}** {said[each['retry']]}"
        for each in document()["x-codes"]
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
    said = WORDS[language]
    head = f"| {said['code']} | HTTP | {said['reason']} | {said['retry']} |\n|---|---|---|---|"
    rows = [
        f"| {each['code']} | {', '.join(map(str, each['http']))} "
        f"| [{each['reason']}](errors.md#{each['reason']}) | {said[each['retry']]} |"
        for each in document()["x-codes"]
    ]
    return "\n".join([head, *rows])
