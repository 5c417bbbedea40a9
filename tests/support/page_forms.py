"""The form on a page that sends a file to the bucket, as a browser without JavaScript reads it."""

import html
import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from tests.support.transports import Answer

FORM_TYPE = "application/x-www-form-urlencoded"
OWN_PAGE = {"Sec-Fetch-Site": "same-origin", "Origin": "null"}
_FORM = re.compile(r'<form[^>]*action="(?P<url>[^"]+)"[^>]*multipart.*?</form>', re.DOTALL)
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


@dataclass(frozen=True, slots=True)
class UploadForm:
    """Where the form posts to, and its hidden fields; both empty if the page has no such form."""

    action: str = ""
    fields: dict[str, str] = field(default_factory=dict)

    @classmethod
    def on(cls, page: str) -> "UploadForm":
        """Read the form off a page."""
        form = _FORM.search(page)
        if form is None:
            return cls()
        return cls(html.unescape(form["url"]), hidden_fields(form[0]))


def hidden_fields(page: str) -> dict[str, str]:
    """Give the hidden fields of a page's forms."""
    return {name: html.unescape(value) for name, value in _HIDDEN.findall(page)}


def query_of_return(taken: Answer) -> dict[str, str]:
    """Give the query with which the bucket sends the browser back to the page."""
    return dict(parse_qsl(urlsplit(taken["headers"]["Location"]).query))
