"""Orders and drafts as operators see them: queryOrder's data, the parties, personal data masked.

No answer has the link of a pay page or an identity page, because anybody who has it can act as the
payer.
"""

from collections.abc import Iterator, Sequence

from orderdesk.domain.accounts import Account, AccountKind, Transfer
from orderdesk.domain.ledger.reversal import claim_transfer, claimed_micro, reversal, reversals_of
from orderdesk.domain.ledger.settlement import account_held_on, amount_held, settlement
from orderdesk.domain.money import format_usdt
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.notes import (
    AskedSide,
    Note,
    can_be_asked,
    is_overdue,
    since_parties_spoke,
    suggested_end,
)
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import TRANSITIONS, Actor, MoneyEffect, Move
from orderdesk.domain.pricing import ByType
from orderdesk.services.operator.moves import command_of, foreseen
from orderdesk.services.operator.orders import Evidence
from orderdesk.services.operator.reversals import open_micro
from orderdesk.web.merchant.views import order_facts, queried_draft, row_of
from orderdesk.web.operator.declare import Row
from orderdesk.web.operator.parties import masked_method

_METHOD_NAME = ByType(buy="payment_method", sell="customer_payment_method")


_IDENTITY = (
    "outcome provider reference name=masked_name id_card=masked_id_card mobile=masked_mobile"
)


def order_data(order: Order, now: int) -> Row:
    """Return an order as of a time (Unix seconds)."""
    return {
        **order_facts(order, order.status_at(now)),
        "number": order.order_no,
        "side": order.order_type.name.lower(),
        **row_of(order, "mode since"),
        _METHOD_NAME[order.order_type]: masked_method(order.payment_method),
        **row_of(order, "merchant_id trader_id offers.passed_over"),
        "receipts": len(order.receipts),
        "sum_answer": _sum_answer(order),
        **row_of(order, "pay_page.payee_stopped_at"),
        "returns": [row_of(each, "trader_id time") for each in order.late.returns],
        "late_proofs": [row_of(each, "trader_id receipt.time") for each in order.late.late_proofs],
        "claims": claims_data(order),
        **row_of(order.base_rate, "base_rate=rate_e4 rate_source=source rate_set_at=set_at"),
        "identity": None if order.identity is None else row_of(order.identity, _IDENTITY),
        **row_of(order, "given.callback_url given.remark pending_no sequence"),
    }


def claims_data(order: Order) -> list[Row]:
    """Return the late proofs of an ended sell, and what was decided about each."""
    decided: list[Row] = [
        {
            "trader_id": each.trader_id,
            "claim": "paid" if each.is_paid else "rejected",
            **row_of(each, "number time"),
        }
        for each in order.late.claims
    ]
    opened: list[Row] = [
        {"trader_id": each.trader_id, "claim": "open", "number": None, "time": each.receipt.time}
        for each in order.open_claims
    ]
    return [*decided, *opened]


def _sum_answer(order: Order) -> str | None:
    """Return the payer's answer to a reported sum; None if none was reported."""
    if order.sums.reported_fen is None:
        return None
    return "silent" if order.sums.sum_answer is None else order.sums.sum_answer.value


def draft_data(draft: Draft, now: int) -> Row:
    """Return a draft as of a time (Unix seconds)."""
    data = queried_draft(draft, None, now)
    data.pop("identity_url", None)
    return {
        **data,
        "number": draft.pending_no,
        "side": "draft",
        **row_of(draft, "mode merchant_id mode.is_test cny_amount=cny_fen method_type createtime"),
        **row_of(draft, "updatetime given.callback_url given.remark sequence"),
    }


def found_data(found: Order | Draft, now: int) -> Row:
    """Return an order or a draft as of a time (Unix seconds)."""
    return order_data(found, now) if isinstance(found, Order) else draft_data(found, now)


def note_data(note: Note) -> Row:
    """Return a note of a dispute."""
    return row_of(note, "time by to=asked text? picture=picture.content_type")


def dispute_data(order: Order, notes: Sequence[Note], now: int) -> Row:
    """Return whether an answer is overdue, and how the rules suggest to end the dispute."""
    end = suggested_end(order, notes, now)
    overdue = is_overdue(order, notes, now)
    return {"overdue": overdue, "suggested": None if end is None else end.value}


def has_new_answer(notes: Sequence[Note]) -> bool:
    """Return whether a party has written since the operators' last question."""
    return bool(notes) and since_parties_spoke(notes) == len(notes)


def evidence_data(each: Evidence) -> Row:
    """Return a stored file without its content; times in Unix seconds."""
    return {
        **row_of(each, "kind trader_id receipt.time receipt.content_type receipt.size_bytes"),
        "file_name": each.original.name,
        "picture_names": [picture.name for picture in each.pictures],
    }


def money_state(order: Order) -> str:
    """Return whether an order's USDT is posted (completed), held (open), or neither."""
    if order.status is OrderStatus.COMPLETED or order.paid_claim is not None:
        return "posted"
    return "held" if order.status.is_open else "none"


def money_lines(order: Order) -> list[Row]:
    """Return the amounts that an order has posted or holds, by account."""
    if money_state(order) == "posted":
        return _postings(order)
    if order.status.is_open:
        return [_line(account_held_on(order), amount_held(order))]
    return []


def actions_of(order: Order, now: int) -> Iterator[Row]:
    """Yield the commands that an operator can call for an order at a time (Unix seconds).

    `parameters` are those that the action fixes, and `to` whom a question may be put to. `money` is
    the effect on USDT, and `lines` the amounts by account.
    """
    status = order.status_at(now)
    if status is OrderStatus.DISPUTED:
        asked = [asked.value for asked in AskedSide if can_be_asked(order, asked)]
        yield {"command": "order.ask", "parameters": {}, "to": asked, **_STAYS}
    for row in TRANSITIONS:
        is_possible = row.is_of(order) and status in row.sources
        if is_possible and Actor.OPERATOR in row.actors:
            command, parameters = command_of(row.move)
            effect = _effect(order, row.move, now)
            yield {"command": command, "parameters": parameters, **effect}
    if left := open_micro(order, now):
        done = order.reversed_micro
        whole = reversal(order, done, done + left, transfer_id="", at=now)
        lines = transfer_lines(whole)
        yield {"command": "order.reverse", "parameters": {}, "money": "reversed", "lines": lines}
    yield from _claim_actions(order)


def _claim_actions(order: Order) -> Iterator[Row]:
    """Yield how a late proof of an ended sell can be decided; `traders` are whose."""
    traders = [each.trader_id for each in order.open_claims]
    if not traders:
        return
    named: Row = {"command": "order.claim", "traders": traders}
    if order.paid_claim is None and claimed_micro(order, traders[0]):
        lines = transfer_lines(claim_transfer(order, traders[0], transfer_id="", at=0))
        yield {**named, "parameters": {"verdict": "paid"}, "money": "claimed", "lines": lines}
    yield {**named, "parameters": {"verdict": "rejected"}, **_STAYS}


_STAYS: Row = {"money": MoneyEffect.STAYS.value, "lines": []}


def _effect(order: Order, what: Move, now: int) -> Row:
    """Return what a move will do with the order's USDT; an assignment moves none."""
    moved = None if what is Move.ASSIGN else foreseen(order, what, now)
    if moved is None or moved.row is None:
        return _STAYS
    return {"money": moved.row.money.value, "lines": _lines_of(moved.after, moved.row.money)}


def lines_of(effect: Row) -> list[Row]:
    """Return the amounts of an action or effect, by account."""
    lines = effect["lines"]
    assert isinstance(lines, list)
    return lines


def last_effect(order: Order) -> Row:
    """Return an order's last move: from which status to which, and its effect on USDT."""
    came_from, here = order.timeline[-2].status, order.timeline[-1].status
    effect = next(
        row.money
        for row in TRANSITIONS
        if row.is_of(order) and came_from in row.sources and row.target is here
    )
    change = {"from": came_from.value, "to": here.value}
    return {**change, "money": effect.value, "lines": _lines_of(order, effect)}


def _lines_of(order: Order, effect: MoneyEffect) -> list[Row]:
    match effect:
        case MoneyEffect.CAPTURED:
            return _postings(order)
        case MoneyEffect.RELEASED | MoneyEffect.HELD_AGAIN:
            return [_line(account_held_on(order), amount_held(order))]
        case MoneyEffect.STAYS:
            return []


def _postings(order: Order) -> list[Row]:
    is_settled = order.status is OrderStatus.COMPLETED
    settled = [settlement(order, order.updatetime)] if is_settled else []
    return [line for each in (*settled, *reversals_of(order)) for line in transfer_lines(each)]


def transfer_lines(transfer: Transfer) -> list[Row]:
    """Return each account's part of a transfer."""
    return [_line(each.account, each.amount_micro) for each in transfer.postings]


def reversals_data(order: Order, now: int) -> Row:
    """Return a completed order's reversals, and what can still be reversed."""
    if order.status is not OrderStatus.COMPLETED:
        return {}
    listed = [row_of(part, "number time usdt_micro") for part in order.undone.reversals]
    return {"reversals": listed, "reversible_usdt": format_usdt(open_micro(order, now))}


def _line(account: Account, amount_micro: int) -> Row:
    return {"account": account.kind.value, **owner_id(account), "usdt": format_usdt(amount_micro)}


def owner_id(account: Account) -> Row:
    """Return the id of an account's merchant or trader, by its name; nothing for the outside."""
    match account.kind:
        case AccountKind.MERCHANT | AccountKind.DEPOSIT | AccountKind.FEE:
            return {"merchant_id": account.owner}
        case AccountKind.TRADER:
            return {"trader_id": account.owner}
        case AccountKind.FUNDING:
            return {}
