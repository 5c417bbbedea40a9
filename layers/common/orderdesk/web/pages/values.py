"""Amounts, times, durations and merchants in the pages' format."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone

from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.web.pages.texts import SharedTexts

# Payers and traders are in China, which has no summer time, so a fixed offset is enough.
_CHINA = timezone(timedelta(hours=8))


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in yuan: `whole` and `fen` are shown, `plain` is copied."""

    whole: str
    fen: str
    plain: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A time in ISO 8601, and as the text that is shown."""

    iso: str
    text: str


@dataclass(frozen=True, slots=True)
class MerchantView:
    """What payers see of a merchant: name, support contact (each may be ""), and return URL."""

    name: str = ""
    support: str = ""
    return_url: str | None = field(default=None, repr=False)


def merchant_view(merchant: Merchant | None, return_url: str | None) -> MerchantView:
    """Return what payers see of the merchant of an order or draft."""
    if merchant is None:
        return MerchantView(return_url=return_url)
    return MerchantView(merchant.terms.display_name, merchant.terms.support, return_url)


def amount_of(fen: int) -> Amount:
    """Return the parts of an amount in fen."""
    plain = format_cny(fen)
    whole, _, decimals = plain.partition(".")
    return Amount(f"{int(whole):,}", f".{decimals}", plain)


def usdt_of(micro: int) -> str:
    """Format micro-USDT as USDT with thousands separators, without a sign."""
    whole, _, decimals = format_usdt(abs(micro)).partition(".")
    return f"{int(whole):,}.{decimals}"


def moment_of(seconds: int, texts: SharedTexts) -> Moment:
    """Return a time (Unix seconds) in the language of the texts."""
    local = datetime.fromtimestamp(seconds, _CHINA)
    return Moment(f"{local.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", texts.date.format(t=local))


def china_time(seconds: int) -> str:
    """Format a time (Unix seconds) as China's date and time of day, which sort as text."""
    return f"{datetime.fromtimestamp(seconds, _CHINA):%Y-%m-%d %H:%M:%S}"


def start_of_day(day: date) -> int:
    """Return the time (Unix seconds) at which a day begins in China."""
    return int(datetime(day.year, day.month, day.day, tzinfo=_CHINA).timestamp())


def time_of_day(seconds: int) -> str:
    """Format a time (Unix seconds) as China's time of day."""
    return f"{datetime.fromtimestamp(seconds, _CHINA):%H:%M}"


def clock(seconds: int) -> str:
    """Format a duration in seconds as mm:ss, or as h:mm:ss from one hour on."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes_left = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes_left:02d}:{rest:02d}"
    return f"{minutes:02d}:{rest:02d}"
