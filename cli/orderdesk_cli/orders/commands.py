"""`orderdesk order show|list|find`: looking orders up."""

from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import UnknownId
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.find_orders import find_orders
from orderdesk.services.operator.orders import (
    PAGE_MAX,
    OrderSearch,
    find_order,
    newest_orders,
)
from orderdesk_cli.invocation import command, new_group
from orderdesk_cli.orders import views
from orderdesk_cli.orders.links import merchant_view
from orderdesk_cli.output import Answer
from orderdesk_cli.values import TIME_FORMS, PointInTime, Side, cny, point_in_time

if TYPE_CHECKING:
    from orderdesk_cli.listings import Listed
    from orderdesk_cli.wiring import Office

group = new_group()


@command(group, "show")
def show(
    office: "Office",
    number: Annotated[
        str,
        typer.Argument(metavar="NO", help="order_no, pending_no or order_id.", show_default=False),
    ],
) -> Answer:
    """Show an order or draft as its merchant sees it, and who is behind it (masked)."""
    found = find_order(office.orders, number)
    seen = merchant_view(office, found)(found)
    if isinstance(found, Draft):
        return views.draft_shown(found, seen, office.callbacks.of_number(found.pending_no))
    notes = office.orders.notes(found.order_no) if found.notes else ()
    return views.order_shown(found, seen, notes, office.callbacks.of_number(found.order_no))


@command(group, "list")
def list_newest(
    office: "Office",
    *,
    as_json: bool,
    status: Annotated[OrderStatus | None, typer.Option(help="Only in this status.")] = None,
    merchant: Annotated[
        str | None, typer.Option(metavar="ID", help="Only this merchant's.")
    ] = None,
    trader: Annotated[str | None, typer.Option(metavar="ID", help="Only this trader's.")] = None,
    mode: Annotated[Mode | None, typer.Option(help="Only live, or only test orders.")] = None,
    side: Annotated[Side | None, typer.Option("--type", help="Only this side.")] = None,
    since: Annotated[
        PointInTime | None,
        typer.Option(
            parser=point_in_time, metavar="T", help=f"Created then or later. {TIME_FORMS}"
        ),
    ] = None,
    until: Annotated[
        PointInTime | None,
        typer.Option(parser=point_in_time, metavar="T", help="Created then or earlier."),
    ] = None,
    min_cny: Annotated[
        int | None, typer.Option(parser=cny, metavar="CNY", help="Of this amount or more.")
    ] = None,
    max_cny: Annotated[
        int | None, typer.Option(parser=cny, metavar="CNY", help="Of this amount or less.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most so many; all if absent.")
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> "Listed[Order]":
    """List orders, the newest first, while they are read."""
    if as_csv and as_json:
        raise typer.BadParameter("either --csv or --json")
    now_us = office.now_us()
    wanted = OrderSearch(
        merchant_id=merchant,
        trader_id=trader,
        status=status,
        order_type=None if side is None else OrderType[side.name],
        mode=mode,
        since=None if since is None else -(-since.at_us(now_us) // US_PER_SECOND),
        until=None if until is None else until.at_us(now_us) // US_PER_SECOND,
        min_cny_fen=min_cny,
        max_cny_fen=max_cny,
    )
    now = now_us // US_PER_SECOND
    orders = newest_orders(office.order_listing, wanted, now)
    return views.listed(islice(orders, limit), now, as_csv=as_csv)


@command(group, "find")
def find(
    office: "Office",
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT",
            help="A number or its ending, remark, amount, merchant's or trader's name.",
            show_default=False,
        ),
    ],
) -> Answer:
    """Find orders and drafts by any of their numbers, by remark, amount or party."""
    those = find_orders(office.find_ports, text, office.now(), size=PAGE_MAX).subjects
    if not those:
        raise UnknownId("order", text)
    return views.found(those, office.now())
