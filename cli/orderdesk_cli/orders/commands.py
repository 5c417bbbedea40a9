"""`orderdesk order show|list|find|ask`."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk_cli.answering import Answer
from orderdesk_cli.commands import Commands, Said
from orderdesk_cli.options import (
    ModeName,
    OfMerchant,
    OfTrader,
    Side,
    Since,
    Until,
    cny,
    remark,
)
from orderdesk_cli.sheets.orders import ASKED, DRAFT, HISTORY, ORDER, ORDERS

if TYPE_CHECKING:
    from orderdesk_cli.api import Api

commands = Commands()
group = commands.typer

DRAFT_LETTER = "D"
OrderNumber = Annotated[
    str, typer.Argument(metavar="NO", help="order_no or order_id.", show_default=False)
]


class Status(StrEnum):
    """The statuses of orders."""

    PENDING = "pending"
    PAID = "paid"
    MATCHING = "matching"
    ASSIGNED = "assigned"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    DISPUTED = "disputed"


class Asked(StrEnum):
    """Whom a question is put to."""

    PAYER = "payer"
    TRADER = "trader"
    BOTH = "both"


@commands.runs("show")
def show(
    api: "Api",
    _: Said,
    number: Annotated[
        str,
        typer.Argument(metavar="NO", help="order_no, pending_no or order_id.", show_default=False),
    ],
) -> Answer:
    """Show an order or draft: its story, money, evidence and callbacks (accounts masked)."""
    if number.startswith(DRAFT_LETTER):
        return Answer(api.call("draft.show", pending_no=number), DRAFT)
    return Answer(api.call("order.show", order_no=number), ORDER)


@commands.lists("order.list", ORDERS)
def list_newest(
    *,
    status: Annotated[Status | None, typer.Option(help="Only in this status.")] = None,
    merchant_id: OfMerchant = None,
    trader_id: OfTrader = None,
    mode: Annotated[ModeName | None, typer.Option(help="Only live, or only test orders.")] = None,
    order_type: Annotated[Side | None, typer.Option("--type", help="Only this side.")] = None,
    since: Since = None,
    until: Until = None,
    min_cny: Annotated[
        str | None, typer.Option(parser=cny, metavar="CNY", help="Of this amount or more.")
    ] = None,
    max_cny: Annotated[
        str | None, typer.Option(parser=cny, metavar="CNY", help="Of this amount or less.")
    ] = None,
) -> None:
    """List orders, the newest first, while they are read."""


@commands.lists("order.find", ORDERS)
def find(
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT",
            help="A number or its ending, an amount, a remark, a merchant's or trader's name.",
            show_default=False,
        ),
    ],
) -> None:
    """Find orders and drafts by what a customer, a merchant or a bank statement says."""


@commands.reads("order.history", HISTORY)
def history(order_no: OrderNumber) -> None:
    """Show what operators did with an order, and its timeline."""


@commands.writes("order.ask", ASKED)
def ask(
    order_no: OrderNumber,
    *,
    text: Annotated[
        str,
        typer.Option(parser=remark, metavar="TEXT", help="The question; both sides read it."),
    ],
    to: Annotated[Asked, typer.Option(help="Who is asked to answer.")] = Asked.BOTH,
) -> None:
    """Ask about a disputed order; payer and trader both read it, and the audit trail has it."""
