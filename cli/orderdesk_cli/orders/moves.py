"""`orderdesk order assign|unassign|cancel|dispute|resolve`: operators' moves (section 6)."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from orderdesk.domain.operators import OperatorRefusal, TraderDoesNotFit
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import MoneyEffect, Move
from orderdesk.services.operator import moves as operator_moves
from orderdesk.services.operator.traders import known_trader
from orderdesk_cli.confirmation import Yes, confirm
from orderdesk_cli.invocation import command, new_group
from orderdesk_cli.orders import move_views as views
from orderdesk_cli.orders.bulk import Bulk, resolve_all
from orderdesk_cli.orders.links import merchant_view
from orderdesk_cli.orders.refusals import misfit_text, order_to_move, told_of_conflicts
from orderdesk_cli.output import Answer
from orderdesk_cli.values import Reason, RequiredReason

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

OrderNumber = Annotated[
    str, typer.Argument(metavar="NO", help="order_no or order_id.", show_default=False)
]


group = new_group()


@command(group, "assign")
def assign(
    office: "Office",
    number: OrderNumber,
    trader_id: Annotated[
        str, typer.Argument(metavar="TRADER_ID", help="Whom to give it.", show_default=False)
    ],
    reason: Reason = "",
) -> Answer:
    """Assign a sell that waits to a trader that fits it, online or not."""
    order = order_to_move(office.orders, number, office.operator.now())
    seen = merchant_view(office, order)
    with told_of_conflicts(order):
        try:
            moved = operator_moves.assign(
                order.order_no,
                trader_id,
                office.order_ports,
                window_seconds=office.stack.assignment_seconds,
                reason=reason,
            )
        except TraderDoesNotFit as error:
            trader = known_trader(office.traders, trader_id)
            text = misfit_text(error.misfits, trader, order, office.operator.now())
            raise OperatorRefusal(text) from None
    trader = known_trader(office.traders, trader_id)
    return views.assigned(moved, seen(moved), trader)


@command(group, "unassign")
def unassign(office: "Office", number: OrderNumber, reason: RequiredReason) -> Answer:
    """Give an assigned sell back to matching; its trader is passed over from now on."""

    def make(order: Order) -> Order:
        return operator_moves.unassign(order.order_no, office.order_ports, reason=reason)

    return _moved(office, number, Move.UNASSIGN, make, is_agreed=True)


@command(group, "cancel")
def cancel(
    office: "Office", number: OrderNumber, reason: RequiredReason, as_json: bool, yes: Yes = False
) -> Answer:
    """Cancel a sell that waits for a trader; its merchant's USDT is released."""

    def make(order: Order) -> Order:
        return operator_moves.cancel(order.order_no, office.order_ports, reason=reason)

    return _moved(office, number, Move.CANCEL, make, is_agreed=yes or as_json)


@command(group, "dispute")
def dispute(
    office: "Office", number: OrderNumber, reason: RequiredReason, as_json: bool, yes: Yes = False
) -> Answer:
    """Dispute an assigned sell, a paid buy, or one paid after it expired or was cancelled.

    For a late payment the trader's USDT is held again.
    """

    def make(order: Order) -> Order:
        return operator_moves.dispute(order.order_no, office.order_ports, reason=reason)

    return _moved(office, number, Move.DISPUTE, make, is_agreed=yes or as_json)


@command(group, "resolve")
def resolve(
    office: "Office",
    words: Annotated[
        list[str],
        typer.Argument(metavar="[NO] completed|cancelled", show_default=False),
    ],
    *,
    reason: RequiredReason,
    as_json: bool,
    merchant: Annotated[
        str | None, typer.Option(metavar="ID", help="All of this merchant's, without NO.")
    ] = None,
    status: Annotated[
        Literal["disputed"] | None, typer.Option(help="With --merchant: which of its orders.")
    ] = None,
    yes: Yes = False,
) -> Answer:
    """End a dispute: completed pays out what the order holds, cancelled gives it back.

    With --merchant ID --status disputed instead of NO it ends all disputes of a merchant.
    """
    outcome, is_agreed = _outcome(words[-1]), yes or as_json
    match words[:-1], merchant, status:
        case [], str(merchant_id), "disputed":
            return resolve_all(office, Bulk(merchant_id, outcome, reason), is_agreed=is_agreed)
        case [number], None, None:
            return _resolved(office, number, outcome, reason, is_agreed=is_agreed)
        case _:
            raise typer.BadParameter("name one order, or --merchant ID --status disputed")


def _resolved(
    office: "Office",
    number: str,
    status: operator_moves.Resolution,
    reason: str,
    *,
    is_agreed: bool,
) -> Answer:

    def make(order: Order) -> Order:
        return operator_moves.resolve(order.order_no, status, office.order_ports, reason=reason)

    what = operator_moves.resolution(status)
    return _moved(office, number, what, make, is_agreed=is_agreed)


def _outcome(word: str) -> operator_moves.Resolution:
    """Read how a dispute ends. Raises: typer.BadParameter."""
    match word:
        case OrderStatus.COMPLETED.value:
            return OrderStatus.COMPLETED
        case OrderStatus.CANCELLED.value:
            return OrderStatus.CANCELLED
        case _:
            raise typer.BadParameter(f"{word!r} is neither completed nor cancelled")


def _moved(
    office: "Office",
    number: str,
    what: Move,
    make: Callable[[Order], Order],
    *,
    is_agreed: bool,
) -> Answer:
    """Make a move, after asking where money moves by it."""
    order = order_to_move(office.orders, number, office.operator.now())
    seen = merchant_view(office, order)
    with told_of_conflicts(order):
        foreseen = operator_moves.foreseen(order, what, office.operator.now())
        if foreseen is not None and foreseen.row.money is not MoneyEffect.STAYS:
            confirm(lambda: views.drawn(foreseen.order), is_agreed=is_agreed)
        moved = make(order)
    return views.moved(moved, seen(moved))
