"""Units of time. A time is Unix time, an integer: in seconds, or in microseconds (`_us`)."""

US_PER_SECOND = 1_000_000
SECONDS_PER_DAY = 86_400
