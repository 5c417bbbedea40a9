"""Texts of others, safe to show anywhere, and times as operators read and write them.

Those are Beijing time, UTC+8 (contract section 9).
"""

import unicodedata
from datetime import datetime, timedelta, timezone

BEIJING = timezone(timedelta(hours=8))
ZONE = "+08:00"
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


def time_text(seconds: int) -> str:
    """Write Unix seconds with the zone: `2026-11-23 16:05:11 +08:00`."""
    return f"{datetime.fromtimestamp(seconds, BEIJING):%Y-%m-%d %H:%M:%S} {ZONE}"


def minute_text(seconds: int) -> str:
    """Write Unix seconds for a narrow column whose heading has the zone: `2026-11-23 16:05`."""
    return f"{datetime.fromtimestamp(seconds, BEIJING):%Y-%m-%d %H:%M}"
