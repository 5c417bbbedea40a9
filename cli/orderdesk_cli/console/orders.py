"""The list of orders with its filters, and the search for a number."""

from collections.abc import Mapping
from enum import StrEnum

import typer
from starlette.responses import Response

from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import UnknownId
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.find_orders import find_orders
from orderdesk.services.operator.orders import (
    OrderSearch,
    number_of,
    order_page,
)
from orderdesk_cli.console.sheets import Field
from orderdesk_cli.console.summary import order_table
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.values import Side, cny, point_in_time

PAGE_SIZE = 50
_ID_DIGITS_MAX = 16


def listed(visit: Visit) -> Response:
    """Show a page of the orders that the filters let through, the newest first."""
    wanted = _wanted(visit.query, visit.office.now_us())
    now = visit.now
    page = order_page(visit.office.order_listing, wanted, now, size=PAGE_SIZE)
    so_far = "No order among those looked at so far. Older ones may match."
    empty = so_far if page.before_id else "No orders."
    asked = {name: value for name, value in visit.query.items() if name != "before"}
    older = visit.to("orders", **asked, before=str(page.before_id)) if page.before_id else ""
    return visit.page(
        "orders.html",
        section="orders",
        filters=_filters(visit.query),
        is_filtered=bool(asked),
        table=order_table(visit, page.orders, now, empty),
        older=older,
        newest=visit.to("orders", **asked) if "before" in visit.query else "",
    )


def found(visit: Visit) -> Response:
    """Lead to the order or draft with a number; list them if several merchants gave it."""
    text = visit.query.get("text", "")
    if not text:
        return visit.go("orders")
    those = find_orders(visit.office.find_ports, text, visit.now, size=PAGE_SIZE).subjects
    if not those:
        raise UnknownId("order", text)
    if len(those) == 1:
        return visit.go(f"orders/{number_of(those[0])}")
    return visit.page(
        "orders.html",
        section="orders",
        filters=(),
        is_filtered=False,
        table=order_table(visit, those, visit.now, ""),
        older="",
        newest="",
    )


def _filters(asked: Mapping[str, str]) -> list[Field]:
    def of(name: str, label: str, choices: type[StrEnum] | None = None, hint: str = "") -> Field:
        options = () if choices is None else tuple(choice.value for choice in choices)
        return Field(name, label, asked.get(name, ""), options, hint)

    return [
        of("status", "Status", OrderStatus),
        of("type", "Type", Side),
        of("mode", "Mode", Mode),
        of("merchant", "Merchant"),
        of("trader", "Trader"),
        of("since", "Created since", hint="2026-01-31, or 24h, 7d"),
        of("until", "Created until"),
        of("min_cny", "CNY from"),
        of("max_cny", "CNY to"),
    ]


def _wanted(asked: Mapping[str, str], now_us: int) -> OrderSearch:
    """Read the filters. Raises: typer.BadParameter."""
    since, until = asked.get("since"), asked.get("until")
    side = _one_of(Side, asked.get("type"))
    return OrderSearch(
        merchant_id=asked.get("merchant"),
        trader_id=asked.get("trader"),
        status=_one_of(OrderStatus, asked.get("status")),
        order_type=None if side is None else OrderType[side.name],
        mode=_one_of(Mode, asked.get("mode")),
        since=None if since is None else -(-point_in_time(since).at_us(now_us) // US_PER_SECOND),
        until=None if until is None else point_in_time(until).at_us(now_us) // US_PER_SECOND,
        min_cny_fen=cny(asked["min_cny"]) if "min_cny" in asked else None,
        max_cny_fen=cny(asked["max_cny"]) if "max_cny" in asked else None,
        before_id=_order_id(asked.get("before")),
    )


def _one_of[E: StrEnum](kind: type[E], text: str | None) -> E | None:
    if text is None:
        return None
    try:
        return kind(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is none of {', '.join(kind)}") from None


def _order_id(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _ID_DIGITS_MAX):
        raise typer.BadParameter(f"{text!r} is no order_id")
    return int(text)
