"""A trader's browser as far as HTTP goes; its cookie by hand: it is Secure, the stack is not."""

import html
import re
import secrets
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

import httpx

from orderdesk.domain.traders.trader import Trader
from tests.support.page_client import report_receipt
from tests.support.receipt_samples import png
from tests.support.stack_seed import StackSeed
from tests.support.trader import add_trader_with_code

_UPLOAD = re.compile(r'<form[^>]*action="(?P<url>[^"]+)"[^>]*multipart.*?</form>', re.DOTALL)
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
TIMEOUT_SECONDS = 120


@dataclass(frozen=True, slots=True)
class DeskClient:
    """A trader and the session's cookie."""

    base_url: str
    trader: Trader
    cookie: str = field(repr=False)

    @classmethod
    def of_new_trader(cls, seed: StackSeed, **changes: object) -> Self:
        """Add a trader and log in."""
        trader, code = add_trader_with_code(seed, **changes)
        base_url = seed.stack.base_url
        answer = send(base_url, "POST", "/trader/login", form={"access_code": code})
        assert answer.status_code == httpx.codes.SEE_OTHER, answer.status_code
        return cls(base_url, trader, answer.headers["set-cookie"].partition(";")[0])

    def get(self, path: str) -> httpx.Response:
        """Open a page of the desk; redirects are not followed."""
        return send(self.base_url, "GET", path, self.cookie)

    def post(self, path: str) -> httpx.Response:
        """Send one of the desk's forms."""
        return send(self.base_url, "POST", path, self.cookie)

    def order(self, order_no: str, move: str) -> httpx.Response:
        """Send one of an order's forms: confirm, report, decline."""
        return self.post(f"/trader/orders/{order_no}/{move}")

    def prove(self, order_no: str) -> httpx.Response:
        """Upload a proof with the order page's form, and come back as S3 says."""
        form = _UPLOAD.search(self.get(f"/trader/orders/{order_no}").text)
        assert form is not None, "the page has no upload form"
        fields = {name: html.unescape(value) for name, value in _HIDDEN.findall(form[0])}
        file = {"file": ("proof", png(), "application/octet-stream")}
        url = html.unescape(form["url"])
        sent = httpx.post(url, data=fields, files=file, timeout=TIMEOUT_SECONDS)
        if sent.status_code != httpx.codes.SEE_OTHER:
            return sent
        return report_receipt(sent, self.cookie)


def send(
    base_url: str, method: str, path: str, cookie: str = "", form: dict[str, str] | None = None
) -> httpx.Response:
    """Send what a page of the desk would, from an address of its own."""
    parts = urlsplit(base_url)
    headers = {"cookie": cookie, "x-forwarded-for": f"198.51.{secrets.randbelow(256)}.9"}
    if method == "POST":
        headers |= {"origin": f"{parts.scheme}://{parts.netloc}", "sec-fetch-site": "same-origin"}
    return httpx.request(
        method, base_url + path, headers=headers, data=form or {}, timeout=TIMEOUT_SECONDS
    )
