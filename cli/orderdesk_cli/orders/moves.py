"""`orderdesk order assign|unassign|cancel|dispute|resolve`: operators' moves (section 6)."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from orderdesk_cli.answering import Answer
from orderdesk_cli.api import Refused
from orderdesk_cli.commands import Commands, Said, foreseen
from orderdesk_cli.confirmation import confirm
from orderdesk_cli.options import ModeName, OfMerchant, Reason, RequiredReason, TraderId
from orderdesk_cli.orders.commands import OrderNumber
from orderdesk_cli.sheets.orders import BULK, MOVED, MOVING

if TYPE_CHECKING:
    from orderdesk_cli.api import Api
    from orderdesk_cli.commands import Foreseen, Parameters
    from orderdesk_cli.sheets.sheet import Json, Sheet

commands = Commands()
group = commands.typer

BULK_MAX = 1000


def _asks(command: str) -> "Foreseen":
    """Return what shows what a move will do with the order's USDT; nothing if it moves none."""

    def asks(api: "Api", given: "Parameters") -> "tuple[Json, Sheet] | None":
        order = api.call("order.show", order_no=given["order_no"])
        actions = order["actions"]
        assert isinstance(actions, Sequence)
        for action in actions:
            assert isinstance(action, Mapping)
            fixed = action["parameters"]
            assert isinstance(fixed, Mapping)
            if action["command"] == command and fixed.items() <= given.items():
                return None if action["money"] == "stays" else ({**order, **action}, MOVING)
        return None

    return asks


@commands.writes("order.assign", MOVED)
def assign(order_no: OrderNumber, trader_id: TraderId, reason: Reason = None) -> None:
    """Assign a sell that waits to a trader that fits it, online or not."""


@commands.writes("order.unassign", MOVED)
def unassign(order_no: OrderNumber, reason: RequiredReason) -> None:
    """Give an assigned sell back to matching; its trader is passed over from now on."""


@commands.writes("order.cancel", MOVED, asks=_asks("order.cancel"))
def cancel(order_no: OrderNumber, reason: RequiredReason) -> None:
    """Cancel a sell that waits for a trader; its merchant's USDT is released."""


@commands.writes("order.dispute", MOVED, asks=_asks("order.dispute"))
def dispute(order_no: OrderNumber, reason: RequiredReason) -> None:
    """Dispute an assigned sell, a paid buy, or one paid after it expired or was cancelled.

    For a late payment the trader's USDT is held again.
    """


def _words(words: list[str]) -> list[str]:
    """Check how a dispute is to end. Raises: typer.BadParameter."""
    if words and words[-1] not in {"completed", "cancelled"}:
        raise typer.BadParameter(f"{words[-1]!r} is neither completed nor cancelled")
    return words


@commands.runs("resolve", writes=True)
def resolve(
    api: "Api",
    said: Said,
    words: Annotated[
        list[str],
        typer.Argument(metavar="[NO] completed|cancelled", callback=_words, show_default=False),
    ],
    *,
    reason: RequiredReason,
    merchant_id: OfMerchant = None,
    status: Annotated[
        Literal["disputed"] | None, typer.Option(help="With --merchant: which of its orders.")
    ] = None,
) -> Answer:
    """End a dispute: completed pays out what the order holds, cancelled gives it back.

    With --merchant ID --status disputed instead of NO it ends all disputes of a merchant.
    """
    ending: dict[str, Json] = {"outcome": words[-1], "reason": reason}
    match words[:-1], merchant_id, status:
        case [], str(merchant), "disputed":
            return _resolve_all(api, said, merchant, ending)
        case [number], None, None:
            given = {"order_no": number, **ending}
            question = _asks("order.resolve")
            confirm(lambda: foreseen(question(api, given)), is_agreed=said.needs_no_question)
            return Answer(api.write("order.resolve", alone=said.alone, **given), MOVED)
        case _:
            raise typer.BadParameter("name one order, or --merchant ID --status disputed")


def _resolve_all(api: "Api", said: Said, merchant_id: str, ending: "Mapping[str, Json]") -> Answer:
    """End a merchant's disputes, the newest 1000 at most, after showing them and asking.

    Each order is moved by itself, so one that cannot be moved does not hold back the others.
    """
    wanted = api.items("order.list", merchant_id=merchant_id, status="disputed", limit=100)
    orders = list(islice(wanted, BULK_MAX))
    outcome = ending["outcome"]
    if orders:
        data = _bulk(orders, outcome)
        confirm(lambda: foreseen((data, BULK)), is_agreed=said.is_agreed, is_bulk=True)
    done = [_resolved(api, said, order, ending) for order in orders]
    data = _bulk(done, outcome)
    refused = [f"{each['order_no']}: {each['refused']}" for each in done if each["refused"]]
    more = "there may be more disputed orders: run it again" if len(done) == BULK_MAX else ""
    return Answer(data, BULK, refused, more)


def _resolved(
    api: "Api", said: Said, order: "Mapping[str, Json]", ending: "Mapping[str, Json]"
) -> "Mapping[str, Json]":
    number = order["order_no"]
    try:
        after = api.write("order.resolve", alone=said.alone, order_no=number, **ending)
    except Refused as refused:
        return {**order, "refused": refused.detail}
    return {**order, "status": after["status"], "refused": None}


_SHOWN = ("order_no", "side", "mode", "is_test", "cny_amount", "usdt_amount", "status", "refused")


def _bulk(orders: "Sequence[Mapping[str, Json]]", outcome: "Json") -> "Mapping[str, Json]":
    """Return the orders, and the sums by mode of those that were not refused."""
    moved = [order for order in orders if not order.get("refused")]
    return {
        "outcome": outcome,
        "orders": [{name: order.get(name) for name in _SHOWN} for order in orders],
        "totals": {
            mode.value: _total([order for order in moved if order["mode"] == mode.value])
            for mode in ModeName
        },
    }


def _total(orders: "Sequence[Mapping[str, Json]]") -> "Mapping[str, Json]":
    def total(name: str, zero: str) -> str:
        return str(sum((Decimal(str(order[name])) for order in orders), Decimal(zero)))

    return {
        "orders": len(orders),
        "cny": total("cny_amount", "0.00"),
        "usdt": total("usdt_amount", "0.000000"),
    }
