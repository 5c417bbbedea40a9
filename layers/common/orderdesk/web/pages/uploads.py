"""Uploads: the page that a browser comes back to, what it posts, and the text of a refusal."""

import re
from urllib.parse import urlencode

from orderdesk.domain.receipts.files import ReceiptProblem
from orderdesk.web.http import Request
from orderdesk.web.pages import SHARED
from orderdesk.web.pages.forms import read_form
from orderdesk.web.pages.links import asked_language
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.texts import Language, Notice

_KEY = "key"
# The keys of all our forms are like this (`domain/receipts/places.py`). Nothing else is shown back:
# a long value would stand on the page several times, each time escaped.
_UPLOAD = re.compile(r"[A-Za-z0-9._/-]{1,128}")


def back_page(request: Request) -> Page | None:
    """Give the page that S3 sends a browser back to; None if the address names no upload.

    Any site can lead a browser here, so nothing changes yet: the page's form does that, with a
    POST from our own origin. Its script submits the form only in a tab that has just sent this
    upload. The page needs no session: a browser that comes from S3 brings no SameSite=Strict
    cookie.
    """
    key = request.query.get(_KEY, "")
    if _UPLOAD.fullmatch(key) is None:
        return None
    view = {"key": key, "action": asked_language(request) or "?"}
    return Page("back.html", {"view": view}, here=f"?{urlencode({_KEY: key})}")


def uploaded_key(request: Request) -> str:
    """Read which upload a browser has come back from. Raises: BadForm."""
    return read_form(request, (_KEY,))[_KEY]


def unfit_alert(problem: ReceiptProblem, language: Language) -> Notice:
    """Give the notice that says what is wrong with a file."""
    texts = SHARED[language].upload
    return Notice(texts.unfit_title, texts.unfit[problem])
