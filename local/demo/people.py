"""The actions of the demo's customer and trader on their pages."""

from dataclasses import dataclass, field
from typing import Self

from local.callback_sink import picture_of
from local.demo.browser import UPLOAD_TYPE, Browser, Form

# Invented, with a valid check digit; the sandbox accepts every well-formed identity.
IDENTITY = {"customer_name": "演示客户", "id_card": "110101200001010002", "mobile": "13800000001"}


def pay(pay_url: str) -> None:
    """Open the pay page and report the payment. Raises: Unexpected, urllib3's errors."""
    browser = Browser()
    page = browser.open(pay_url)
    browser.submit(page.form(to="/paid"))


def pay_with_receipt(pay_url: str) -> None:
    """Open the pay page and report the payment with a receipt. Raises: Unexpected, urllib3's."""
    _upload(Browser(), pay_url, "/receipt")


def verify_identity(identity_url: str) -> str:
    """Fill in the identity page; return the address of the pay page.

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
        """Confirm that the money has arrived, or that the customer has been paid."""
        self.browser.submit(Form(f"{self._page(order_no)}/confirm", ""))

    def upload_proof(self, order_no: str) -> None:
        """Upload a picture of the payment. Raises: Unexpected, urllib3's errors."""
        _upload(self.browser, self._page(order_no), "/proof")

    def look(self) -> None:
        """Open the desk's three lists. Raises: Unexpected, urllib3's errors."""
        for part in ("orders", "history", "balance"):
            self.browser.open(f"{self.base_url}/trader/{part}")

    def _page(self, order_no: str) -> str:
        return f"{self.base_url}/trader/orders/{order_no}"


def _upload(browser: Browser, url: str, to: str) -> None:
    """Upload a picture with a page's form, follow S3's redirect, and submit the form there."""
    page = browser.open(url)
    sent = browser.upload(page.form(UPLOAD_TYPE), picture_of(url), "image/png")
    back = browser.open(sent.location)
    browser.submit(back.form(to=to))
