"""The sells that wait for a trader, the longest-waiting first."""

from itertools import islice

from starlette.responses import Response

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import OrderStatus
from orderdesk_cli.console.sheets import Section, Table
from orderdesk_cli.console.summary import order_table
from orderdesk_cli.console.visits import Visit

SHOWN = 100
# The index tells from when a sell may be offered again; the longest pause is 5 minutes.
_OFFERED_WITHIN_SECONDS = 3600


def waiting(visit: Visit) -> Response:
    """Show the sells in `matching`, live ones first; each leads to its story and its moves."""
    sections = [_section(visit, mode) for mode in Mode]
    return visit.page("sheet.html", section="sells", title="Sells waiting", sections=sections)


def _section(visit: Visit, mode: Mode) -> Section:
    now, office = visit.now, visit.office
    found = islice(office.waiting_sells.waiting(mode, now + _OFFERED_WITHIN_SECONDS), SHOWN)
    orders = [order for each in found if (order := office.orders.order(each.order_no))]
    still = [order for order in orders if order.status is OrderStatus.MATCHING]
    still.sort(key=lambda order: order.since)
    table = order_table(visit, still, now, "No sell waits.")
    cut = f" At most {SHOWN} are shown." if len(orders) == SHOWN else ""
    return Section(
        heading=mode.value.capitalize(),
        note=f"Waiting for a trader: {len(still)}.{cut}" if still else "",
        tables=[Table(f"Sells waiting, {mode.value}", table.columns, table.rows, table.empty)],
    )
