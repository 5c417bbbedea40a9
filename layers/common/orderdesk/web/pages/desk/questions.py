"""The question that the desk asks before it makes a trader's move.

With a script a dialog of the order's page asks; without one, or where there is something to write,
a separate page asks.
"""

from dataclasses import dataclass, field

from orderdesk.domain.orders.moves import is_possible
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.frame import PARTS, DeskLinks, TraderMove, desk_page
from orderdesk.web.pages.desk.summary import key_of, summary_of
from orderdesk.web.pages.desk.texts import OrderTexts
from orderdesk.web.pages.dispute.words import Unsent, Words, reason_words
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.texts import Language, QuestionTexts


@dataclass(frozen=True, slots=True)
class Question:
    """An offered move: its texts, its form's address, and its button's style.

    A report takes a reason (`words`).
    """

    move: Move
    name: str
    texts: QuestionTexts
    action: str = field(repr=False)
    look: str
    words: Words | None


def questions_of(
    order: Order, now: int, language: Language, links: DeskLinks, unsent: Unsent | None = None
) -> tuple[Question, ...]:
    """Give the moves that an order's trader may make at a time (Unix seconds).

    `unsent` is a reason that was not kept.
    """
    texts = TEXTS[language].order
    return tuple(
        Question(
            move=move,
            name=part,
            texts=_texts(move, order.order_type, texts),
            action=links.move(order.order_no, move),
            look="" if move is Move.CONFIRM else "wrong",
            words=reason_words(order, Actor.TRADER, language, unsent)
            if move is Move.DISPUTE
            else None,
        )
        for move, part in PARTS.items()
        if is_possible(order, move, Actor.TRADER, now)
    )


def question_page(
    order: Order, question: Question, now: int, language: Language, links: DeskLinks
) -> Page:
    """Ask on a page of its own, where there is something to write or no script."""
    summary = summary_of(order, now, TEXTS[language], links)
    here = links.here(f"orders/{order.order_no}/{question.name}")
    view = {"order": summary, "question": question, "key": key_of(order), "now": now}
    return desk_page("desk/question.html", view, links, here, section="orders")


def _texts(move: TraderMove, order_type: OrderType, texts: OrderTexts) -> QuestionTexts:
    match move:
        case Move.CONFIRM:
            return texts.confirm[order_type]
        case Move.DISPUTE:
            return texts.report
        case Move.DECLINE:
            return texts.decline
