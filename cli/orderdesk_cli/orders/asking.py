"""`orderdesk order ask`: a question about a disputed order, which payer and trader read."""

from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk.domain.orders.notes import Asked
from orderdesk.services.operator.questions import ask as ask_about
from orderdesk_cli.invocation import command, new_group
from orderdesk_cli.orders.notes import note_data, notes_drawn
from orderdesk_cli.orders.refusals import order_to_move, told_of_conflicts
from orderdesk_cli.output import Answer
from orderdesk_cli.values import remark

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

group = new_group()


@command(group, "ask")
def ask(
    office: "Office",
    number: Annotated[
        str, typer.Argument(metavar="NO", help="order_no or order_id.", show_default=False)
    ],
    *,
    text: Annotated[
        str,
        typer.Option(parser=remark, metavar="TEXT", help="The question; both sides read it."),
    ],
    to: Annotated[Asked, typer.Option(help="Who is asked to answer.")] = Asked.BOTH,
) -> Answer:
    """Ask about a disputed order; payer and trader both read it, and the audit trail has it."""
    order = order_to_move(office.orders, number, office.now())
    with told_of_conflicts(order):
        after = ask_about(order.order_no, to, text, office.order_ports)
    notes = office.orders.notes(after.order_no)
    data = {"order_no": after.order_no, "notes": [note_data(note) for note in notes]}
    return Answer(data, notes_drawn(notes))
