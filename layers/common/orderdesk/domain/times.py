"""Units of time, and trading days: days in China (UTC+8, no daylight saving).

A time is Unix time, an integer: in seconds, or in microseconds (`_us`).
"""

from datetime import UTC, date, datetime

US_PER_SECOND = 1_000_000
US_PER_MS = MS_PER_SECOND = 1_000
SECONDS_PER_DAY = 86_400
DAY_OFFSET_SECONDS = 8 * 3600


def trading_day(seconds: int) -> int:
    """Return the number of the trading day of a time."""
    return (seconds + DAY_OFFSET_SECONDS) // SECONDS_PER_DAY


def date_in_china(seconds: int) -> date:
    """Return the date of the trading day of a time."""
    return datetime.fromtimestamp(seconds + DAY_OFFSET_SECONDS, UTC).date()
