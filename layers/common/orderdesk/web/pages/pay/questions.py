"""What the pay page asks before it makes a move that a payer cannot take back.

With a script the page's own dialog asks, without one a page does.
"""

from dataclasses import dataclass, field

from orderdesk.domain.orders.moves import is_possible
from orderdesk.domain.orders.order import DISPUTE_AFTER_SECONDS, Order
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.pay import TEXTS
from orderdesk.web.pages.pay.links import Links
from orderdesk.web.pages.texts import Language, QuestionTexts
from orderdesk.web.pages.values import amount_of


@dataclass(frozen=True, slots=True)
class Question:
    """A move that is offered, its words, and where its form goes."""

    move: Move
    texts: QuestionTexts
    action: str = field(repr=False)


def question_of(order: Order, now: int, language: Language, links: Links) -> Question | None:
    """Give what an order's page asks about at a time (Unix seconds), if anything."""
    texts = TEXTS[language]
    if is_possible(order, Move.CANCEL, Actor.PAYER, now):
        return Question(Move.CANCEL, texts.cancelling, links.cancel)
    if is_possible(order, Move.DISPUTE, Actor.PAYER, now):
        return Question(Move.DISPUTE, texts.disputing, links.dispute)
    return None


def disputable_from(paid: Order) -> int:
    """Tell from when on the payer of a paid order may dispute it (Unix seconds)."""
    return paid.since + DISPUTE_AFTER_SECONDS


def question_page(order: Order, question: Question, links: Links) -> Page:
    """Ask on a page, where no script can open the dialog."""
    view = {
        "order_no": order.order_no,
        "amount": amount_of(order.quote.cny_fen),
        "links": links,
        "question": question,
    }
    return Page("pay/question.html", {"view": view}, texts=TEXTS)
