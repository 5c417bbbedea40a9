"""Words and openings that the style guide in CONTRIBUTING.md does not use."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.support.programs import printed

ROOT = Path(__file__).parents[2]
CHECKED = (".py", ".md", ".yaml", ".yml", ".html", ".js", ".css", ".toml", "Makefile", ".sh")
# Generated, and this list.
LEFT_OUT = ("docs/openapi.yaml", "tests/house/test_words.py")
GUIDE = re.compile(r"^## Plain English\n.*?(?=^## )", re.MULTILINE | re.DOTALL)

UNUSED = {
    "an opening that is not plain": r'"""(?:Give|Tell|Let|Say|Take|Put|Hold|Bring|Lead|Come)s?\b',
    "fix": r"\bmend(?:s|ed|ing)?\b",
    "receive, be notified": r"\b(?:is|are|was|were|be|been|being) told\b",
    "return, show, report": r"\btells?\b",
    "return, have": r"\bgives\b",
    "by default, initially": r"\bat first\b",
    "delay, postpone": r"\b(?:put|puts|putting) off\b",
    "nothing changed": r"\b(?:is|are) no news\b",
    "layer": r"(?<![.\w])floors?\b(?! of )",
    "is, exists": r"\bstands\b",
    "route, login": r"\bdoors?\b",
    "whatever the case": r"\bwhoever\b",
    "permanently": r"\bfor ever\b",
    "move to the dead letters": r"\b(?:bury|buries|buried)\b",
    "by default": r"\bunasked\b",
    "redirect to": r"\bleads? (?:a|the|to the) (?:browser|trader|payer|order|page)\b",
    "our rules": r"\brules of the house\b",
    "refused": r"\bin vain\b",
}


@pytest.mark.parametrize(("plain", "pattern"), UNUSED.items())
def test_the_word_is_not_used(plain: str, pattern: str) -> None:
    unused = re.compile(pattern, re.IGNORECASE)
    found = [
        f"{name}:{number}: {line.strip()[:120]}"
        for name in checked_files()
        for number, line in enumerate(prose(name).split("\n"), 1)
        if unused.search(line)
    ]

    assert not found, f"write {plain!r} instead:\n" + "\n".join(found)


@cache
def checked_files() -> list[str]:
    """Return the tracked files with our own prose."""
    return [
        name
        for name in printed("git", "ls-files").splitlines()
        if name.endswith(CHECKED) and name not in LEFT_OUT
    ]


@cache
def prose(name: str) -> str:
    """Return a file's text; of CONTRIBUTING.md without the guide, which quotes these words."""
    text = (ROOT / name).read_text()
    return GUIDE.sub("", text) if name == "CONTRIBUTING.md" else text
