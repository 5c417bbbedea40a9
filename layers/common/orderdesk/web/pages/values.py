"""Amounts, times, durations and merchants in the pages' format."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.receipts.places import preview_key
from orderdesk.web.pages.headers import image_origin
from orderdesk.web.pages.shared_texts import SharedTexts

if TYPE_CHECKING:
    from orderdesk.domain.merchants.merchant import Merchant

# Payers and traders are in China, which has no summer time, so a fixed offset is enough.
_CHINA = timezone(timedelta(hours=8))
_MINUS = "\N{MINUS SIGN}"

# A mobile, a service number, a fixed line, or any number with its country's code.
_CONTACTS = re.compile(
    r"(?P<mail>(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?<![\w+-])(?P<phone>1[3-9]\d(?:[ -]?\d{4}){2}|[48]00(?:[ -]?\d{3,4}){2}"
    r"|0\d{2,3}[ -]?\d{7,8}|\+\d(?:[ -]?\d){6,14})(?![\w-])",
    re.ASCII,
)


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
class ContactPart:
    """A part of a support contact; `link` opens it if it is an address or a number, else ""."""

    text: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class MerchantView:
    """What payers see of a merchant: name, support contact, its order number, return URL, and logo.

    Each text may be "". `logo` is the signed address of a picture.
    """

    name: str = ""
    support: str = ""
    return_url: str | None = field(default=None, repr=False)
    merchant_order_no: str = ""
    logo: str = field(default="", repr=False)

    @property
    def image_origins(self) -> tuple[str, ...]:
        """The origin of the logo, if there is one."""
        return tuple(filter(None, (image_origin(self.logo),)))

    @property
    def initial(self) -> str:
        """The letter of the merchant's mark."""
        return self.name[:1].upper()

    @property
    def contact(self) -> tuple[ContactPart, ...]:
        """The support contact, with links to its mail addresses and phone numbers."""
        return tuple(_contact_parts(self.support))


def _contact_parts(text: str) -> Iterator[ContactPart]:
    end = 0
    for found in _CONTACTS.finditer(text):
        if found.start() > end:
            yield ContactPart(text[end : found.start()])
        if mail := found["mail"]:
            yield ContactPart(mail, f"mailto:{mail}")
        else:
            yield ContactPart(found[0], f"tel:{re.sub(r'[ -]', '', found[0])}")
        end = found.end()
    if end < len(text):
        yield ContactPart(text[end:])


def merchant_view(
    merchant: "Merchant | None",
    return_url: str | None,
    merchant_order_no: str,
    sign: Callable[[str], str],
) -> MerchantView:
    """Return what payers see of the merchant of an order or draft.

    `sign` returns the address of a stored picture.
    """
    if merchant is None:
        return MerchantView(return_url=return_url, merchant_order_no=merchant_order_no)
    terms = merchant.terms
    logo = sign(preview_key(terms.logo)) if terms.logo else ""
    return MerchantView(terms.display_name, terms.support, return_url, merchant_order_no, logo)


def amount_of(fen: int) -> Amount:
    """Return the parts of an amount in fen."""
    plain = format_cny(fen)
    whole, _, decimals = plain.partition(".")
    return Amount(f"{int(whole):,}", f".{decimals}", plain)


def yuan_of(fen: int) -> str:
    """Format fen as yuan with thousands separators."""
    amount = amount_of(fen)
    return f"{amount.whole}{amount.fen}"


def money_of(fen: int) -> str:
    """Format fen as CNY with a sign and thousands separators."""
    return f"¥{yuan_of(fen)}"


def usdt_of(micro: int) -> str:
    """Format micro-USDT as USDT with thousands separators, without a sign."""
    whole, _, decimals = format_usdt(abs(micro)).partition(".")
    return f"{int(whole):,}.{decimals}"


def signed_usdt(micro: int) -> str:
    """Format micro-USDT as USDT with thousands separators and a sign."""
    return f"{'+' if micro >= 0 else _MINUS}{usdt_of(micro)}"


def indented(text: str) -> str:
    """Return JSON with line ends and indentation. Raises: ValueError."""
    return json.dumps(json.loads(text), ensure_ascii=False, indent=2)


def moment_of(seconds: int, texts: SharedTexts) -> Moment:
    """Return a time (Unix seconds) in the language of the texts."""
    local = datetime.fromtimestamp(seconds, _CHINA)
    return Moment(f"{local.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", texts.date.format(t=local))


def china_time(seconds: int) -> str:
    """Format a time (Unix seconds) as China's date and time of day, which sort as text."""
    return f"{datetime.fromtimestamp(seconds, _CHINA):%Y-%m-%d %H:%M:%S}"


def china_day(seconds: int) -> str:
    """Format a time (Unix seconds) as China's date."""
    return china_time(seconds)[:10]


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
