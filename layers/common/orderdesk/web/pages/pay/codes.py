"""A wallet's payment code: a picture at its address, or one drawn from the code's text.

Traders enter one of two things: the address of a picture of their code, or the code's text, such as
`wxp://f2f0…` or `https://qr.alipay.com/…`, which is not a picture's address. Only this module
imports segno, with the first code that it draws: a cold start that draws none need not wait for it.
"""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from orderdesk.web.pages.headers import image_origin

# Addresses of these hosts are a code's text, not a picture's address.
_WALLET_HOSTS = frozenset({"qr.alipay.com", "wx.tenpay.com", "payapp.weixin.qq.com"})
_WALLET_SCHEMES = frozenset({"wxp", "weixin", "alipays", "alipayqr"})
_QUIET_ZONE = 4
_PIXELS_PER_MODULE = 10
_DRAWN_ORIGIN = "data:"


@dataclass(frozen=True, slots=True)
class PaymentCode:
    """A picture's address, and its origin for the policy.

    A drawn picture is a PNG within its address (`data:`), because phones save no inline SVG. `site`
    names where any other one comes from; it is "" for a drawn one.
    """

    url: str = field(repr=False)
    origin: str
    site: str


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
    return None if origin is None else PaymentCode(address, origin, origin.partition("://")[2])


def _drawn(text: str) -> PaymentCode:
    import segno  # noqa: PLC0415 - see above

    code = segno.make(text, error="m", micro=False, boost_error=False)
    url = code.png_data_uri(scale=_PIXELS_PER_MODULE, border=_QUIET_ZONE)
    return PaymentCode(url, _DRAWN_ORIGIN, "")
