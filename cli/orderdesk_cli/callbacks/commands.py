"""`orderdesk callback …`: deliveries, their attempts, and redelivery."""

from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk.domain.callbacks.delivery import Trouble
from orderdesk.domain.orders.drafts import Draft
from orderdesk.services.operator import callbacks as operator_callbacks
from orderdesk.services.operator.callbacks import GIVEN_UP, newest_troubled
from orderdesk.services.operator.orders import find_order
from orderdesk_cli.callbacks import views
from orderdesk_cli.invocation import command, new_group
from orderdesk_cli.output import Answer
from orderdesk_cli.values import Reason

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

group = new_group()

LIMIT = 50
LIMIT_MAX = 1000

Limit = Annotated[int, typer.Option(min=1, max=LIMIT_MAX, help="At most so many.")]


@command(group, "list")
def list_deliveries(
    office: "Office",
    number: Annotated[
        str | None,
        typer.Argument(metavar="[NO]", help="order_no, pending_no or order_id."),
    ] = None,
    limit: Limit = LIMIT,
) -> Answer:
    """List an order's or draft's callbacks with every attempt; without NO what is in trouble.

    In trouble is a callback that has failed so far, or is gone (410), dead or undeliverable. The
    last changed comes first.
    """
    if number is None:
        troubled = newest_troubled(office.callbacks, tuple(Trouble), limit)
        return views.listed(troubled, "No callback is in trouble.")
    found = find_order(office.orders, number)
    own = found.pending_no if isinstance(found, Draft) else found.order_no
    return views.of_order(own, office.callbacks.of_number(own))


@command(group, "redeliver")
def redeliver(
    office: "Office",
    webhook_id: Annotated[
        str, typer.Argument(metavar="WEBHOOK_ID", help="As listed.", show_default=False)
    ],
    reason: Reason = "",
) -> Answer:
    """Send a callback again, with the same webhook-id and its whole schedule."""
    return views.redelivered(
        operator_callbacks.redeliver(
            office.callbacks, office.callback_queue, office.operator, webhook_id, reason
        )
    )


@command(group, "dead")
def dead(office: "Office", limit: Limit = LIMIT) -> Answer:
    """List the callbacks that are no longer tried: dead and undeliverable, the newest first."""
    return views.listed(newest_troubled(office.callbacks, GIVEN_UP, limit), "No callback is dead.")
