"""The question that the pay page asks before a move that a payer cannot undo.

With a script a dialog of the page asks; without one, or where there is something to write, a
separate page asks.
"""

from dataclasses import dataclass, field

from orderdesk.domain.orders.moves import is_possible
from orderdesk.domain.orders.order import DISPUTE_AFTER_SECONDS, Order
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.web.pages.dispute.words import Unsent, Words, reason_words
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.pay import TEXTS
from orderdesk.web.pages.pay.links import Links
from orderdesk.web.pages.texts import Language, QuestionTexts
from orderdesk.web.pages.values import amount_of


@dataclass(frozen=True, slots=True)
class Question:
    """An offered move, its texts, and its form's address; a dispute takes a reason (`words`)."""

    move: Move
    texts: QuestionTexts
    action: str = field(repr=False)
    words: Words | None = None


def question_of(
    order: Order, now: int, language: Language, links: Links, unsent: Unsent | None = None
) -> Question | None:
    """Give the question of an order's page at a time (Unix seconds), or None.

    `unsent` is a reason that was not kept.
    """
    texts = TEXTS[language]
    if is_possible(order, Move.CANCEL, Actor.PAYER, now):
        return Question(Move.CANCEL, texts.cancelling, links.cancel)
    if is_possible(order, Move.DISPUTE, Actor.PAYER, now):
        words = reason_words(order, Actor.PAYER, language, unsent)
        return Question(Move.DISPUTE, texts.disputing, links.dispute, words)
    return None


def disputable_from(paid: Order) -> int:
    """Give the time from which the payer of a paid order may dispute it (Unix seconds)."""
    return paid.since + DISPUTE_AFTER_SECONDS


def question_page(order: Order, question: Question, links: Links) -> Page:
    """Ask on a page of its own, for browsers without a script."""
    view = {
        "order_no": order.order_no,
        "amount": amount_of(order.quote.cny_fen),
        "links": links,
        "question": question,
    }
    return Page("pay/question.html", {"view": view}, texts=TEXTS)
