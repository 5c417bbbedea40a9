"""An operator asks about a disputed order: a note that payer and trader read (section 9)."""

from dataclasses import replace

from orderdesk.domain.operators import (
    OperatorRefusal,
    UnacceptableTerms,
    UnknownId,
    required_text_problems,
)
from orderdesk.domain.orders.errors import OrderNotFound, StateConflict
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.notes import (
    QUESTIONS_MAX,
    Asked,
    Note,
    can_be_asked,
    is_kept,
    since_parties_spoke,
    takes_text,
)
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Actor
from orderdesk.services.operator.moves import OperatorMovePorts
from orderdesk.services.orders.move import OrderChange, step_order
from orderdesk.services.orders.notes import noted


def ask(order_no: str, asked: Asked, text: str, ports: OperatorMovePorts) -> Order:
    """Ask payer, trader or both; the audit entry's reason is the question.

    Repeating the question before anybody answers is a success and adds nothing.
    Raises: UnknownId, StateConflict, UnacceptableTerms, OperatorRefusal, TryAgain.
    """
    problems = required_text_problems("text", text)
    if problems:
        raise UnacceptableTerms(problems)

    def step(order: Order) -> OrderChange | None:
        if order.status is not OrderStatus.DISPUTED:
            raise StateConflict(order.status.value)
        if not can_be_asked(order, asked):
            raise OperatorRefusal("the customer of a sell has no page: ask its trader")
        notes = ports.moves.moves.notes(order_no)
        note = Note(Actor.OPERATOR, ports.operator.now(), text.strip(), asked)
        if is_kept(note, notes, since_parties_spoke(notes)):
            return None
        if not takes_text(notes, Actor.OPERATOR):
            raise OperatorRefusal(f"{order_no} has {QUESTIONS_MAX} questions, which is the most")
        entry = ports.operator.entry("order.ask", order_no, note.text, {"to": asked.value})
        return replace(noted(order, note, By(Actor.OPERATOR)), audit=entry)

    try:
        return step_order(order_no, step, ports.moves)
    except OrderNotFound:
        raise UnknownId("order", order_no) from None
