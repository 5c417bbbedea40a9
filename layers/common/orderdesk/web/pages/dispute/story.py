"""A dispute as its parties see it: its steps and notes, and the field of a text."""

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from orderdesk.domain.orders.notes import (
    TEXT_LENGTH_MAX,
    AskedSide,
    Note,
    Said,
    TextProblem,
    UnfitText,
    answer_due,
    note_text,
    open_question,
    takes_text,
)
from orderdesk.domain.orders.order import Order, OrderStatus, SumAnswer, TimelineEntry
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.places import preview_key
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.http import Request
from orderdesk.web.pages.dispute.dispute_texts import DisputeTexts
from orderdesk.web.pages.scene import BadForm, read_form
from orderdesk.web.pages.shared_texts import SharedTexts
from orderdesk.web.pages.texts import Language, Notice
from orderdesk.web.pages.values import (
    Picture,
    PictureTexts,
    image_origin,
    moment_of,
    money_of,
    picture_of,
)

REASON, GROUNDS = "reason", "grounds"
_OTHER = "other"
_TEXT, _SEEN = "text", "seen"
_SEEN_DIGITS_MAX = 4


@dataclass(frozen=True, slots=True)
class Unsent:
    """A text that was refused, and why; the page shows both."""

    text: str = field(repr=False)
    problem: TextProblem
    chosen: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The field of a text; `choices` are offered above it, under the `question`.

    Each is one of the usual grounds of a dispute: its value, its text, and whether it is chosen.
    """

    name: str
    label: str
    hint: str
    text: str = field(repr=False)
    problem: str = ""
    length_max: int = TEXT_LENGTH_MAX
    question: str = ""
    choices: tuple[tuple[str, str, bool], ...] = ()


def reason_words(order: Order, by: Actor, language: Language, unsent: Unsent | None) -> Words:
    """Return the usual grounds of a dispute, and the field for details.

    A payer may leave both empty.
    """
    texts = DisputeTexts(language)
    is_payer = by is Actor.PAYER
    chosen = "" if unsent is None else unsent.chosen
    return Words(
        REASON,
        texts.optional_reason if is_payer else texts.reason,
        _readers(order, by, texts),
        *_refused(unsent, texts),
        question=texts.optional_grounds if is_payer else texts.grounds,
        choices=tuple(
            (value, text, value == chosen) for value, text in _grounds(by, texts).items()
        ),
    )


def _grounds(by: Actor, texts: DisputeTexts) -> Mapping[str, str]:
    return texts.grounds_of_payer if by is Actor.PAYER else texts.grounds_of_trader


def posted_reason(request: Request, by: Actor, language: Language) -> str | Unsent:
    """Read the reason of a dispute: the chosen grounds, then the details.

    A trader sends at least one of them, and details of other grounds. Raises: BadForm.
    """
    form = read_form(request, (REASON, GROUNDS))
    text, chosen = form[REASON], form[GROUNDS]
    grounds = _grounds(by, DisputeTexts(language))
    if chosen and chosen not in grounds:
        raise BadForm
    told = grounds[chosen] if chosen and chosen != _OTHER else ""
    if not text.strip() and (told or by is Actor.PAYER):
        return told
    checked = _checked(text)
    if isinstance(checked, Unsent):
        return Unsent(text, checked.problem, chosen)
    return f"{told}\n{checked}" if told else checked


def posted_text(request: Request) -> Said | Unsent:
    """Read a text for a dispute. Raises: BadForm."""
    form = read_form(request, (_TEXT, _SEEN))
    seen = form[_SEEN]
    if not (seen.isascii() and seen.isdigit() and len(seen) <= _SEEN_DIGITS_MAX):
        raise BadForm
    text = _checked(form[_TEXT])
    return text if isinstance(text, Unsent) else Said(text, int(seen))


def _checked(text: str) -> str | Unsent:
    try:
        return note_text(text)
    except UnfitText as unfit:
        return Unsent(text, unfit.problem)


def _readers(order: Order, by: Actor, texts: DisputeTexts) -> str:
    if by is Actor.PAYER:
        return texts.read_by_trader
    readers = texts.read_by_others if by is Actor.MERCHANT else texts.read_by
    return readers[order.order_type]


def _refused(unsent: Unsent | None, texts: DisputeTexts) -> tuple[str, str]:
    """Return the refused text, and what is wrong with it."""
    return ("", "") if unsent is None else (unsent.text, texts.problems[unsent.problem])


@dataclass(frozen=True, slots=True)
class StoryEntry:
    """One step or note; `look` is the style: own, staff, other or step."""

    who: str
    what: str
    time: int
    text: str
    picture: Picture | None
    look: str


@dataclass(frozen=True, slots=True)
class Story:
    """What its reader may see of a dispute; an order has more, such as names and tokens.

    `words` is set if its reader may write, `upload` if it may send a file.

    `tasks` are what each side and support do next while the dispute is open, the reader's first:
    who, what, and whether an answer of it is wanted. `count` is the number of notes. `is_full`: the
    reader has reached the limit of notes. `sum` is what `_sum` returns.
    """

    texts: DisputeTexts
    title: str
    tasks: tuple[tuple[str, str, bool], ...]
    entries: tuple[StoryEntry, ...]
    count: int
    action: str = field(repr=False)
    words: Words | None
    is_full: bool
    upload: UploadForm | None = field(repr=False)
    sum: Mapping[str, object] | None = None

    @property
    def image_origin(self) -> str | None:
        """The origin of the small pictures; None without any."""
        shown = (entry.picture.preview for entry in self.entries if entry.picture)
        return image_origin(next(shown, ""))


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader, a payer, trader or merchant: its texts, and where its form and pictures are.

    `now` is the time in Unix seconds. `action` is the form's target. `link` returns the address of
    a note's picture and page. `preview` signs a small picture's key.
    """

    by: Actor
    texts: DisputeTexts
    shared: SharedTexts
    now: int
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
    is_asked, texts = open_question(notes, reader.by) is not None, reader.texts
    label = texts.answer if is_asked else texts.add
    words = Words(_TEXT, label, _readers(order, reader.by, texts), *_refused(unsent, texts))
    return Story(
        texts=reader.texts,
        title=reader.texts.title if order.was_disputed else reader.texts.late_title,
        tasks=tuple(_tasks(order, notes, reader)),
        entries=tuple(_entries(order, notes, reader)),
        count=len(notes),
        action=reader.action,
        words=words if is_open and has_room else None,
        is_full=is_open and not has_room,
        upload=upload if is_open else None,
        sum=_sum(order, reader),
    )


def _sum(order: Order, reader: Reader) -> Mapping[str, object] | None:
    """Return the different sum that was reported, and the payer's answer; None without one.

    `can_agree` and `can_object`: the reader is the payer, who can still answer so.
    """
    if order.sums.reported_fen is None:
        return None
    texts, is_open = reader.texts, order.status is OrderStatus.DISPUTED
    arrived, asked = money_of(order.sums.reported_fen), money_of(order.held_quote.cny_fen)
    is_payers = is_open and reader.by is Actor.PAYER
    can_agree = is_payers and order.sums.sum_answer is not SumAnswer.AGREED
    can_object = is_payers and order.sums.sum_answer is None
    told = texts.sum_answers_of_payer if reader.by is Actor.PAYER else texts.sum_answers
    is_own = reader.by is Actor.TRADER
    reported = texts.sum_reported_by_you if is_own else texts.sum_reported
    advice = [reported.format(arrived=arrived, asked=asked)]
    if is_open or order.sums.sum_answer is not None:
        advice.append(
            told["silent" if order.sums.sum_answer is None else order.sums.sum_answer.value]
        )
    if is_payers and order.sums.sum_answer is not None:
        advice.append(texts.sum_next)
    if order.sums.held_fen is not None:
        advice.append(texts.sum_completed.format(amount=money_of(order.quote.cny_fen)))
    return {
        "notice": Notice(texts.sum_title, " ".join(advice)),
        "can_agree": can_agree,
        "can_object": can_object,
        "agree": texts.sum_agree.format(arrived=arrived),
    }


def _tasks(order: Order, notes: Sequence[Note], reader: Reader) -> Iterator[tuple[str, str, bool]]:
    """Yield what the reader, the other sides and support do next in an open dispute.

    No answer of a merchant is due.
    """
    if order.status is not OrderStatus.DISPUTED:
        return
    texts = reader.texts
    own = None if reader.by is Actor.MERCHANT else answer_due(order, notes, reader.by)
    if own is None:
        yield texts.you, texts.nothing_to_do, False
    else:
        is_asked = open_question(notes, reader.by) is not None
        usual = texts.explain_as_payer if reader.by is Actor.PAYER else texts.explain_as_trader
        wanted = texts.answer_late if own <= reader.now else texts.answer_by if is_asked else usual
        yield texts.you, wanted.format(time=_until(own, reader)), True
    sides = {OrderType.BUY: (Actor.PAYER, Actor.TRADER), OrderType.SELL: (Actor.TRADER,)}
    for other in sides[order.order_type]:  # a sell's customer has no page
        if other is reader.by:
            continue
        due = answer_due(order, notes, other)
        told = texts.no_answer_due if due is None else texts.other_by
        yield _name(other, reader), told.format(time=_until(due or 0, reader)), False
    yield texts.names[Actor.OPERATOR], texts.support_decides, False


def _until(seconds: int, reader: Reader) -> str:
    return moment_of(seconds, reader.shared).text


def _entries(order: Order, notes: Sequence[Note], reader: Reader) -> Iterator[StoryEntry]:
    """Return steps and notes by time.

    Steps keep their order, and so do notes, even where two servers' clocks differ. At the same
    second the dispute comes before its notes, and its end after them.
    """
    disputes = (n for n, e in enumerate(order.timeline) if e.status is OrderStatus.DISPUTED)
    first = next(disputes, len(order.timeline))
    steps = [
        (entry.time, 0 if entry.status is OrderStatus.DISPUTED else 2, _step(entry, step, reader))
        for entry in order.timeline[first:]
        if (step := _step_notice(entry, order.order_type, reader))
    ]
    said = [(note.time, 1, _noted(note, n, reader)) for n, note in enumerate(notes, 1)]
    for _, _, entry in heapq.merge(steps, said, key=lambda each: each[:2]):
        yield entry


def _step_notice(entry: TimelineEntry, side: OrderType, reader: Reader) -> Notice | None:
    """Return a dispute's beginning, or its end and what follows from it; None for another step."""
    texts = reader.texts
    if entry.status is OrderStatus.DISPUTED:
        return Notice(texts.disputed, "")
    if entry.status is OrderStatus.COMPLETED:
        decided = {Actor.OPERATOR.value: texts.arrived[side], Actor.PAYER.value: texts.agreed}
        ended = decided.get(entry.by or "", texts.confirmed)
        return Notice(ended, _follows(side, reader, is_paid=True))
    if entry.status is OrderStatus.CANCELLED:
        return Notice(texts.missing_money[side], _follows(side, reader, is_paid=False))
    return None


def _follows(side: OrderType, reader: Reader, *, is_paid: bool) -> str:
    """Return what follows for the reader from a dispute's end."""
    texts = reader.texts
    if reader.by is Actor.PAYER:
        return texts.payer_paid if is_paid else texts.payer_not_paid
    if reader.by is Actor.MERCHANT:
        return (texts.merchant_paid if is_paid else texts.merchant_not_paid)[side]
    return (texts.trader_paid if is_paid else texts.trader_not_paid)[side]


def _step(entry: TimelineEntry, step: Notice, reader: Reader) -> StoryEntry:
    who = _name(Actor(entry.by), reader) if entry.by else ""
    return StoryEntry(who, step.headline, entry.time, step.advice, None, "step")


def _noted(note: Note, number: int, reader: Reader) -> StoryEntry:
    who = _name(note.by, reader)
    return StoryEntry(
        who=who,
        what=_question(note.asked, reader) if note.asked else "",
        time=note.time,
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


def _question(asked: AskedSide, reader: Reader) -> str:
    is_own = asked.value == reader.by.value
    return reader.texts.question_to_you if is_own else reader.texts.questions[asked]


def _name(by: Actor, reader: Reader) -> str:
    return reader.texts.you if by is reader.by else reader.texts.names[by]
