"""A dispute as payer and trader see it: its steps and notes, and the field of a text."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from orderdesk.domain.orders.notes import (
    TEXT_LENGTH_MAX,
    Asked,
    Note,
    Said,
    TextProblem,
    UnfitText,
    note_text,
    open_question,
    takes_text,
)
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.receipts.files import MAX_BYTES
from orderdesk.domain.receipts.places import preview_key
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.http import Request
from orderdesk.web.pages.dispute.texts import DisputeTexts
from orderdesk.web.pages.headers import image_origin
from orderdesk.web.pages.receipts import Picture, PictureTexts, picture_of
from orderdesk.web.pages.scene import BadForm, read_form
from orderdesk.web.pages.texts import Language, Notice, SharedTexts
from orderdesk.web.pages.values import Moment, moment_of

REASON = "reason"
_TEXT, _SEEN = "text", "seen"
_SEEN_DIGITS_MAX = 4


@dataclass(frozen=True, slots=True)
class Unsent:
    """A text that was refused, and why; the page shows both."""

    text: str = field(repr=False)
    problem: TextProblem


@dataclass(frozen=True, slots=True)
class Words:
    """The field of a text."""

    name: str
    label: str
    hint: str
    text: str = field(repr=False)
    problem: str = ""
    length_max: int = TEXT_LENGTH_MAX


def reason_words(order: Order, by: Actor, language: Language, unsent: Unsent | None) -> Words:
    """Return the field for the reason of a dispute; a payer may leave it empty."""
    texts = DisputeTexts(language)
    label = texts.optional_reason if by is Actor.PAYER else texts.reason
    return Words(REASON, label, _readers(order, by, texts), *_refused(unsent, texts))


def say_words(
    order: Order, by: Actor, texts: DisputeTexts, unsent: Unsent | None, *, is_asked: bool
) -> Words:
    """Return the field for a text in a dispute; `is_asked`: it answers an operator's question."""
    label = texts.answer if is_asked else texts.add
    return Words(_TEXT, label, _readers(order, by, texts), *_refused(unsent, texts))


def posted_reason(request: Request, *, needed: bool) -> str | Unsent:
    """Read the reason of a dispute; "" if it is empty and not needed. Raises: BadForm."""
    text = read_form(request, (REASON,))[REASON]
    if not needed and not text.strip():
        return ""
    return _checked(text)


def posted_text(request: Request) -> Said | Unsent:
    """Read a text for a dispute. Raises: BadForm."""
    form = read_form(request, (_TEXT, _SEEN))
    seen = form[_SEEN]
    if not (seen.isascii() and seen.isdigit() and len(seen) <= _SEEN_DIGITS_MAX):
        raise BadForm
    text = _checked(form[_TEXT])
    return text if isinstance(text, Unsent) else Said(text, int(seen))


def full_alert(language: Language) -> Notice:
    """Return the notice that the reader has reached the limit of a dispute's notes."""
    return Notice(SharedTexts(language).upload.unfit_title, DisputeTexts(language).too_many)


def _checked(text: str) -> str | Unsent:
    try:
        return note_text(text)
    except UnfitText as unfit:
        return Unsent(text, unfit.problem)


def _readers(order: Order, by: Actor, texts: DisputeTexts) -> str:
    return texts.read_by_trader if by is Actor.PAYER else texts.read_by[order.order_type]


def _refused(unsent: Unsent | None, texts: DisputeTexts) -> tuple[str, str]:
    """Return the refused text, and what is wrong with it."""
    return ("", "") if unsent is None else (unsent.text, texts.problem(unsent.problem))


@dataclass(frozen=True, slots=True)
class StoryEntry:
    """One step or note; `look` is the style: own, staff, other or step."""

    who: str
    what: str
    at: Moment
    text: str
    picture: Picture | None
    look: str


@dataclass(frozen=True, slots=True)
class Story:
    """The whole dispute; `words` is set if its reader may write, `upload` if it may send a file.

    `count` is the number of notes. `is_full`: the reader has reached the limit of notes.
    """

    texts: DisputeTexts
    title: str
    entries: tuple[StoryEntry, ...]
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
    """The reader, a payer or a trader: its texts, and where its form and pictures are.

    `action` is the form's target. `link` returns the address of a note's picture and page.
    `preview` signs a small picture's key.
    """

    by: Actor
    texts: DisputeTexts
    shared: SharedTexts
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
    """Return the order's dispute or late receipts; None if it never had either."""
    if not order.was_disputed and not notes:
        return None
    is_open = order.status is OrderStatus.DISPUTED and can_write
    has_room = takes_text(notes, reader.by)
    is_asked = open_question(notes, reader.by) is not None
    words = say_words(order, reader.by, reader.texts, unsent, is_asked=is_asked)
    return Story(
        texts=reader.texts,
        title=reader.texts.title if order.was_disputed else reader.texts.late_title,
        entries=tuple(_entries(order, notes, reader)),
        count=len(notes),
        action=reader.action,
        words=words if is_open and has_room else None,
        is_full=is_open and not has_room,
        upload=upload if is_open else None,
    )


def _entries(order: Order, notes: Sequence[Note], reader: Reader) -> Iterator[StoryEntry]:
    """Return steps and notes by time.

    Steps keep their order, and so do notes, even where two servers' clocks differ. At the same
    second the dispute comes before its notes, and its end after them.
    """
    disputes = (n for n, e in enumerate(order.timeline) if e.status is OrderStatus.DISPUTED)
    first = next(disputes, len(order.timeline))
    steps = [
        (entry.time, 0 if entry.status is OrderStatus.DISPUTED else 2, _step(entry, what, reader))
        for entry in order.timeline[first:]
        if (what := _step_text(entry.status, reader.texts))
    ]
    said = [(note.time, 1, _noted(note, n, reader)) for n, note in enumerate(notes, 1)]
    for _, _, entry in heapq.merge(steps, said, key=lambda each: each[:2]):
        yield entry


def _step_text(status: OrderStatus, texts: DisputeTexts) -> str:
    """Return the text of a dispute's beginning or end; "" for any other step."""
    ends = {
        OrderStatus.DISPUTED: texts.disputed,
        OrderStatus.COMPLETED: texts.completed,
        OrderStatus.CANCELLED: texts.cancelled,
    }
    return ends.get(status, "")


def _step(entry: TimelineEntry, what: str, reader: Reader) -> StoryEntry:
    who = _name(Actor(entry.by), reader) if entry.by else ""
    return StoryEntry(who, what, moment_of(entry.time, reader.shared), "", None, "step")


def _noted(note: Note, number: int, reader: Reader) -> StoryEntry:
    who = _name(note.by, reader)
    return StoryEntry(
        who=who,
        what=_question(note.asked, reader) if note.asked else "",
        at=moment_of(note.time, reader.shared),
        text=note.text,
        picture=_picture(note, number, who, reader),
        look=_look(note.by, reader),
    )


def _look(by: Actor, reader: Reader) -> str:
    if by is reader.by:
        return "own"
    return "staff" if by is Actor.OPERATOR else "other"


def _picture(note: Note, number: int, who: str, reader: Reader) -> Picture | None:
    picture, texts = note.picture, reader.texts
    if picture is None:
        return None
    labels = PictureTexts(
        texts.sent_by.format(what=texts.picture, who=who),
        texts.sent_by.format(what=texts.document, who=who),
        texts.page,
    )
    preview = reader.preview(preview_key(picture.key))
    return picture_of(picture, number, preview, labels, partial(reader.link, number))


def _question(asked: Asked, reader: Reader) -> str:
    texts = reader.texts
    match asked:
        case Asked.BOTH:
            return texts.question_to_both
        case Asked.PAYER:
            return texts.question_to_you if reader.by is Actor.PAYER else texts.question_to_payer
        case Asked.TRADER:
            return texts.question_to_you if reader.by is Actor.TRADER else texts.question_to_trader


def _name(by: Actor, reader: Reader) -> str:
    texts = reader.texts
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
