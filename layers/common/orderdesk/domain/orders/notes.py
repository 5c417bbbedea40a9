"""Notes of a disputed order: texts, questions and pictures (contract section 6).

Payer, trader, merchant and operators read all notes, so a note names its author's role only, never
a person. Their number is limited: a few texts and pictures of each party, and one more text for
each question that an operator asks it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from orderdesk.domain.errors import Refusal, Unfit
from orderdesk.domain.orders.order import ANSWER_SECONDS, Order, OrderStatus, Receipt
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.plain_text import is_control
from orderdesk.domain.pricing import OrderType

TEXT_LENGTH_MAX = 500
TEXTS_MAX = 5
QUESTIONS_MAX = 10
PICTURES_MAX = 5

_LINE_END = "\n"


class AskedSide(StrEnum):
    """Whom an operator asks."""

    PAYER = "payer"
    TRADER = "trader"
    BOTH = "both"

    def includes(self, actor: Actor) -> bool:
        """Return whether an actor is asked."""
        match self:
            case AskedSide.PAYER:
                return actor is Actor.PAYER
            case AskedSide.TRADER:
                return actor is Actor.TRADER
            case AskedSide.BOTH:
                return actor in {Actor.PAYER, Actor.TRADER}


@dataclass(frozen=True, slots=True)
class Note:
    """A text, an operator's question (`asked` is set), or a picture; `time` in Unix seconds."""

    by: Actor
    time: int
    text: str = field(default="", repr=False)
    asked: AskedSide | None = None
    picture: Receipt | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A text of a party, and how many notes the form's page showed."""

    text: str = field(repr=False)
    seen: int


class TextProblem(StrEnum):
    """What is wrong with a text, for the page to show."""

    MISSING = "missing"
    TOO_LONG = "too_long"
    CONTROLS = "controls"


class UnfitText(Unfit[TextProblem]):
    """The text is not accepted; carries what is wrong with it."""


class TooManyNotes(Refusal, reason="invalid_parameter"):
    """The author has reached its limit of notes on the order."""


def note_text(text: str) -> str:
    r"""Normalise a text: lines end with `\n`, and blanks around the text are removed.

    Raises: UnfitText.
    """
    kept = text.replace("\r\n", _LINE_END).strip()
    if not kept:
        raise UnfitText(TextProblem.MISSING)
    if len(kept) > TEXT_LENGTH_MAX:
        raise UnfitText(TextProblem.TOO_LONG)
    if any(is_control(letter) and letter != _LINE_END for letter in kept):
        raise UnfitText(TextProblem.CONTROLS)
    return kept


def can_be_asked(order: Order, asked: AskedSide) -> bool:
    """Return whether all who are asked can answer; a sell's customer has no page for it."""
    match order.order_type:
        case OrderType.BUY:
            return True
        case OrderType.SELL:
            return asked is AskedSide.TRADER


def is_kept(note: Note, notes: Sequence[Note], seen: int = 0) -> bool:
    """Return whether the author's same text is among the notes after the first `seen`.

    If so, the same form was sent again. `seen` is how many notes the form's page showed.
    """
    said = (note.by, note.text, note.asked)
    return any((kept.by, kept.text, kept.asked) == said for kept in notes[max(0, seen) :])


def takes_text(notes: Sequence[Note], by: Actor) -> bool:
    """Return whether one more text, or question of an operator, is accepted."""
    texts = sum(note.by is by and note.picture is None for note in notes)
    if by is Actor.OPERATOR:
        return texts < QUESTIONS_MAX
    questions = sum(note.asked is not None and note.asked.includes(by) for note in notes)
    return texts < TEXTS_MAX + questions


def pictures_by(notes: Sequence[Note], by: Actor) -> int:
    """Count the pictures of an author."""
    return sum(note.by is by and note.picture is not None for note in notes)


def takes_picture(notes: Sequence[Note], by: Actor) -> bool:
    """Return whether one more picture is accepted."""
    return pictures_by(notes, by) < PICTURES_MAX


def open_question(notes: Sequence[Note], by: Actor) -> Note | None:
    """Return the latest question to somebody that it has not answered; None if there is none."""
    for note in reversed(notes):
        if note.by is by:
            return None
        if note.asked is not None and note.asked.includes(by):
            return note
    return None


def answer_due(order: Order, notes: Sequence[Note], by: Actor) -> int | None:
    """Return until when an answer of the payer or trader is wanted (Unix seconds), or None.

    Each side answers an operator's question, and the dispute unless it began the dispute itself.
    The desk's lists know the trader's without the notes, by `Order.trader_asked_at`.
    """
    if order.status is not OrderStatus.DISPUTED:
        return None
    question = open_question(notes, by)
    if question is not None:
        return question.time + ANSWER_SECONDS
    began = order.timeline[-1]
    has_answered = any(note.by is by and note.time >= began.time for note in notes)
    has_answered = has_answered or (by is Actor.PAYER and order.sums.sum_answer is not None)
    if began.by == by.value or has_answered:
        return None
    return began.time + ANSWER_SECONDS


def is_overdue(order: Order, notes: Sequence[Note], now: int) -> bool:
    """Return whether a side of a dispute owes an answer at a time (Unix seconds)."""
    dues = (answer_due(order, notes, side) for side in (Actor.PAYER, Actor.TRADER))
    sides = [due for due in dues if due is not None]
    return any(due <= now for due in sides)


def suggested_end(order: Order, notes: Sequence[Note], now: int) -> OrderStatus | None:
    """Return how the rules suggest that operators end a buy's dispute; None for no suggestion.

    It is only made after the time to answer (contract section 6). The trader says that nothing
    arrived and the payer shows no receipt: cancelled. There is a receipt and the trader says
    nothing: completed. No clock decides.
    """
    if order.order_type is not OrderType.BUY or order.sums.reported_fen is not None:
        return None
    by_trader = order.since_disputed_by(Actor.TRADER.value)
    payer, trader = (answer_due(order, notes, side) for side in (Actor.PAYER, Actor.TRADER))
    if by_trader and not order.receipts and payer is not None and payer <= now:
        return OrderStatus.CANCELLED
    has_spoken = by_trader or any(note.by is Actor.TRADER for note in notes)
    if order.receipts and not has_spoken and trader is not None and trader <= now:
        return OrderStatus.COMPLETED
    return None


def with_note_counted(order: Order, note: Note) -> Order:
    """Return the order after a note: their number, and whose answer is still wanted.

    A question counts from the second after the dispute began at the earliest. So it differs from
    the dispute, which wants the trader's answer from its first second.
    """

    def asked_at(party: Actor, before: int | None) -> int | None:
        if note.by is party:
            return None
        is_question = note.asked is not None and note.asked.includes(party)
        return max(note.time, order.since + 1) if is_question else before

    return replace(
        order,
        dispute=replace(
            order.dispute,
            notes=order.dispute.notes + 1,
            payer_asked_at=asked_at(Actor.PAYER, order.dispute.payer_asked_at),
            trader_asked_at=asked_at(Actor.TRADER, order.dispute.trader_asked_at),
        ),
        updatetime=note.time,
    )


def since_parties_spoke(notes: Sequence[Note]) -> int:
    """Count the notes up to and including the last one of a party, not of an operator."""
    places = (place for place, note in enumerate(notes, 1) if note.by is not Actor.OPERATOR)
    return max(places, default=0)
