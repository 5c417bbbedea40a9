"""An operator asks payer, trader or both about a disputed order, and what was said about it."""

from collections.abc import Sequence

import typer
from starlette.responses import Response

from orderdesk.domain.operators import OperatorRefusal
from orderdesk.domain.orders.notes import Asked, Note, can_be_asked
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.services.operator.questions import ask as ask_about
from orderdesk_cli.console.evidence import notes_of, order_of_visit
from orderdesk_cli.console.questions import Choice, Question, ask
from orderdesk_cli.console.sheets import Action, Field, Table
from orderdesk_cli.console.summary import order_facts
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.orders.notes import NOTE_COLUMNS, note_row

_TO, _TEXT = "to", "text"


def ask_action(visit: Visit, order: Order) -> Action:
    """Give the link to the page that asks what to ask."""
    return Action("Ask a question", visit.to(f"orders/{order.order_no}/ask"))


def notes_table(notes: Sequence[Note]) -> Table:
    """Give what was said and sent, oldest first."""
    rows = [note_row(note) for note in notes]
    return Table("Notes", NOTE_COLUMNS, rows, "Nobody has said anything.")


def asked(visit: Visit) -> Response:
    """Ask what to ask, and whom."""
    order = order_of_visit(visit)
    if order.status is not OrderStatus.DISPUTED:
        raise OperatorRefusal(f"{order.order_no} is {order.status.value}: nobody is asked about it")
    said = [
        f"{by}{f' to {to}' if to else ''}: {what}"
        for _, by, to, what in map(note_row, notes_of(visit, order))
    ]
    return ask(
        visit,
        "orders",
        Question(
            title="What do you ask?",
            text="Payer and trader both read it on their page of the order. Write nothing that one "
            "of them must not know of the other.",
            button="Ask",
            back=visit.to(f"orders/{order.order_no}"),
            facts=order_facts(visit, order, visit.now),
            lines=said,
            lines_title="What was said",
            fields=[Field(_TEXT, "Question", hint="Kept in the audit trail, too.", required=True)],
            choices=[Choice(to.value, to.value) for to in Asked if can_be_asked(order, to)],
            choices_label="Who is asked to answer",
            choice_name=_TO,
        ),
    )


def sent(visit: Visit) -> Response:
    """Ask by the same use case as the command."""
    order = order_of_visit(visit)
    try:
        to = Asked(visit.form.get(_TO, ""))
    except ValueError:
        raise typer.BadParameter("choose who is asked") from None
    ask_about(order.order_no, to, visit.form.get(_TEXT, ""), visit.office.order_ports)
    return visit.go(f"orders/{order.order_no}")
