"""A text that payer or trader writes in a dispute: its field, and what a browser posts."""

from dataclasses import dataclass, field

from orderdesk.domain.orders.notes import TEXT_LENGTH_MAX, Said, TextProblem, UnfitText, note_text
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import Actor
from orderdesk.web.http import Request
from orderdesk.web.pages.dispute.texts import DisputeTexts
from orderdesk.web.pages.forms import BadForm, read_form
from orderdesk.web.pages.texts import Language, Notice, SharedTexts

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
