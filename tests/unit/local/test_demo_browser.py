"""The demo's browser: forms parsed from the page, cookies kept, redirects not followed."""

from collections.abc import Iterator

import pytest

from local.demo.browser import UPLOAD_TYPE, Answer, Browser, Form
from local.demo.steps import Unexpected
from tests.browser.quiet_server import QuietHandler, serving

PAGE = """
<form action="../away" method="post"><button>Go</button></form>
<form id="upload" action="http://bucket.example.com/b" method="post" enctype="multipart/form-data">
<input type="hidden" name="key" value="a&amp;b"><input type="hidden" name="policy" value="p">
<input type="file" name="file"></form>
<form method="post"><input name="mobile"></form>
"""
URL = "http://desk.example.com/v1/orders/S1?lang=zh"


class Recorder(QuietHandler):
    """Redirect with a cookie, and record the requests."""

    got: list[tuple[str, dict[str, str], bytes]]

    def post(self) -> None:
        self.got.append(("POST", dict(self.headers.items()), self.body()))
        cookie = {"Set-Cookie": "__Host-trader=abc; Path=/; Secure"}
        self.reply(200 if self.path == "/refused" else 303, {"Location": "next", **cookie}, b"")


@pytest.fixture
def url() -> Iterator[str]:
    Recorder.got = []
    with serving(Recorder) as address:
        yield address


def test_forms_are_found_with_whole_addresses_and_hidden_fields() -> None:
    page = Answer(URL, "", PAGE)
    assert page.form(to="/away") == Form("http://desk.example.com/v1/away", "")
    upload = Form("http://bucket.example.com/b", UPLOAD_TYPE, [("key", "a&b"), ("policy", "p")])
    assert page.form(UPLOAD_TYPE) == upload
    assert page.form(to="/S1").action == URL
    with pytest.raises(Unexpected, match="no form /confirm"):
        page.form(to="/confirm")


def test_a_cookie_is_kept_and_no_redirect_followed(url: str) -> None:
    browser = Browser()
    first_page = browser.submit(Form(f"{url}/login", ""))
    assert first_page.location == f"{url}/next"
    assert (
        browser.submit(Form(f"{url}/a/b", ""), {"access_code": "x y"}).location == f"{url}/a/next"
    )
    (_, first, _), (_, second, body) = Recorder.got
    assert "Cookie" not in first
    assert (second["Cookie"], second["Origin"]) == ("__Host-trader=abc", url)
    assert second["Sec-Fetch-Site"] == "same-origin"
    assert body == b"access_code=x+y"


def test_the_file_is_the_last_part(url: str) -> None:
    form = Form(f"{url}/bucket", UPLOAD_TYPE, [("key", "k"), ("policy", "p")])
    Browser().upload(form, b"\x89PNG", "image/png")
    ((_, headers, body),) = Recorder.got
    assert headers["Content-Type"].startswith(UPLOAD_TYPE)
    names = [part.split(b'"')[1] for part in body.split(b"Content-Disposition")[1:]]
    assert names == [b"key", b"policy", b"file"]
    assert b"Content-Type: image/png\r\n\r\n\x89PNG\r\n" in body


def test_what_a_form_is_not_answered_with_is_unexpected(url: str) -> None:
    with pytest.raises(Unexpected, match="the answer is 200, not 303"):
        Browser().submit(Form(f"{url}/refused", ""))
