"""What the demo's customer and trader do on their pages."""

import io
from dataclasses import dataclass, field
from typing import Self

import segno

from local.demo.browser import UPLOAD_TYPE, Browser, Form

# Invented, with a right check digit; the sandbox passes every well-formed identity.
IDENTITY = {
    "customer_name": "演示客户",
    "id_card": "110101200001010002",
    "mobile": "13800000001",
}


def pay(pay_url: str) -> None:
    """Open the pay page and report the payment. Raises: Unexpected, urllib3's errors."""
    browser = Browser()
    page = browser.open(pay_url)
    browser.submit(page.form(to="/paid"))


def verify_identity(identity_url: str) -> str:
    """Open the identity page and fill it in; give the pay page that it leads to.

    Raises: Unexpected, urllib3's errors.
    """
    browser = Browser()
    page = browser.open(identity_url)
    return browser.submit(page.form(), IDENTITY).location


@dataclass(frozen=True)
class Desk:
    """The trader desk, with a trader logged in."""

    name: str
    base_url: str
    browser: Browser = field(repr=False)

    @classmethod
    def open(cls, base_url: str, name: str, access_code: str) -> Self:
        """Log in. Raises: Unexpected, urllib3's errors."""
        browser = Browser()
        page = browser.open(f"{base_url}/trader/login")
        browser.submit(page.form(to="/login"), {"access_code": access_code})
        return cls(name, base_url, browser)

    def confirm(self, order_no: str) -> None:
        """Confirm that the money has come, or that the customer has been paid."""
        self.browser.submit(Form(f"{self._page(order_no)}/confirm", ""))

    def upload_proof(self, order_no: str) -> None:
        """Upload a picture with the order page's own form, come back as S3 says, press the button.

        Raises: Unexpected, urllib3's errors.
        """
        page = self.browser.open(self._page(order_no))
        sent = self.browser.upload(page.form(UPLOAD_TYPE), _picture(order_no), "image/png")
        back = self.browser.open(sent.location)
        self.browser.submit(back.form(to="/proof"))

    def _page(self, order_no: str) -> str:
        return f"{self.base_url}/trader/orders/{order_no}"


def _picture(text: str) -> bytes:
    """Draw a picture in the place of a screenshot of a transfer."""
    picture = io.BytesIO()
    segno.make(f"demo:{text}", error="m").save(picture, kind="png", scale=8)
    return picture.getvalue()
