"""`orderdesk order …` and `callback …`: what operators read, ask and move (contract section 6)."""

import os
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from pathlib import Path

import click

from orderdesk_cli.answering import Answer, confirm
from orderdesk_cli.api import Api
from orderdesk_cli.commands import Foreseen, Parameters, Said, calls, changed, listed, runs
from orderdesk_cli.options import MODES
from orderdesk_cli.sheets import orders as sheets
from orderdesk_cli.sheets.sheet import Json, Sheet, members, objects
from orderdesk_cli.sheets.words import WARNINGS

BULK_MAX = 50
_DRAFT_LETTER = "D"
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL


@runs("show", "number")
def _show(api: Api, _: Said, number: str) -> Answer:
    """Show an order or draft: its story, money, evidence and callbacks (accounts masked)."""
    if number.startswith(_DRAFT_LETTER):
        return Answer(api.call("draft.show", pending_no=number), sheets.DRAFT)
    return Answer(api.call("order.show", order_no=number), sheets.ORDER)


@runs("evidence", "order.evidence:order_no save")
def _evidence(api: Api, _: Said, order_no: str, save: Path | None) -> Answer:
    """Show what payer and trader sent: the files as they came, and the pictures drawn from them.

    Links are good for five minutes. Open an original with care: it is whatever its sender chose.
    """
    data = api.call("order.evidence", order_no=order_no)
    sent = objects(data["evidence"])
    links = dict(link for each in sent for link in links_of(each))
    if save is None:
        return Answer(data, sheets.EVIDENCE, lines=[*links.values()])
    places = {name: _saved(api, url, save / name) for name, url in links.items()}
    saved: list[Json] = []
    for each in sent:
        original, *pictures = (places[name] for name, _ in links_of(each))
        saved.append({**each, "original": original, "pictures": pictures})
    gone = [f"{name}: no longer kept" for name, place in places.items() if place is None]
    lines = [place for place in places.values() if place is not None]
    return Answer({**data, "evidence": saved}, sheets.EVIDENCE, gone, lines=lines)


def links_of(each: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Return the names and links of a file and of the pictures that were drawn from it."""
    names = [each["file_name"], *members(each["picture_names"])]
    urls = [each["original"], *members(each["pictures"])]
    return zip(map(str, names), map(str, urls), strict=True)


def _saved(api: Api, url: str, path: Path) -> str | None:
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


def _asks(command: str) -> Foreseen:
    """Return what shows what a move will do with the order's USDT; nothing if it moves none."""

    def asks(api: Api, given: Parameters) -> tuple[Json, Sheet] | None:
        order = api.call("order.show", order_no=given["order_no"])
        for action in objects(order["actions"]):
            fixed = action["parameters"]
            assert isinstance(fixed, Mapping)
            if action["command"] == command and fixed.items() <= given.items():
                arrived = given.get("amount")  # the lines are those of the asked amount
                other = {} if arrived is None else {"cny_amount": arrived, "lines": []}
                shown = {**order, **action, **other}
                return None if action["money"] == "stays" else (shown, sheets.MOVING)
        return None

    return asks


@runs(
    "resolve",
    "words order.resolve:amount order.resolve:reason order.list:merchant_id status "
    "order.list:trader_id stopped",
    writes=True,
)
def _resolve(
    api: Api,
    said: Said,
    *,
    words: tuple[str, ...],
    amount: str | None,
    reason: str,
    merchant_id: str | None,
    status: str | None,
    trader_id: str | None,
    stopped: bool,
) -> Answer:
    """End a dispute: completed pays out what the order holds, cancelled releases it.

    With --amount a buy completes with the sum that arrived, priced again at its own rate.

    With --merchant ID --status disputed instead of NO it ends all disputes of a merchant, with
    --trader ID --stopped those of a trader's stopped accounts.
    """
    given: dict[str, Json] = {"outcome": words[-1], "reason": reason}
    given |= {} if amount is None else {"amount": amount}
    match words[:-1], merchant_id, status:
        case (), str(), "disputed" if amount is None:
            of: dict[str, Json] = {"merchant_id": merchant_id, "status": status}
        case (), None, None if trader_id and stopped and amount is None:
            of = {"trader_id": trader_id, "stopped": True}
        case (number,), None, None:
            return _move(api, said, "order.resolve", {"order_no": number, **given})
        case _:
            raise click.BadParameter(
                "name one order, or --merchant ID --status disputed, or --trader ID --stopped"
            )
    return _move_all(api, said, "order.resolve", of, given)


@runs("dispute", "order_no order.dispute:reason order.list:trader_id stopped", writes=True)
def _dispute(
    api: Api, said: Said, *, order_no: str | None, reason: str, trader_id: str | None, stopped: bool
) -> Answer:
    """Dispute an assigned sell, a paid buy, or one paid after it expired or was cancelled.

    For a late payment the trader's USDT is held again. With --trader ID --stopped instead of NO it
    disputes the paid buys and assigned sells of a trader's stopped accounts.
    """
    match order_no, trader_id:
        case None, str(trader) if stopped:
            of: dict[str, Json] = {"trader_id": trader, "stopped": True}
            return _move_all(api, said, "order.dispute", of, {"reason": reason})
        case str(number), None if not stopped:
            return _move(api, said, "order.dispute", {"order_no": number, "reason": reason})
        case _:
            raise click.BadParameter("name one order, or --trader ID --stopped")


def _move(api: Api, said: Said, command: str, given: Parameters) -> Answer:
    """Move one order, after showing what that does to its USDT and asking."""
    return changed(api, said, command, sheets.MOVED, given, question=_asks(command))


_MOVABLE = {"order.resolve": {"disputed"}, "order.dispute": {"paid", "assigned"}}


def _move_all(
    api: Api, said: Said, command: str, of: Mapping[str, Json], given: Mapping[str, Json]
) -> Answer:
    """Move a party's orders, the newest 50 at most, after showing them and asking.

    It is one decision; the API moves each order by itself, so one does not hold back the others.
    """
    wanted = api.items("order.list", **of, limit=100)
    movable = (each for each in wanted if each["status"] in _MOVABLE[command])
    orders = list(islice(movable, BULK_MAX))
    outcome = given.get("outcome", "disputed")
    sheet = sheets.BULK if "outcome" in given else sheets.DISPUTED
    data = _bulk(orders, outcome)
    if not orders:
        return Answer(data, sheet)
    confirm(lambda: (data, sheet), is_agreed=said.is_agreed, is_bulk=True)
    numbers = [each["order_no"] for each in orders]
    done = api.write(command, alone=said.alone, order_nos=numbers, **given)
    named = "disputed orders" if sheet is sheets.BULK else "orders"
    more = f"there may be more {named}: run it again" if len(orders) == BULK_MAX else ""
    if "results" not in done:
        return Answer(done, sheet, warning=more)
    results = {each["order_no"]: each for each in objects(done["results"])}
    moved = [{**order, **results[order["order_no"]]} for order in orders]
    refused = [f"{each['order_no']}: {each['refused']}" for each in moved if each["refused"]]
    return Answer(_bulk(moved, outcome), sheet, refused, more)


_SHOWN = ("order_no", "side", "mode", "is_test", "cny_amount", "usdt_amount", "status", "refused")


def _bulk(orders: Sequence[Mapping[str, Json]], outcome: Json) -> Mapping[str, Json]:
    """Return the orders, and the sums by mode of those that were not refused."""
    moved = [order for order in orders if not order.get("refused")]
    return {
        "outcome": outcome,
        "orders": [{name: order.get(name) for name in _SHOWN} for order in orders],
        "totals": {
            mode: _total([each for each in moved if each["mode"] == mode]) for mode in MODES
        },
    }


def _total(orders: Sequence[Mapping[str, Json]]) -> Mapping[str, Json]:
    cny = sum((Decimal(str(each["cny_amount"])) for each in orders), Decimal("0.00"))
    usdt = sum((Decimal(str(each["usdt_amount"])) for each in orders), Decimal("0.000000"))
    return {"orders": len(orders), "cny": str(cny), "usdt": str(usdt)}


@runs("list", "order_no callback.list:merchant_id most")
def _callbacks(api: Api, said: Said, order_no: str | None, merchant_id: str | None) -> Answer:
    """List an order's or draft's callbacks with every attempt; without NO what is in trouble.

    In trouble is a callback that has failed so far, or is gone (410), dead or undeliverable. The
    last changed comes first.
    """
    if order_no is None:
        asked = {"merchant_id": merchant_id}
        return listed(api, "callback.list", sheets.TROUBLED, said.limit, asked)
    return Answer([*api.items("callback.list", order_no=order_no)], sheets.OF_ORDER)


@runs("paused", "callback.list:merchant_id")
def _paused(api: Api, _: Said, merchant_id: str | None) -> Answer:
    """List the paused endpoints: they keep failing, and what is to be sent to them waits."""
    found = api.call("callback.list", merchant_id=merchant_id, limit=1)
    warning = " ".join(WARNINGS[str(each)][0] for each in members(found.get("warnings")))
    return Answer([*objects(found.get("paused"))], sheets.PAUSED, warning=warning)


_ORDER = [
    _show,
    calls("order.list", sheets.ORDERS),
    calls("order.find", sheets.ORDERS),
    calls("order.history", sheets.HISTORY),
    calls("order.ask", sheets.ASKED),
    _evidence,
    calls("order.assign", sheets.MOVED),
    calls("order.unassign", sheets.MOVED),
    calls("order.cancel", sheets.MOVED, question=_asks("order.cancel")),
    _dispute,
    _resolve,
    calls("order.reverse", sheets.MOVED, question=_asks("order.reverse")),
    calls("order.claim", sheets.MOVED, question=_asks("order.claim")),
]
_DEAD = "List the callbacks that are no longer tried: dead and undeliverable, the newest first."
_CALLBACK = [
    _callbacks,
    calls("callback.dead", sheets.TROUBLED, text=_DEAD, bounds="most"),
    _paused,
    calls("callback.show", sheets.DELIVERY),
    calls("callback.redeliver", sheets.DELIVERY),
]
COMMANDS = {"order": _ORDER, "draft": [calls("draft.show", sheets.DRAFT)], "callback": _CALLBACK}
