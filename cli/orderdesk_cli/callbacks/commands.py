"""`orderdesk callback …`: deliveries, their attempts, and redelivery."""

from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk_cli.answering import Answer, Items
from orderdesk_cli.api import PAGE_MAX
from orderdesk_cli.commands import Commands, Said
from orderdesk_cli.options import OfMerchant, Reason
from orderdesk_cli.sheets.callbacks import DELIVERY, OF_ORDER, TROUBLED

if TYPE_CHECKING:
    from orderdesk_cli.api import Api

commands = Commands()
group = commands.typer

LIMIT = 50

Most = Annotated[int, typer.Option("--limit", min=1, help="At most so many.")]
WebhookId = Annotated[
    str, typer.Argument(metavar="WEBHOOK_ID", help="As listed.", show_default=False)
]


@commands.runs("list")
def list_deliveries(
    api: "Api",
    _: Said,
    order_no: Annotated[
        str | None,
        typer.Argument(metavar="[NO]", help="order_no, pending_no or order_id."),
    ] = None,
    merchant_id: OfMerchant = None,
    most: Most = LIMIT,
) -> Answer | Items:
    """List an order's or draft's callbacks with every attempt; without NO what is in trouble.

    In trouble is a callback that has failed so far, or is gone (410), dead or undeliverable. The
    last changed comes first.
    """
    if order_no is None:
        return _first(api, "callback.list", merchant_id, most)
    return Answer([*api.items("callback.list", order_no=order_no)], OF_ORDER)


@commands.runs("dead")
def dead(api: "Api", _: Said, merchant_id: OfMerchant = None, most: Most = LIMIT) -> Items:
    """List the callbacks that are no longer tried: dead and undeliverable, the newest first."""
    return _first(api, "callback.dead", merchant_id, most)


@commands.reads("callback.show", DELIVERY)
def show(webhook_id: WebhookId) -> None:
    """Show a callback with every attempt."""


@commands.writes("callback.redeliver", DELIVERY)
def redeliver(webhook_id: WebhookId, reason: Reason = None) -> None:
    """Send a callback again, with the same webhook-id and its whole schedule."""


def _first(api: "Api", command: str, merchant_id: str | None, most: int) -> Items:
    items = api.items(command, merchant_id=merchant_id, limit=min(most, PAGE_MAX))
    return Items(islice(items, most), TROUBLED)
