"""Times as operators read and write them: Beijing time, UTC+8 (contract section 9)."""

from datetime import datetime, timedelta, timezone

BEIJING = timezone(timedelta(hours=8))
ZONE = "+08:00"


def time_text(seconds: int) -> str:
    """Write Unix seconds with the zone: `2026-11-23 16:05:11 +08:00`."""
    return f"{datetime.fromtimestamp(seconds, BEIJING):%Y-%m-%d %H:%M:%S} {ZONE}"


def minute_text(seconds: int) -> str:
    """Write Unix seconds for a narrow column whose heading has the zone: `2026-11-23 16:05`."""
    return f"{datetime.fromtimestamp(seconds, BEIJING):%Y-%m-%d %H:%M}"
