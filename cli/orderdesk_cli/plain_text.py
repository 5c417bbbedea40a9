"""Texts of others that are safe to show on a terminal, a page and in a spreadsheet."""

import unicodedata

SHOWN_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def printable(text: str, *, kept: str = "") -> str:
    """Replace all characters of Unicode's categories C (control, format, …) but those in `kept`."""
    return "".join(
        SHOWN_INSTEAD if is_control(letter) and letter not in kept else letter for letter in text
    )


def is_control(letter: str) -> bool:
    """Return whether a character is of Unicode's categories C."""
    return unicodedata.category(letter)[0] == "C"
