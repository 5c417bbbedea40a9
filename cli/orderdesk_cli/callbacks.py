"""`orderdesk callback …`: deliveries, their attempts, and redelivery."""

from typing import TYPE_CHECKING

from orderdesk_cli.answering import Answer, Items
from orderdesk_cli.commands import COUNT, Said, listed, reads, runs, writes
from orderdesk_cli.options import OF_MERCHANT, REASON, argument, option
from orderdesk_cli.sheets.orders import DELIVERY, OF_ORDER, TROUBLED

if TYPE_CHECKING:
    from orderdesk_cli.api import Api

_MOST = option("most", "N", "At most so many.", COUNT, flag="--limit", default=50)
_NO = argument("order_no", "[NO]", "order_no, pending_no or order_id.", required=False)
_WEBHOOK_ID = argument("webhook_id", "WEBHOOK_ID", "As listed.")


@runs("list", _NO, OF_MERCHANT, _MOST)
def _list(
    api: "Api", _: Said, order_no: str | None, merchant_id: str | None, most: int
) -> Answer | Items:
    """List an order's or draft's callbacks with every attempt; without NO what is in trouble.

    In trouble is a callback that has failed so far, or is gone (410), dead or undeliverable. The
    last changed comes first.
    """
    if order_no is None:
        return listed(api, "callback.list", TROUBLED, most, {"merchant_id": merchant_id})
    return Answer([*api.items("callback.list", order_no=order_no)], OF_ORDER)


@runs("dead", OF_MERCHANT, _MOST)
def _dead(api: "Api", _: Said, merchant_id: str | None, most: int) -> Items:
    """List the callbacks that are no longer tried: dead and undeliverable, the newest first."""
    return listed(api, "callback.dead", TROUBLED, most, {"merchant_id": merchant_id})


COMMANDS = {
    "callback": [
        *(_list, _dead),
        reads("callback.show", DELIVERY, "Show a callback with every attempt.", _WEBHOOK_ID),
        writes(
            "callback.redeliver",
            DELIVERY,
            "Send a callback again, with the same webhook-id and its whole schedule.",
            *(_WEBHOOK_ID, REASON),
        ),
    ]
}
