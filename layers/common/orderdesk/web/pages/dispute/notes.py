"""The notes of disputes, as the functions of both pages read them: the story, and its pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.order import Order
from orderdesk.services.orders.notes import offer_picture
from orderdesk.services.orders.receipts import UploadForms, picture_key
from orderdesk.web.http import Request
from orderdesk.web.pages.dispute.story import Reader, Story, story_of
from orderdesk.web.pages.dispute.words import Unsent
from orderdesk.web.pages.page import SeeOther, language_of


class KeptNotes(Protocol):
    """Reads notes."""

    def notes(self, order_no: str) -> Sequence[Note]:
        """Give what was said and sent in an order's dispute, oldest first. Raises: TryAgain."""


class SignedPictures(Protocol):
    """Signs pictures' addresses."""

    def url(self, key: str) -> str:
        """Sign a kept picture's address."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the form leads, where a picture is shown, where the bucket sends a browser back."""

    action: str = field(repr=False)
    picture: Callable[[int, int], str]
    back: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Disputes:
    """What both pages need to show disputes."""

    kept: KeptNotes
    uploads: UploadForms
    pictures: SignedPictures

    def story(
        self,
        order: Order,
        by: By,
        request: Request,
        addresses: Addresses,
        *,
        can_write: bool = True,
        unsent: Unsent | None = None,
    ) -> Story | None:
        """Give an order's dispute, with a form for one more picture if it takes one."""
        notes = self.kept.notes(order.order_no) if order.notes else ()
        upload = offer_picture(order, notes, self.uploads, by, addresses.back)
        language, preview = language_of(request), self.pictures.url
        reader = Reader(by.actor, language, addresses.action, addresses.picture, preview)
        return story_of(order, notes, reader, upload=upload, can_write=can_write, unsent=unsent)

    def picture(self, order: Order, request: Request) -> SeeOther:
        """Redirect to a page's picture of a note, whose address works for a few minutes.

        Raises: OrderNotFound, TryAgain.
        """
        number, page = request.path_parameters["number"], request.query.get("page", "1")
        notes = self.kept.notes(order.order_no)
        key = picture_key((note.picture for note in notes), number, page)
        return SeeOther(self.pictures.url(key))
