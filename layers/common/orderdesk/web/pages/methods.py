"""A receiving method as the pages show it: its details, and short forms of it."""

import base64
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import assert_never
from urllib.parse import quote, urlsplit

from orderdesk.domain.payment_methods import MethodType, PaymentMethod, is_code_text
from orderdesk.web.pages.shared_texts import SharedTexts

DRAWN_ORIGIN = "data:"
"""The origin of drawn codes, for the policy of a page."""

_CARD_GROUP = 4
_QUIET_ZONE = 4
_ALIPAY_CODES = "qr.alipay.com"
# Alipay's scanner, which opens the code as if it had been scanned.
_ALIPAY_SCANNER = "alipays://platformapi/startapp?saId=10000007&qrcode="
_PIXELS_PER_MODULE = 10


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
