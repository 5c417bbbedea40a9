"""Amounts, times and durations as the pages write them."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.web.pages.texts import SharedTexts

# Payers pay in China; its clock has no summer time, so no time zone data is needed.
_CHINA = timezone(timedelta(hours=8))


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in yuan: as it is shown, the fen apart, and as it is copied."""

    whole: str
    fen: str
    plain: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A time for machines and for people."""

    iso: str
    text: str


def amount_of(fen: int) -> Amount:
    """Take an amount apart."""
    plain = format_cny(fen)
    whole, _, decimals = plain.partition(".")
    return Amount(f"{int(whole):,}", f".{decimals}", plain)


def usdt_of(micro: int) -> str:
    """Write USDT with its thousands apart; the sign is the caller's."""
    whole, _, decimals = format_usdt(abs(micro)).partition(".")
    return f"{int(whole):,}.{decimals}"


def moment_of(seconds: int, texts: SharedTexts) -> Moment:
    """Write a time (Unix seconds) in a language."""
    local = datetime.fromtimestamp(seconds, _CHINA)
    return Moment(f"{local.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", texts.date.format(t=local))


def time_of_day(seconds: int) -> str:
    """Write the China time of day of a time (Unix seconds)."""
    return f"{datetime.fromtimestamp(seconds, _CHINA):%H:%M}"


def clock(seconds: int) -> str:
    """Write a duration as m:ss, or h:mm:ss from an hour on."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes_left = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes_left:02d}:{rest:02d}"
    return f"{minutes:02d}:{rest:02d}"
