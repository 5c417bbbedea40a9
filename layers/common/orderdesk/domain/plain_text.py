"""What of a text may be shown: no control character and no bidirectional control.

Such characters move a terminal's cursor, run its commands, or reverse what is read. A merchant's
endpoint, an order's remark or a trader's name could hold them.
"""

import unicodedata

from orderdesk.domain.errors import FieldProblem

REMARK_LENGTH_MAX = 255
SHOWN_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def printable(text: str, *, kept: str = "") -> str:
    """Replace each character of Unicode's categories C (control, format, …) but those `kept`."""
    return "".join(
        SHOWN_INSTEAD if is_control(letter) and letter not in kept else letter for letter in text
    )


def is_control(letter: str) -> bool:
    """Tell whether a character is of Unicode's categories C."""
    return unicodedata.category(letter)[0] == "C"


def text_problems(field: str, text: str, length_max: int = REMARK_LENGTH_MAX) -> list[FieldProblem]:
    """List what is wrong with a text that may be empty; lengths count characters."""
    problems = []
    if len(text) > length_max:
        problems.append(FieldProblem(field, f"at most {length_max} characters"))
    # Also format characters, surrogates (bytes that were not UTF-8) and unassigned ones.
    if any(is_control(letter) for letter in text):
        problems.append(FieldProblem(field, "must not hold control characters"))
    return problems
