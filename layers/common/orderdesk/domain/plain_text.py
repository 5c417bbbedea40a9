"""Texts that are safe to show: no control characters and no bidirectional controls.

Such characters move a terminal's cursor, run its commands, or reverse the visible text. A
merchant's endpoint, an order's remark or a trader's name could contain them.
"""

import unicodedata

from orderdesk.domain.errors import FieldProblem

NAME_LENGTH_MAX = 64
REMARK_LENGTH_MAX = 255
SHOWN_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def printable(text: str, *, kept: str = "") -> str:
    """Replace all characters of Unicode's categories C (control, format, …) but those in `kept`."""
    return "".join(
        SHOWN_INSTEAD if is_control(letter) and letter not in kept else letter for letter in text
    )


def is_control(letter: str) -> bool:
    """Return whether a character is of Unicode's categories C."""
    return unicodedata.category(letter)[0] == "C"


def text_problems(field: str, text: str, length_max: int = REMARK_LENGTH_MAX) -> list[FieldProblem]:
    """List what is wrong with a text that may be empty; lengths are in characters."""
    problems = []
    if len(text) > length_max:
        problems.append(FieldProblem(field, f"at most {length_max} characters"))
    # Includes format characters, surrogates (bytes that were not UTF-8) and unassigned ones.
    if any(is_control(letter) for letter in text):
        problems.append(FieldProblem(field, "must not hold control characters"))
    return problems
