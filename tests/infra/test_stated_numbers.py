"""A page of the site states the same numbers in both languages, and names only codes that exist.

Not covered: numbers in code, in words ("ten minutes") and in the generated parts.
"""

import re
from typing import Final

import pytest

from tests.infra.markdown import read_document
from tests.support.openapi import document
from tests.support.template import ROOT

# The units' words in both languages.
WORDS: Final = {
    **dict.fromkeys(("s", "second", "seconds", "秒"), "s"),
    **dict.fromkeys(("min", "minute", "minutes", "分钟"), "min"),
    **dict.fromkeys(("h", "hour", "hours", "小时"), "h"),
    **dict.fromkeys(("day", "days", "天"), "d"),
    **{word: word for word in ("KiB", "MB", "%")},
}
LEFT_OUT: Final = re.compile(
    r"\A---\n.*?\n---\n|^( *)```.*?^\1```|<(script|svg|textarea)\b.*?</\2>|<[^>]*>"  # not prose
    r"|`[^`\n]*`|(?<=\])\([^)]*\)|(?<=\]): \S+|https?://\S+|\{#[^}]*\}"  # code and addresses
    r"|\bsections?\s\d+(?:(?:,| and| to) \d+)*|^\s*\d+\. |^#+ \d+\. |^Sections: [^\n]*(?:\n[^\n]+)*"
    r"|UTF-\d+|RFC \d+|GB \d+|\dxx\b",  # places in a document, and names
    re.DOTALL | re.MULTILINE,
)
_UNIT = "|".join(sorted(WORDS, reverse=True))
NUMBER: Final = re.compile(
    rf"(?<![\w.])(\d+(?:,\d{{3}})*(?:\.\d+)*)(?![\w^])(?:\s?({_UNIT})(?![a-z]))?"
)
SITE = [path.name for path in (ROOT / "docs" / "site" / "en").glob("*.md")]


def stated(text: str) -> set[str]:
    """Return the numbers of a document with their units."""
    found = NUMBER.findall(LEFT_OUT.sub(" ", text))
    return {number.replace(",", "") + WORDS.get(word, "") for number, word in found}


@pytest.mark.parametrize("name", SITE)
def test_a_translation_states_the_same_numbers(name: str) -> None:
    english, chinese = (read_document(f"docs/site/{tag}/{name}") for tag in ("en", "zh"))
    assert stated(chinese) == stated(english)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_code_that_the_site_names_exists(language: str) -> None:
    known = {str(each["code"]) for each in document()["x-codes"]}
    for name in SITE:
        text = read_document(f"docs/site/{language}/{name}")
        assert set(re.findall(r"`([1-5]\d{3})`", text)) <= known, name


def test_what_counts_as_a_number() -> None:
    text = "Within 10 s, 2 小时 or 90 days; 64 KiB, 5,000 and 0.60 %; `7`, 2xx, section 4, v1, 3."
    assert stated(text) == {"10s", "2h", "90d", "64KiB", "5000", "0.60%", "3"}
