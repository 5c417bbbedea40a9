"""A dispute's story: its steps and its notes, as payer and trader both see them."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from orderdesk.domain.orders.notes import Asked, Note, open_question, takes_text
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptType
from orderdesk.domain.receipts.places import preview_key
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages import SHARED
from orderdesk.web.pages.dispute import TEXTS
from orderdesk.web.pages.dispute.texts import DisputeTexts
from orderdesk.web.pages.dispute.words import Unsent, Words, say_words
from orderdesk.web.pages.headers import image_origin
from orderdesk.web.pages.pictures import Picture, picture_of
from orderdesk.web.pages.texts import Language
from orderdesk.web.pages.values import Moment, moment_of


@dataclass(frozen=True, slots=True)
class Entry:
    """One step or note: who, what kind of, when, and what; `look` is own, staff or other."""

    who: str
    what: str
    at: Moment
    text: str
    picture: Picture | None
    look: str


@dataclass(frozen=True, slots=True)
class Story:
    """The whole dispute; `words` is set while its reader may write, `upload` while it may send.

    `count` is how many notes it shows.
    """

    texts: DisputeTexts
    entries: tuple[Entry, ...]
    count: int
    action: str = field(repr=False)
    words: Words | None
    is_full: bool
    upload: UploadForm | None = field(repr=False)
    max_bytes: int = MAX_BYTES

    @property
    def image_origin(self) -> str | None:
        """The origin of the small pictures; None without any."""
        shown = (entry.picture.preview for entry in self.entries if entry.picture)
        return image_origin(next(shown, ""))


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads it: payer or trader, in a language; `action` is where its form leads.

    `link` gives the address of a note's picture and page, `preview` signs a small picture's key.
    """

    by: Actor
    language: Language
    action: str = field(repr=False)
    link: Callable[[int, int], str]
    preview: Callable[[str], str]


def story_of(
    order: Order,
    notes: Sequence[Note],
    reader: Reader,
    *,
    upload: UploadForm | None,
    can_write: bool,
    unsent: Unsent | None = None,
) -> Story | None:
    """Give what the page shows of an order's dispute; None if it never was in one."""
    if not order.was_disputed:
        return None
    texts = TEXTS[reader.language]
    is_open = order.status is OrderStatus.DISPUTED and can_write
    has_room = takes_text(notes, reader.by)
    is_asked = open_question(notes, reader.by) is not None
    words = say_words(order, reader.by, reader.language, unsent, is_asked=is_asked)
    return Story(
        texts=texts,
        entries=tuple(_entries(order, notes, reader)),
        count=len(notes),
        action=reader.action,
        words=words if is_open and has_room else None,
        is_full=is_open and not has_room,
        upload=upload if is_open else None,
    )


def _entries(order: Order, notes: Sequence[Note], reader: Reader) -> Iterator[Entry]:
    """Give steps and notes by time: a dispute comes before its notes, its end after them.

    Both keep their own order, which is right also where two clocks differ.
    """
    first = next(n for n, e in enumerate(order.timeline) if e.status is OrderStatus.DISPUTED)
    steps = [
        (entry.time, 0 if entry.status is OrderStatus.DISPUTED else 2, _step(entry, what, reader))
        for entry in order.timeline[first:]
        if (what := _step_text(entry.status, TEXTS[reader.language]))
    ]
    said = [(note.time, 1, _noted(note, n, reader)) for n, note in enumerate(notes, 1)]
    for _, _, entry in heapq.merge(steps, said, key=lambda each: each[:2]):
        yield entry


def _step_text(status: OrderStatus, texts: DisputeTexts) -> str:
    """Give the text of a dispute's beginning or end; "" for any other step."""
    ends = {
        OrderStatus.DISPUTED: texts.disputed,
        OrderStatus.COMPLETED: texts.completed,
        OrderStatus.CANCELLED: texts.cancelled,
    }
    return ends.get(status, "")


def _step(entry: TimelineEntry, what: str, reader: Reader) -> Entry:
    who = _name(Actor(entry.by), reader, TEXTS[reader.language]) if entry.by else ""
    return Entry(who, what, moment_of(entry.time, SHARED[reader.language]), "", None, "step")


def _noted(note: Note, number: int, reader: Reader) -> Entry:
    texts = TEXTS[reader.language]
    who = _name(note.by, reader, texts)
    return Entry(
        who=who,
        what=_question(note.asked, reader, texts) if note.asked else "",
        at=moment_of(note.time, SHARED[reader.language]),
        text=note.text,
        picture=_picture(note, number, who, reader),
        look=_look(note.by, reader),
    )


def _look(by: Actor, reader: Reader) -> str:
    if by is reader.by:
        return "own"
    return "staff" if by is Actor.OPERATOR else "other"


def _picture(note: Note, number: int, who: str, reader: Reader) -> Picture | None:
    picture, texts = note.picture, TEXTS[reader.language]
    if picture is None:
        return None
    kind = texts.document if picture.content_type == ReceiptType.PDF else texts.picture
    return picture_of(
        picture,
        texts.sent_by.format(what=kind.format(number=number), who=who),
        reader.preview(preview_key(picture.key)),
        texts.page,
        partial(reader.link, number),
    )


def _question(asked: Asked, reader: Reader, texts: DisputeTexts) -> str:
    match asked:
        case Asked.BOTH:
            return texts.question_to_both
        case Asked.PAYER:
            return texts.question_to_you if reader.by is Actor.PAYER else texts.question_to_payer
        case Asked.TRADER:
            return texts.question_to_you if reader.by is Actor.TRADER else texts.question_to_trader


def _name(by: Actor, reader: Reader, texts: DisputeTexts) -> str:
    if by is reader.by:
        return texts.you
    match by:
        case Actor.PAYER:
            return texts.payer
        case Actor.TRADER:
            return texts.trader
        case Actor.MERCHANT:
            return texts.merchant
        case Actor.OPERATOR:
            return texts.operator
        case Actor.CLOCK:
            return texts.clock
