"""A payer's browser as far as HTTP goes: forms posted from the page's own origin."""

import html
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

import httpx

from tests.support.identities import identity

_UPLOAD = re.compile(r'<form id="upload" action="(?P<url>[^"]+)".*?</form>', re.DOTALL)
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


def post_form(
    url: str, fields: Mapping[str, str] | None = None, cookie: str = ""
) -> httpx.Response:
    """Post a form as a browser on that page would; redirects are not followed."""
    parts = urlsplit(url)
    headers = {"origin": f"{parts.scheme}://{parts.netloc}", "sec-fetch-site": "same-origin"}
    headers |= {"cookie": cookie} if cookie else {}
    return httpx.post(url, data=fields or {}, headers=headers, timeout=120)


def submit_identity(identity_url: str, mobile: str = "13800000001") -> httpx.Response:
    """Submit the identity page's form."""
    return post_form(identity_url, identity(mobile))


def report_receipt(uploaded: httpx.Response, cookie: str = "") -> httpx.Response:
    """Go where the bucket sends a browser, and press the button of the page that is there."""
    address = uploaded.headers["location"]
    fields = dict(_HIDDEN.findall(httpx.get(address, timeout=120).text))
    return post_form(address.partition("?")[0], fields, cookie)


def upload_receipt(pay_url: str, content: bytes) -> httpx.Response:
    """Send a file with the page's upload form, as a browser without JavaScript does.

    Gives what the bucket answers: where it takes the file, a redirect back to the page.
    """
    form = _UPLOAD.search(httpx.get(pay_url, timeout=120).text)
    assert form is not None, "the page has no upload form"
    fields = {name: html.unescape(value) for name, value in _HIDDEN.findall(form[0])}
    file = {"file": ("receipt", content, "application/octet-stream")}
    return httpx.post(html.unescape(form["url"]), data=fields, files=file, timeout=120)
