"""Many disputes that are ended at once, as operators see them before and after."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import RenderableType

from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk_cli.output import Answer, Json, listing, stacked


@dataclass(frozen=True, slots=True)
class Resolved:
    """An order after the attempt to end its dispute; `problem` says why that was refused."""

    order: Order
    problem: str = ""


def foreseen(orders: Sequence[Order], outcome: OrderStatus) -> RenderableType:
    """Draw what will be done: the orders, and what they come to in each mode."""
    rows = [
        [
            order.order_no,
            order.order_type.name.lower(),
            order.mode.value,
            format_cny(order.quote.cny_fen),
            format_usdt(order.quote.usdt_micro),
        ]
        for order in orders
    ]
    columns = ["order", "side", "mode", "CNY", "USDT"]
    totals = [
        f"{mode.value}: {total['orders']} orders, {total['cny']} CNY, {total['usdt']} USDT"
        for mode in Mode
        if (total := _total(orders, mode))["orders"]
    ]
    return stacked(f"disputed → {outcome.value}", listing(columns, rows, ""), *totals)


def resolved(done: Sequence[Resolved], outcome: OrderStatus, *, may_be_more: bool) -> Answer:
    """Answer with each order; those that were refused are complaints."""
    rows = [
        [one.order.order_no, "refused" if one.problem else one.order.status.value] for one in done
    ]
    orders = [one.order for one in done if not one.problem]
    data: dict[str, Json] = {
        "outcome": outcome.value,
        "orders": [_data(one) for one in done],
        "totals": {mode.value: _total(orders, mode) for mode in Mode},
    }
    warning = "there may be more disputed orders: run it again" if may_be_more else ""
    complaints = [f"{one.order.order_no}: {one.problem}" for one in done if one.problem]
    shown = listing(["order", "now"], rows, "No disputed orders.")
    return Answer(data, shown, warning, complaints)


def _data(one: Resolved) -> dict[str, Json]:
    order = one.order
    return {
        "order_no": order.order_no,
        "is_test": order.mode.is_test,
        "cny_amount": format_cny(order.quote.cny_fen),
        "usdt_amount": format_usdt(order.quote.usdt_micro),
        "status": order.status.value,
        "refused": one.problem or None,
    }


def _total(orders: Sequence[Order], mode: Mode) -> dict[str, Json]:
    quotes = [order.quote for order in orders if order.mode is mode]
    return {
        "orders": len(quotes),
        "cny": format_cny(sum(quote.cny_fen for quote in quotes)),
        "usdt": format_usdt(sum(quote.usdt_micro for quote in quotes)),
    }
