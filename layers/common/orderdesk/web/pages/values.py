"""Amounts, times and durations in the pages' format."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.web.pages.texts import SharedTexts

# Payers pay in China. China has no summer time, so a fixed offset is enough.
_CHINA = timezone(timedelta(hours=8))


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in yuan: shown (`whole` and `fen`), and to copy (`plain`)."""

    whole: str
    fen: str
    plain: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A time in ISO 8601 for machines, and as text for people."""

    iso: str
    text: str


def amount_of(fen: int) -> Amount:
    """Give an amount of fen in parts."""
    plain = format_cny(fen)
    whole, _, decimals = plain.partition(".")
    return Amount(f"{int(whole):,}", f".{decimals}", plain)


def usdt_of(micro: int) -> str:
    """Write micro-USDT as USDT with thousands separators, without a sign."""
    whole, _, decimals = format_usdt(abs(micro)).partition(".")
    return f"{int(whole):,}.{decimals}"


def moment_of(seconds: int, texts: SharedTexts) -> Moment:
    """Write a time (Unix seconds) in a language."""
    local = datetime.fromtimestamp(seconds, _CHINA)
    return Moment(f"{local.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", texts.date.format(t=local))


def china_time(seconds: int) -> str:
    """Write a time (Unix seconds) as China's date and time of day, which sort as text."""
    return f"{datetime.fromtimestamp(seconds, _CHINA):%Y-%m-%d %H:%M:%S}"


def time_of_day(seconds: int) -> str:
    """Write the China time of day of a time (Unix seconds)."""
    return f"{datetime.fromtimestamp(seconds, _CHINA):%H:%M}"


def clock(seconds: int) -> str:
    """Write a duration in seconds as mm:ss, or as h:mm:ss from one hour on."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes_left = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes_left:02d}:{rest:02d}"
    return f"{minutes:02d}:{rest:02d}"
