"""Texts of others that are safe to show on a terminal, a page and in a spreadsheet."""

import unicodedata

SHOWN_INSTEAD = "\N{REPLACEMENT CHARACTER}"
_SEPARATORS = "\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"


def printable(text: str, *, kept: str = "") -> str:
    """Replace all control characters but those in `kept`."""
    return "".join(
        SHOWN_INSTEAD if is_control(letter) and letter not in kept else letter for letter in text
    )


def is_control(letter: str) -> bool:
    """Return whether a character is of Unicode's categories C, or separates lines."""
    return unicodedata.category(letter)[0] == "C" or letter in _SEPARATORS
