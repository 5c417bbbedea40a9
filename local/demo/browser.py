"""A browser for the demo: no JavaScript, one cookie, forms of a page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http import HTTPStatus
from urllib.parse import urlencode, urljoin, urlsplit

import urllib3

from local.demo.steps import Unexpected

ANSWER_SECONDS_MAX = 60
UPLOAD_TYPE = "multipart/form-data"

type Attributes = list[tuple[str, str | None]]


@dataclass
class Form:
    """A form: its action, encoding, and hidden fields in order."""

    action: str
    kind: str
    hidden: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Answer:
    """A page or a redirect."""

    url: str
    location: str
    text: str

    def form(self, kind: str = "", *, to: str = "") -> Form:
        """Return the form of an encoding whose action ends with `to`. Raises: Unexpected."""
        for form in _Forms(self.url, self.text).found:
            if form.kind == kind and urlsplit(form.action).path.endswith(to):
                return form
        raise Unexpected(f"the page has no form {kind or to}")


class Browser:
    """The browser of one person."""

    def __init__(self) -> None:
        # Without retries it follows no redirect; the callers follow each one.
        self._http = urllib3.PoolManager(timeout=ANSWER_SECONDS_MAX, retries=False)
        self._cookie = ""

    def open(self, url: str) -> Answer:
        """Open a page. Raises: Unexpected, urllib3's errors."""
        return self._answered(
            url, HTTPStatus.OK, self._http.request("GET", url, headers=self._cookies())
        )

    def submit(self, form: Form, typed: Mapping[str, str] | None = None) -> Answer:
        """Submit a form with typed fields; the answer must be a redirect. Raises: Unexpected."""
        body = urlencode([*form.hidden, *(typed or {}).items()])
        return self._post(form, body.encode(), "application/x-www-form-urlencoded")

    def upload(self, form: Form, content: bytes, content_type: str) -> Answer:
        """Submit a form with a file, which is last because S3 ignores later fields."""
        file = ("file", ("proof", content, content_type))
        return self._post(form, *urllib3.encode_multipart_formdata([*form.hidden, file]))

    def _post(self, form: Form, body: bytes, kind: str) -> Answer:
        own = urlsplit(form.action)
        headers = {
            "Content-Type": kind,
            "Origin": f"{own.scheme}://{own.netloc}",
            "Sec-Fetch-Site": "same-origin",
            **self._cookies(),
        }
        response = self._http.request("POST", form.action, body=body, headers=headers)
        return self._answered(form.action, HTTPStatus.SEE_OTHER, response)

    def _cookies(self) -> dict[str, str]:
        """Return the cookie; it is Secure, and browsers send it to http://localhost too."""
        return {"Cookie": self._cookie} if self._cookie else {}

    def _answered(self, url: str, wanted: HTTPStatus, response: urllib3.BaseHTTPResponse) -> Answer:
        if response.status != wanted:
            raise Unexpected(f"the answer is {response.status}, not {wanted.value}")
        if cookie := response.headers.get("set-cookie"):
            self._cookie = cookie.partition(";")[0]
        location = urljoin(url, response.headers.get("location", ""))
        return Answer(url, location, response.data.decode())


class _Forms(HTMLParser):
    """The forms of a page."""

    def __init__(self, url: str, text: str) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._url = url
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = urljoin(self._url, given.get("action", ""))
            self.found.append(Form(action, given.get("enctype", "")))
        if tag == "input" and given.get("type") == "hidden" and self.found:
            self.found[-1].hidden.append((given["name"], given.get("value", "")))
