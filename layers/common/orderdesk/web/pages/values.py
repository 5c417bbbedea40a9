"""Amounts, times, merchants, receiving methods and pictures in the pages' format."""

import base64
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import groupby
from typing import TYPE_CHECKING, assert_never
from urllib.parse import quote, urlsplit

from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.payment_methods import MethodType, PaymentMethod, is_code_text
from orderdesk.domain.plain_text import ascii_host
from orderdesk.domain.receipts.files import ReceiptType
from orderdesk.domain.receipts.places import preview_key
from orderdesk.web.pages.shared_texts import SharedTexts

if TYPE_CHECKING:
    from orderdesk.domain.merchants.merchant import Merchant
    from orderdesk.domain.orders.order import Receipt

# Payers and traders are in China, which has no summer time, so a fixed offset is enough.
_CHINA = timezone(timedelta(hours=8))
_MINUS = "\N{MINUS SIGN}"

DRAWN_ORIGIN = "data:"
"""The origin of drawn codes, for the policy of a page."""

_CARD_GROUP = 4
_QUIET_ZONE = 4
_ALIPAY_CODES = "qr.alipay.com"
# Alipay's scanner, which opens the code as if it had been scanned.
_ALIPAY_SCANNER = "alipays://platformapi/startapp?saId=10000007&qrcode="
_PIXELS_PER_MODULE = 10
_ORIGIN_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")

# A mobile, a service number, a fixed line, or any number with its country's code.
_CONTACTS = re.compile(
    r"(?P<mail>(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?<![\w+-])(?P<phone>1[3-9]\d(?:[ -]?\d{4}){2}|[48]00(?:[ -]?\d{3,4}){2}"
    r"|0\d{2,3}[ -]?\d{7,8}|\+\d(?:[ -]?\d){6,14})(?![\w-])",
    re.ASCII,
)


def image_origin(url: str) -> str | None:
    """Return the origin of an image's address for the policy; None if it is not acceptable.

    Traders and merchants enter these addresses, so the header may get only a host and a port.
    """
    try:
        parts = urlsplit(url)
        host, port = ascii_host(parts.hostname or ""), parts.port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or "@" in parts.netloc:
        return None
    if _ORIGIN_HOST.fullmatch(host) is None:
        return None
    return f"{parts.scheme}://{host}" + ("" if port is None else f":{port}")


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


@dataclass(frozen=True, slots=True)
class Detail:
    """A detail of a receiving method; its button copies `copied` to the clipboard."""

    name: str
    label: str
    shown: str = field(repr=False)
    copied: str = field(repr=False)


def code_picture(text: str) -> bytes:
    """Draw a payment code; return its PNG, because phones cannot save inline SVG."""
    # Imported with the first code that is drawn, so that a cold start without one does not wait.
    import segno  # noqa: PLC0415

    picture = io.BytesIO()
    code = segno.make(text, error="m", micro=False, boost_error=False)
    code.save(picture, kind="png", scale=_PIXELS_PER_MODULE, border=_QUIET_ZONE)
    return picture.getvalue()


def code_address(text: str) -> str:
    """Return the address of a drawn payment code, which contains the picture."""
    return f"{DRAWN_ORIGIN}image/png;base64,{base64.b64encode(code_picture(text)).decode('ascii')}"


def app_link(method: PaymentMethod, code: str) -> str | None:
    """Return the link that opens a payment code in its wallet's app; None if there is none."""
    match method.method_type:
        case MethodType.ALIPAY:
            is_own = is_code_text(code) and urlsplit(code).hostname == _ALIPAY_CODES
            return f"{_ALIPAY_SCANNER}{quote(code, safe='')}" if is_own else None
        case MethodType.BANK | MethodType.WECHAT:
            return None


def code_path(text: str) -> tuple[int, str]:
    """Return a code as a square's side and a path of horizontal lines, in modules."""
    import segno  # noqa: PLC0415 - see code_picture

    rows = list(segno.make(text, error="l", micro=False).matrix_iter(border=_QUIET_ZONE))
    path = []
    for y, row in enumerate(rows):
        for is_dark, run in groupby(enumerate(row), key=lambda module: module[1]):
            modules = [x for x, _ in run]
            if is_dark:
                path.append(f"M{modules[0]} {y}h{len(modules)}")
    return len(rows), "".join(path)


def payee_of(method: PaymentMethod, texts: SharedTexts) -> str:
    """Return the payee and what distinguishes the account: a card's end, or the wallet."""
    match method.method_type:
        case MethodType.BANK:
            end = method.card_number[-_CARD_GROUP:]
            return texts.payee_of_card.format(name=method.real_name, end=end)
        case MethodType.WECHAT | MethodType.ALIPAY:
            wallet = texts.methods[method.method_type]
            return texts.payee_of_wallet.format(name=method.real_name, wallet=wallet)


def details_of(method: PaymentMethod, texts: SharedTexts) -> tuple[Detail, ...]:
    """Return the details that are needed to pay by a method, without empty ones."""
    return tuple(detail for detail in _details(method, texts) if detail.shown)


def receiver_of(method: PaymentMethod, texts: SharedTexts) -> str:
    """Return the receiver of a payment; a card is masked except for its last four digits."""
    match method.method_type:
        case MethodType.BANK:
            return f"{method.bank} ****{method.card_number[-_CARD_GROUP:]}"
        case MethodType.WECHAT | MethodType.ALIPAY:
            return f"{texts.methods[method.method_type]} · {method.real_name}"


def account_of(method: PaymentMethod, texts: SharedTexts) -> str:
    """Return an account in a form that its user recognises, masked except for its end."""
    receiver = receiver_of(method, texts)
    match method.method_type:
        case MethodType.BANK:
            return receiver
        case MethodType.WECHAT | MethodType.ALIPAY:
            hidden = "*" * min(max(len(method.account) - _CARD_GROUP, 0), _CARD_GROUP)
            return f"{receiver} {hidden}{method.account[-_CARD_GROUP:]}".rstrip()


def line_of(method: PaymentMethod, texts: SharedTexts) -> str:
    """Return all of a method in one line."""
    match method.method_type:
        case MethodType.BANK:
            return method.full_info
        case MethodType.WECHAT | MethodType.ALIPAY:
            return f"{texts.methods[method.method_type]} {method.real_name} {method.account}"


def grouped_card(number: str) -> str:
    """Format a card number in groups of four digits."""
    starts = range(0, len(number), _CARD_GROUP)
    return " ".join(number[start : start + _CARD_GROUP] for start in starts)


def _details(method: PaymentMethod, texts: SharedTexts) -> Iterator[Detail]:
    match method.method_type:
        case MethodType.BANK:
            card = method.card_number
            yield Detail("card_number", texts.card_number, grouped_card(card), card)
            yield Detail("payee", texts.payee, method.real_name, method.real_name)
            yield Detail("bank", texts.bank, method.bank, method.bank)
            yield Detail("branch", texts.branch, method.sub_bank, method.sub_bank)
        case MethodType.WECHAT | MethodType.ALIPAY:
            yield Detail("account", texts.account, method.account, method.account)
            yield Detail("payee", texts.payee, method.real_name, method.real_name)
        case _:
            assert_never(method.method_type)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that somebody sent; `preview` is a small one, `link` opens the first page.

    `more` are the texts and links of further pages.

    `direct` is the signed address of the first page, if the page's script may open it; it saves the
    request for `link`.
    """

    label: str
    link: str = field(repr=False)
    preview: str = field(repr=False)
    more: tuple[tuple[str, str], ...] = field(repr=False)
    direct: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class PictureTexts:
    """The labels of a picture, a PDF and a further page; `{number}` and `{page}` are replaced."""

    picture: str
    document: str
    page: str


def picture_of(
    receipt: "Receipt",
    number: int,
    preview: str,
    texts: PictureTexts,
    link: Callable[[int], str],
    *,
    direct: str = "",
) -> Picture:
    """Return the picture of a receipt; `link` returns the address of a page, counted from 1."""
    label = texts.document if receipt.content_type == ReceiptType.PDF else texts.picture
    further = range(2, receipt.pages + 1)
    more = tuple((texts.page.format(page=page), link(page)) for page in further)
    return Picture(label.format(number=number), link(1), preview, more, direct)
