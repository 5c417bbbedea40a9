"""`order.list`, `.find`, `.show`, `.evidence` and `draft.show`: looking orders up."""

from collections.abc import Sequence
from functools import partial
from itertools import chain, islice
from typing import Annotated

from pydantic import BeforeValidator

from orderdesk.domain.audit import months_between
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.operators import UnacceptableTerms, UnknownId
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.matching import misfits
from orderdesk.services.operator.audit import READ_MAX
from orderdesk.services.operator.find_orders import find_orders as find
from orderdesk.services.operator.orders import (
    EvidenceFile,
    OperatorSearch,
    claimed_orders,
    evidence_of,
    find_order,
    order_page,
    stopped_orders,
)
from orderdesk.services.operator.traders import known_trader
from orderdesk.services.orders.offer_sell import demand_of
from orderdesk.web.merchant.parameters import BAD_CURSOR, LARGEST_INT, whole
from orderdesk.web.merchant.views import row_of
from orderdesk.web.operator import callbacks
from orderdesk.web.operator import order_views as views
from orderdesk.web.operator import parameters as wire
from orderdesk.web.operator.declare import Json, OperatorPorts, Role, Row, command
from orderdesk.web.operator.parameters import CommandParameters, told
from orderdesk.web.operator.parties import PlaceAfter, with_names
from orderdesk.web.operator.refusals import order_to_move
from orderdesk.web.operator.reports import AuditParameters, list_trail

DEFAULT_LIMIT = 50
_CLOCKS_DIFFER_SECONDS = 300
_OWNING = frozenset({"order.ask", "order.dispute"})
_OWNER_MONTHS = 2  # of the audit trail, searched for a dispute's owner
_QUERIES = 12
"""Of the 20 requests of a page; the others read its orders, notes and parties."""


OrderId = Annotated[int, BeforeValidator(partial(whole, BAD_CURSOR, 0, LARGEST_INT))]


def _cursor(before_id: int | None) -> str | None:
    return None if before_id is None else str(before_id)


class OrdersParameters(CommandParameters):
    status: OrderStatus | None = told("Only in this status.", None)
    merchant_id: wire.Id | None = told("Only this merchant's; id or name.", None)
    trader_id: wire.Id | None = told("Only this trader's; id or name.", None)
    mode: wire.ModeName | None = told("Only live, or only test orders.", None)
    order_type: wire.Side | None = told("Only this side.", None)
    since: wire.Since | None = None
    until: wire.Until | None = None
    min_cny: wire.CnyFen | None = told("Of this amount or more.", None)
    max_cny: wire.CnyFen | None = told("Of this amount or less.", None)
    stopped: wire.Flag = told("With a trader: open orders of its stopped accounts.", False)
    claims: wire.Flag = told("Ended sells with a late proof that nobody has decided.", False)
    limit: wire.Limit = DEFAULT_LIMIT
    after: OrderId | None = None


class FindParameters(CommandParameters):
    text: wire.FreeText = told("A number or its ending, an amount, a remark, a party's name.")
    limit: wire.Limit = DEFAULT_LIMIT
    after: OrderId | None = None


class OneOrderParameters(CommandParameters):
    """An order by order_no or order_id."""

    order_no: wire.OrderNo


class HistoryParameters(OneOrderParameters):
    limit: wire.Limit = DEFAULT_LIMIT
    after: PlaceAfter | None = None


class DraftParameters(CommandParameters):
    """A draft by pending_no."""

    pending_no: wire.Id = told("pending_no.")


@command("order.list", Role.VIEWER)
def list_orders(ports: OperatorPorts, asked: OrdersParameters) -> Json:
    """List orders, the newest first, while they are read."""
    # A page may have fewer items than its limit, or none, although `next` is set.
    now = ports.operator.now()
    if asked.stopped:
        return _of_stopped_accounts(ports, asked, now)
    if asked.claims:
        rows = [views.order_data(order, now) for order in claimed_orders(ports.order_listing)]
        return {"items": with_names(ports.reads, rows), "next": None}
    wanted = OperatorSearch(
        merchant_id=asked.merchant_id,
        trader_id=asked.trader_id,
        status=asked.status,
        order_type=asked.order_type,
        mode=asked.mode,
        since=asked.since,
        until=asked.until,
        min_cny_fen=asked.min_cny,
        max_cny_fen=asked.max_cny,
        before_id=asked.after,
    )
    page = order_page(ports.order_listing, wanted, now, size=asked.limit, queries=_QUERIES)
    rows = [views.order_data(order, now) for order in page.items]
    if asked.status is OrderStatus.DISPUTED:
        _add_answers(ports, page.items, rows)
        _add_owners(ports, page.items, rows)
        rows.sort(key=_urgency)
    return {"items": with_names(ports.reads, rows), "next": _cursor(page.following)}


def _of_stopped_accounts(ports: OperatorPorts, asked: OrdersParameters, now: int) -> Json:
    """Return the open orders of a trader's stopped accounts. Raises: UnacceptableTerms."""
    if asked.trader_id is None:
        raise UnacceptableTerms([FieldProblem("trader_id", "needed with stopped")])
    orders = stopped_orders(ports.open_orders, known_trader(ports.traders, asked.trader_id))
    rows = [views.order_data(order, now) for order in orders]
    _add_answers(ports, orders, rows)
    return {"items": with_names(ports.reads, rows), "next": None}


def _urgency(row: Row) -> tuple[bool, bool]:
    """Return the place of a disputed order in a page: of stopped accounts, then overdue, first."""
    return row["payee_stopped_at"] is None, not row["overdue"]


def _add_answers(ports: OperatorPorts, orders: Sequence[Order], rows: Sequence[Row]) -> None:
    """Add to disputed orders what was answered, what is overdue, and how the rules end them.

    `new_answer`: a party has written since the operators' last question.
    """
    now = ports.operator.now()
    notes = ports.reads.notes_of_orders([order.order_no for order in orders if order.dispute.notes])
    for order, row in zip(orders, rows, strict=True):
        said = notes.get(order.order_no, ())
        row["new_answer"] = views.has_new_answer(said)
        row.update(views.dispute_data(order, said, now))


def _add_owners(ports: OperatorPorts, orders: Sequence[Order], rows: Sequence[Row]) -> None:
    """Add to disputed orders how old the dispute is, and who last asked or disputed."""
    now_us = ports.operator.now_us()
    since_us = min((order.since for order in orders), default=0) * US_PER_SECOND
    months = list(months_between(since_us, now_us))[: -_OWNER_MONTHS - 1 : -1] if orders else []
    owners: dict[str, str] = {}
    for entry in islice(ports.audit.entries(months, since_us, newest_first=True), READ_MAX):
        if entry.action in _OWNING:
            owners.setdefault(entry.target, entry.who)
    for order, row in zip(orders, rows, strict=True):
        row["owner"] = owners.get(order.order_no)
        row["age_seconds"] = max(0, now_us // US_PER_SECOND - order.since)


@command("order.find", Role.VIEWER)
def find_orders(ports: OperatorPorts, asked: FindParameters) -> Json:
    """Find orders and drafts by what a customer, a merchant or a bank statement says."""
    now = ports.operator.now()
    found = find(ports, asked.text, now, size=asked.limit, before_id=asked.after)
    if not found.items and found.following is None and asked.after is None:
        raise UnknownId("order", asked.text)
    rows = [views.found_data(each, now) for each in found.items]
    return {"items": with_names(ports.reads, rows), "next": _cursor(found.following)}


@command("order.show", Role.VIEWER)
def show_order(ports: OperatorPorts, asked: OneOrderParameters) -> Json:
    """Return an order with its dispute, callbacks, evidence, money and what can be done with it."""
    now = ports.operator.now()
    order = order_to_move(ports.orders, asked.order_no, now)
    notes, told = _notes(ports, order), callbacks.of_number(ports, order.order_no)
    claims = views.claims_data(order)
    lines, actions = views.money_lines(order), list(views.actions_of(order, now))
    evidence = [views.evidence_data(each) for each in evidence_of(order, notes)]
    data = {
        **views.order_data(order, now),
        **views.reversals_data(order, now),
        "transfer_remark": order.transfer_remark,
        "notes": [views.note_data(note) for note in notes],
        "new_answer": views.has_new_answer(notes) if order.status is OrderStatus.DISPUTED else None,
        **views.dispute_data(order, notes, now),
        "claims": claims,
        "evidence": evidence,
        "money": {"state": views.money_state(order), "lines": lines},
        "actions": actions,
        "fitting_traders": _fitting(ports, order, now),
        "callbacks": told,
    }
    moved = chain.from_iterable(map(views.lines_of, actions))
    with_names(ports.reads, [data, *told, *lines, *moved, *evidence, *claims])
    return data


@command("order.history", Role.VIEWER)
def show_history(ports: OperatorPorts, asked: HistoryParameters) -> Json:
    """Show what operators did with an order, and its timeline."""
    now = ports.operator.now()
    order = order_to_move(ports.orders, asked.order_no, now)
    # Each entry is written with a change of the order.
    wanted = AuditParameters.model_construct(
        subject=order.order_no,
        since=order.createtime,
        until=order.updatetime + _CLOCKS_DIFFER_SECONDS,
        limit=asked.limit,
        after=asked.after,
    )
    return {
        "order_no": order.order_no,
        "timeline": views.order_data(order, now)["timeline"],
        **list_trail(ports, wanted),
    }


@command("draft.show", Role.VIEWER)
def show_draft(ports: OperatorPorts, asked: DraftParameters) -> Json:
    """Show a draft with its callbacks."""
    now = ports.operator.now()
    found = find_order(ports.orders, asked.pending_no)
    if not isinstance(found, Draft):
        raise UnknownId("draft", asked.pending_no)
    told = callbacks.of_number(ports, found.pending_no)
    data = {**views.draft_data(found, now), "callbacks": told}
    with_names(ports.reads, [data, *told])
    return data


@command("order.evidence", Role.VIEWER)
def show_evidence(ports: OperatorPorts, asked: OneOrderParameters) -> Json:
    """Return what payer and trader sent, with links that are valid for five minutes."""
    order = order_to_move(ports.orders, asked.order_no, ports.operator.now())

    def link(file: EvidenceFile) -> str:
        return ports.evidence.link(file.key, file.name)

    sent = [
        {
            **views.evidence_data(each),
            "original": link(each.original),
            "pictures": [link(picture) for picture in each.pictures],
        }
        for each in evidence_of(order, _notes(ports, order))
    ]
    return {"order_no": order.order_no, "evidence": sent}


def _notes(ports: OperatorPorts, order: Order) -> Sequence[Note]:
    return ports.orders.notes(order.order_no) if order.dispute.notes else ()


def _fitting(ports: OperatorPorts, order: Order, now: int) -> list[Row] | None:
    """Return the traders that a waiting sell fits, online and least busy first; else None."""
    if order.order_type is not OrderType.SELL or order.status is not OrderStatus.MATCHING:
        return None
    demand = demand_of(order, now)
    fitting = [each for each in ports.traders.traders() if not misfits(each, demand)]
    return [
        {
            **row_of(trader, "trader_id trader_name=name online counts.open_orders"),
            "passed_over": trader.trader_id in order.offers.passed_over,
        }
        for trader in sorted(
            fitting, key=lambda t: (not t.online, t.counts.open_orders, t.trader_id)
        )
    ]
