"""The queue of disputes: the longest disputed first, each with its evidence and its two ends."""

from starlette.responses import Response

from orderdesk.domain.money import format_cny
from orderdesk.domain.orders.order import Order
from orderdesk.services.operator.orders import disputed_orders
from orderdesk_cli.console.asking import notes_table
from orderdesk_cli.console.evidence import notes_of, pictures_of
from orderdesk_cli.console.moves import actions_of
from orderdesk_cli.console.sheets import Action, Section
from orderdesk_cli.console.summary import order_facts
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.output import time_text

SHOWN = 20


def queued(visit: Visit) -> Response:
    """Show the disputes that have waited longest."""
    now = visit.now
    waiting = disputed_orders(visit.office.order_listing)
    more = f" The {SHOWN} that wait longest are shown." if len(waiting) > SHOWN else ""
    lead = f"Disputed orders: {len(waiting)}.{more}" if waiting else "No order is disputed."
    sections = [_section(visit, order, now) for order in waiting[:SHOWN]]
    return visit.page(
        "sheet.html", section="disputes", title="Disputes", lead=lead, sections=sections
    )


def _section(visit: Visit, order: Order, now: int) -> Section:
    notes = notes_of(visit, order)
    pictures = list(pictures_of(visit, order, notes))
    said = f"Disputed by {order.timeline[-1].by} since {time_text(order.since)}."
    return Section(
        heading=f"{format_cny(order.quote.cny_fen)} CNY, {order.order_no}",
        note=said if pictures else f"{said} Nothing was sent.",
        facts=order_facts(visit, order, now),
        pictures=pictures,
        tables=[notes_table(notes)],
        actions=[
            *actions_of(visit, order, now),
            Action("The whole story", visit.to(f"orders/{order.order_no}")),
        ],
    )
