"""`orderdesk order …`: what operators read, ask and move (contract section 6)."""

import os
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from orderdesk_cli.answering import Answer
from orderdesk_cli.api import Refused
from orderdesk_cli.commands import Said, foreseen, lists, reads, runs, writes
from orderdesk_cli.confirmation import confirm
from orderdesk_cli.options import (
    MODE,
    MODES,
    OF_MERCHANT,
    OF_TRADER,
    ORDER_NO,
    REASON,
    REQUIRED_REASON,
    SIDES,
    SINCE,
    TRADER_ID,
    UNTIL,
    argument,
    choice,
    cny,
    option,
    remark,
)
from orderdesk_cli.sheets.orders import (
    ASKED,
    BULK,
    DRAFT,
    EVIDENCE,
    HISTORY,
    MOVED,
    MOVING,
    ORDER,
    ORDERS,
)

if TYPE_CHECKING:
    from orderdesk_cli.api import Api
    from orderdesk_cli.commands import Foreseen, Parameters
    from orderdesk_cli.sheets.sheet import Json, Sheet

BULK_MAX = 1000
STATUSES = (
    *("pending", "paid", "matching", "assigned", "completed", "cancelled", "expired", "disputed"),
)
_DRAFT_LETTER = "D"
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL


@runs("show", argument("number", "NO", "order_no, pending_no or order_id."))
def _show(api: "Api", _: Said, number: str) -> Answer:
    """Show an order or draft: its story, money, evidence and callbacks (accounts masked)."""
    if number.startswith(_DRAFT_LETTER):
        return Answer(api.call("draft.show", pending_no=number), DRAFT)
    return Answer(api.call("order.show", order_no=number), ORDER)


_SAVE = option("save", "DIR", "Save the files here instead.", Path)


@runs("evidence", ORDER_NO, _SAVE)
def _evidence(api: "Api", _: Said, order_no: str, save: Path | None) -> Answer:
    """Show what payer and trader sent: the files as they came, and the pictures drawn from them.

    Links are good for five minutes. Open an original with care: it is whatever its sender chose.
    """
    data = api.call("order.evidence", order_no=order_no)
    sent = data["evidence"]
    assert isinstance(sent, Sequence)
    links = dict(link for each in sent for link in _links(each))
    if save is None:
        return Answer(data, EVIDENCE, lines=[*links.values()])
    places = {name: _saved(api, url, save / name) for name, url in links.items()}
    gone = [f"{name}: no longer kept" for name, place in places.items() if place is None]
    saved = [_with_places(each, places) for each in sent]
    lines = [str(place) for place in places.values() if place is not None]
    return Answer({**data, "evidence": saved}, EVIDENCE, gone, lines=lines)


def _links(each: "Json") -> Iterator[tuple[str, str]]:
    """Yield the names and links of a file and of the pictures that were drawn from it."""
    assert isinstance(each, Mapping)
    names, urls = each["picture_names"], each["pictures"]
    assert isinstance(names, Sequence)
    assert isinstance(urls, Sequence)
    yield str(each["file_name"]), str(each["original"])
    yield from zip(map(str, names), map(str, urls), strict=True)


def _saved(api: "Api", url: str, path: Path) -> str | None:
    """Save a file, readable by the operator alone; None if it is gone. Overwrites nothing.

    Raises: NoAnswer, OSError.
    """
    content = api.file(url)
    if content is None:
        return None
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(path, _NEW_FILE, 0o600), "wb") as opened:
        opened.write(content)
    return str(path)


def _with_places(each: "Json", places: "Mapping[str, str | None]") -> "Mapping[str, Json]":
    assert isinstance(each, Mapping)
    names = each["picture_names"]
    assert isinstance(names, Sequence)
    pictures = [places[str(name)] for name in names]
    return {**each, "original": places[str(each["file_name"])], "pictures": pictures}


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


def _words(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    """Check how a dispute is to end. Raises: click.BadParameter."""
    if words[-1] not in {"completed", "cancelled"}:
        raise click.BadParameter(f"{words[-1]!r} is neither completed nor cancelled")
    return words


_ENDING = argument(
    *("words", "[NO] completed|cancelled", "Which order, and how it ends."),
    nargs=-1,
    required=True,
    callback=_words,
)
_OF_STATUS = choice("status", ("disputed",), "With --merchant: which of its orders.")


@runs("resolve", _ENDING, REQUIRED_REASON, OF_MERCHANT, _OF_STATUS, writes=True)
def _resolve(
    api: "Api",
    said: Said,
    *,
    words: tuple[str, ...],
    reason: str,
    merchant_id: str | None,
    status: str | None,
) -> Answer:
    """End a dispute: completed pays out what the order holds, cancelled releases it.

    With --merchant ID --status disputed instead of NO it ends all disputes of a merchant.
    """
    ending: dict[str, Json] = {"outcome": words[-1], "reason": reason}
    match words[:-1], merchant_id, status:
        case (), str(merchant), "disputed":
            return _resolve_all(api, said, merchant, ending)
        case (number,), None, None:
            given = {"order_no": number, **ending}
            question = _asks("order.resolve")
            confirm(lambda: foreseen(question(api, given)), is_agreed=said.needs_no_question)
            return Answer(api.write("order.resolve", alone=said.alone, **given), MOVED)
        case _:
            raise click.BadParameter("name one order, or --merchant ID --status disputed")


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
            mode: _total([order for order in moved if order["mode"] == mode]) for mode in MODES
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


COMMANDS = {
    "order": [
        _show,
        lists(
            "order.list",
            ORDERS,
            "List orders, the newest first, while they are read.",
            choice("status", STATUSES, "Only in this status."),
            *(OF_MERCHANT, OF_TRADER, MODE),
            choice("order_type", SIDES, "Only this side.", "--type"),
            *(SINCE, UNTIL),
            option("min_cny", "CNY", "Of this amount or more.", cny),
            option("max_cny", "CNY", "Of this amount or less.", cny),
        ),
        lists(
            "order.find",
            ORDERS,
            "Find orders and drafts by what a customer, a merchant or a bank statement says.",
            argument(
                "text", "TEXT", "A number or its ending, an amount, a remark, a party's name."
            ),
        ),
        reads(
            "order.history",
            HISTORY,
            "Show what operators did with an order, and its timeline.",
            ORDER_NO,
        ),
        writes(
            "order.ask",
            ASKED,
            "Ask about a disputed order; both sides read it, and the audit trail has it.",
            ORDER_NO,
            option("text", "TEXT", "The question; both sides read it.", remark, required=True),
            option(
                *("to", "payer|trader|both", "Who is asked to answer."),
                click.Choice(("payer", "trader", "both")),
                default="both",
            ),
        ),
        _evidence,
        writes(
            "order.assign",
            MOVED,
            "Assign a sell that waits to a trader that fits it, online or not.",
            *(ORDER_NO, TRADER_ID, REASON),
        ),
        writes(
            "order.unassign",
            MOVED,
            "Give an assigned sell back to matching; its trader is passed over from now on.",
            *(ORDER_NO, REQUIRED_REASON),
        ),
        writes(
            "order.cancel",
            MOVED,
            "Cancel a sell that waits for a trader; its merchant's USDT is released.",
            *(ORDER_NO, REQUIRED_REASON),
            asks=_asks("order.cancel"),
        ),
        writes(
            "order.dispute",
            MOVED,
            "Dispute an assigned sell, a paid buy, or one paid after it expired or was cancelled."
            "\n\nFor a late payment the trader's USDT is held again.",
            *(ORDER_NO, REQUIRED_REASON),
            asks=_asks("order.dispute"),
        ),
        _resolve,
    ]
}
