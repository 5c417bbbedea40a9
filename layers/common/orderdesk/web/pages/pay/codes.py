"""A wallet's payment code: an image from its address, or a code drawn from its text.

Traders enter one of two things: the address of a picture of their code, or the code's text, such as
`wxp://f2f0…` or `https://qr.alipay.com/…`, which is not a picture's address. Only this module
imports segno, which only the pay page's function contains.
"""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

import segno

from orderdesk.web.pages.headers import image_origin

# Addresses of these hosts are a code's text, not a picture's address.
_WALLET_HOSTS = frozenset({"qr.alipay.com", "wx.tenpay.com", "payapp.weixin.qq.com"})
_WALLET_SCHEMES = frozenset({"wxp", "weixin", "alipays", "alipayqr"})
_QUIET_ZONE = 4


@dataclass(frozen=True, slots=True)
class PaymentCode:
    """Either an image's address and origin, or a drawn code: an SVG path and its side length."""

    image_url: str | None = field(default=None, repr=False)
    image_origin: str | None = None
    drawn: str | None = field(default=None, repr=False)
    side: int = 0


def payment_code(address: str) -> PaymentCode | None:
    """Give how to show a payment code; None if the address is neither kind."""
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme in _WALLET_SCHEMES or host in _WALLET_HOSTS:
        return _drawn(address)
    origin = image_origin(address)
    return None if origin is None else PaymentCode(image_url=address, image_origin=origin)


def _drawn(text: str) -> PaymentCode:
    """Draw the code as one path of horizontal runs."""
    code = segno.make(text, error="m", micro=False, boost_error=False)
    runs: list[str] = []
    for y, row in enumerate(code.matrix, start=_QUIET_ZONE):
        x = 0
        while x < len(row):
            start = x
            while x < len(row) and row[x]:
                x += 1
            if x > start:
                length = x - start
                runs.append(f"M{start + _QUIET_ZONE} {y}h{length}v1h-{length}z")
            x += 1
    return PaymentCode(drawn="".join(runs), side=len(code.matrix) + 2 * _QUIET_ZONE)
