"""`orderdesk order …`: looking orders up. Moving them comes with their life cycle."""

from typing import TYPE_CHECKING, Annotated

import typer

from cli import order_views as views
from cli.invocation import command, new_group
from cli.output import Answer
from orderdesk.domain.drafts import Draft
from orderdesk.domain.ids import IDENTITY_LINK, PAY_LINK, link_token
from orderdesk.domain.orders import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services import operator_orders
from orderdesk.services.onboard_merchants import known_merchant
from orderdesk.web.order_views import identity_url, pay_url

if TYPE_CHECKING:
    from cli.wiring import Office

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
    base_url = office.stack.output("BaseUrl")
    if isinstance(found, Draft):
        token = _token(office, found.merchant_id, IDENTITY_LINK, found.pending_no)
        url = identity_url(base_url, found.pending_no, token)
        return views.draft_shown(found, url, office.operator.now())
    if found.order_type is OrderType.SELL:
        return views.order_shown(found, None, office.operator.now())
    token = _token(office, found.merchant_id, PAY_LINK, found.order_no)
    url = pay_url(base_url, found.order_no, token)
    return views.order_shown(found, url, office.operator.now())


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


def _token(office: "Office", merchant_id: str, purpose: str, number: str) -> str:
    """Derive the token of a page's link again, as queryOrder does; it is stored nowhere."""
    merchant = known_merchant(office.merchants, merchant_id)
    secrets = office.vault.unseal(merchant_id, merchant.sealed_secrets)
    return link_token(secrets.link_secret, purpose, number)
