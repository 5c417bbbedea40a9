"""`orderdesk order show|list`: looking orders up."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, cast

import typer

from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.services.operator import orders as operator_orders
from orderdesk.services.operator.merchants import known_merchant
from orderdesk.web.merchant.views import queried
from orderdesk_cli.invocation import command, new_group
from orderdesk_cli.orders import views
from orderdesk_cli.output import Answer, Json

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

group = new_group("Orders and drafts.")

LIMIT = 50
LIMIT_MAX = 1000


@command(group, "show")
def show(
    office: "Office",
    number: Annotated[
        str,
        typer.Argument(metavar="NO", help="order_no, pending_no or order_id.", show_default=False),
    ],
) -> Answer:
    """Show an order or draft as its merchant sees it, and who is behind it (masked)."""
    found = operator_orders.find_order(office.orders, number)
    seen = merchant_view(office, found.merchant_id)(found)
    if isinstance(found, Draft):
        return views.draft_shown(found, seen, office.callbacks.of_number(found.pending_no))
    return views.order_shown(found, seen, office.callbacks.of_number(found.order_no))


@command(group, "list")
def list_newest(
    office: "Office",
    status: Annotated[OrderStatus | None, typer.Option(help="Only in this status.")] = None,
    merchant: Annotated[
        str | None, typer.Option(metavar="ID", help="Only this merchant's.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=LIMIT_MAX, help="At most so many.")] = LIMIT,
) -> Answer:
    """List orders, the newest first."""
    found = operator_orders.newest_orders(
        office.order_listing, merchant_id=merchant, status=status, limit=limit
    )
    return views.listed(found, office.operator.now())


def merchant_view(office: "Office", merchant_id: str) -> Callable[[Order | Draft], dict[str, Json]]:
    """Give what writes a merchant's orders and drafts as queryOrder answers them.

    The secret and the address for the links are read here, before a move: so the answer after the
    move needs no further read. Raises: UnknownId, StackUnavailable, botocore's errors.
    """
    merchant = known_merchant(office.merchants, merchant_id)
    secret = office.vault.unseal(merchant_id, merchant.sealed_secrets).link_secret
    base_url = office.stack.output("BaseUrl")

    def seen(found: Order | Draft) -> dict[str, Json]:
        return cast("dict[str, Json]", queried(found, base_url, secret, office.operator.now()))

    return seen
