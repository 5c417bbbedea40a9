"""The question that the desk asks before it makes a trader's move.

With a script a dialog of the order's page asks; without one a separate page asks.
"""

from dataclasses import dataclass, field

from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Move
from orderdesk.domain.pricing import OrderType
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.frame import PARTS, DeskLinks, desk_page
from orderdesk.web.pages.desk.summary import summary_of
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.texts import Language, QuestionTexts

_LOOKS = {Move.CONFIRM: "", Move.DISPUTE: "wrong", Move.DECLINE: "wrong"}


@dataclass(frozen=True, slots=True)
class Question:
    """An offered move: its texts, its form's address, and its button's style."""

    move: Move
    name: str
    texts: QuestionTexts
    action: str = field(repr=False)
    look: str


def questions_of(
    order: Order, now: int, language: Language, links: DeskLinks
) -> tuple[Question, ...]:
    """Give the moves that an order's trader may make at a time (Unix seconds)."""
    texts = TEXTS[language].order.questions
    return tuple(
        Question(
            move=move,
            name=PARTS[move],
            texts=texts[order.order_type, move],
            action=links.move(order.order_no, move),
            look=_LOOKS[move],
        )
        for move in _offered(order, now)
    )


def question_page(
    order: Order, question: Question, now: int, language: Language, links: DeskLinks
) -> Page:
    """Ask on a page of its own, for browsers without a script."""
    summary = summary_of(order, now, TEXTS[language], links)
    here = links.here(f"orders/{order.order_no}/{question.name}")
    view = {"order": summary, "question": question}
    return desk_page("desk/question.html", view, links, here, section="orders")


def _offered(order: Order, now: int) -> tuple[Move, ...]:
    match order.order_type, order.status_at(now):
        case OrderType.BUY, OrderStatus.PENDING:
            return (Move.CONFIRM,)
        case OrderType.BUY, OrderStatus.PAID:
            return (Move.CONFIRM, Move.DISPUTE)
        case OrderType.SELL, OrderStatus.ASSIGNED:
            return (Move.CONFIRM, Move.DECLINE) if order.receipts else (Move.DECLINE,)
        case _:
            return ()
