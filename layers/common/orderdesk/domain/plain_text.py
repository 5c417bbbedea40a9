"""What of a text may be shown: no control character and no bidirectional control.

Such characters move a terminal's cursor, run its commands, or reverse what is read. A merchant's
endpoint, an order's remark or a trader's name could hold them.
"""

import unicodedata

SHOWN_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def printable(text: str, *, kept: str = "") -> str:
    """Replace each character of Unicode's categories C (control, format, …) but those `kept`."""
    return "".join(
        SHOWN_INSTEAD if is_control(letter) and letter not in kept else letter for letter in text
    )


def is_control(letter: str) -> bool:
    """Tell whether a character is of Unicode's categories C."""
    return unicodedata.category(letter)[0] == "C"
