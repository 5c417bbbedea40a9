"""Pictures that somebody sent, uploads on their way back from S3, and refused uploads."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from urllib.parse import urlencode

from orderdesk.domain.orders.order import Receipt
from orderdesk.domain.receipts.files import ReceiptProblem, ReceiptType
from orderdesk.web.http import Request
from orderdesk.web.pages.frame import Page
from orderdesk.web.pages.scene import Scene, read_form
from orderdesk.web.pages.shared_texts import PageTexts, SharedTexts
from orderdesk.web.pages.texts import Notice

_KEY = "key"
_AGAIN = "again"
# The tries of an upload that waits; after them all pauses are as long as the last one.
_PAUSE_SECONDS, _TRIES_COUNTED = 5, 6
# The form of the keys in our upload forms (`domain/receipts/places.py`). The page shows no other
# key, because it repeats the key several times and escapes it each time.
_UPLOAD = re.compile(r"[A-Za-z0-9._/-]{1,128}")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that somebody sent; `preview` is a small one, `link` opens the first page.

    `more` are the texts and links of further pages.

    `direct` is the signed address of the first page, if the page's script may open it; it saves the
    request for `link`.
    """

    label: str
    link: str = field(repr=False)
    preview: str = field(repr=False)
    more: tuple[tuple[str, str], ...] = field(repr=False)
    direct: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class PictureTexts:
    """The labels of a picture, a PDF and a further page; `{number}` and `{page}` are replaced."""

    picture: str
    document: str
    page: str


def picture_of(
    receipt: Receipt, number: int, preview: str, texts: PictureTexts, link: Callable[[int], str]
) -> Picture:
    """Return the picture of a receipt; `link` returns the address of a page, counted from 1."""
    label = texts.document if receipt.content_type == ReceiptType.PDF else texts.picture
    further = range(2, receipt.pages + 1)
    more = tuple((texts.page.format(page=page), link(page)) for page in further)
    return Picture(label.format(number=number), link(1), preview, more)


def receipt_pictures(
    receipts: Sequence[Receipt],
    previews: Sequence[str],
    texts: PictureTexts,
    link: Callable[[int, int], str],
    pages: Sequence[str] = (),
) -> tuple[Picture, ...]:
    """Return the pictures of an order's receipts, whose previews are at these addresses.

    `pages` are the signed addresses of their first pages, if any.
    """
    direct = pages or [""] * len(receipts)
    shown = enumerate(zip(receipts, previews, direct, strict=True), start=1)
    return tuple(
        replace(picture_of(receipt, number, preview, texts, partial(link, number)), direct=page)
        for number, (receipt, preview, page) in shown
    )


def back_page(scene: Scene[PageTexts]) -> Page | None:
    """Return the page that S3 redirects a browser to; None if the address names no upload.

    Any site can open this address, so it changes nothing. The page's form does, by a POST from our
    own origin. Its script submits the form only in a tab that has just sent this upload. The page
    needs no session, because a browser that comes from S3 sends no SameSite=Strict cookie.
    """
    key = scene.request.query.get(_KEY, "")
    if _UPLOAD.fullmatch(key) is None:
        return None
    view = {"key": key, "action": scene.links.query or "?", "pause_seconds": 0}
    return Page("back.html", view, f"?{urlencode({_KEY: key})}")


def waiting_page(scene: Scene[PageTexts], key: str) -> Page:
    """Return the page of an upload that could not be taken yet: it tries again by itself.

    Its script sends the form. Without a script the browser opens the address of the same form, and
    the pauses grow likewise.
    """
    again = min(tries_of(scene.request) + 1, _TRIES_COUNTED)
    action = f"?{_AGAIN}={again}{scene.links.query.replace('?', '&')}"
    key_part = urlencode({_KEY: key})
    view = {
        "key": key,
        "action": action,
        "address": f"{action}&{key_part}",
        "pause_seconds": again * _PAUSE_SECONDS,
    }
    return Page("back.html", view, f"?{key_part}", status=HTTPStatus.ACCEPTED)


def tries_of(request: Request) -> int:
    """Return how often the page of an upload has tried again; 0 if it has not."""
    tries = request.query.get(_AGAIN, "")
    return int(tries) if tries in map(str, range(1, _TRIES_COUNTED + 1)) else 0


def uploaded_key(request: Request) -> str:
    """Return the key of the upload that a browser has come back from. Raises: BadForm."""
    if request.method == "GET":
        return request.query.get(_KEY, "")
    return read_form(request, (_KEY,))[_KEY]


def unfit_alert(problem: ReceiptProblem, texts: SharedTexts) -> Notice:
    """Return the notice of what is wrong with a file."""
    return Notice(texts.upload.unfit_title, texts.upload.unfit[problem])
