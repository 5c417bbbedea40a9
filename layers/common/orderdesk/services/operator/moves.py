"""Operators' moves of orders: assign, unassign, cancel, dispute, resolve (contract section 6).

Each move has a reason and an audit entry in the same transaction. A move that was already made
succeeds and writes no second entry. `ask` adds a note that payer and trader read (section 9).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from orderdesk.domain.ledger.settlement import amount_held
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import (
    OperatorRefusal,
    ReasonMissing,
    SellOnHold,
    TraderCannotCover,
    TraderDoesNotFit,
    UnacceptableTerms,
    UnknownId,
    required_text_problems,
)
from orderdesk.domain.orders.errors import OrderNotFound, StateConflict
from orderdesk.domain.orders.moves import By, Moved, move
from orderdesk.domain.orders.notes import (
    QUESTIONS_MAX,
    AskedSide,
    Note,
    can_be_asked,
    is_kept,
    since_parties_spoke,
    takes_text,
)
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.plain_text import text_problems
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.errors import CoverLost
from orderdesk.domain.traders.trader import misfits
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.ports import TraderRegister
from orderdesk.services.operator.traders import known_trader
from orderdesk.services.orders.move import MovePorts, OrderChange, change_of, move_order, step_order
from orderdesk.services.orders.notes import noted
from orderdesk.services.orders.offer_sell import assigned, demand_of

type Resolution = Literal[OrderStatus.COMPLETED, OrderStatus.CANCELLED]
"""The statuses in which a dispute can end."""

_OPERATOR = By(Actor.OPERATOR)


@dataclass(frozen=True, slots=True)
class OperatorMovePorts:
    """The ports of an operator's move."""

    moves: MovePorts
    operator: Operator
    register: TraderRegister


def assign(
    order_no: str,
    trader_id: str,
    ports: OperatorMovePorts,
    *,
    window_seconds: int,
    reason: str = "",
) -> Order:
    """Assign a sell to a trader that fits it; the trader may be offline.

    Raises: UnknownId, SellOnHold, TraderDoesNotFit, StateConflict, UnacceptableTerms, TryAgain.
    """

    def step(order: Order) -> OrderChange | None:
        trader = known_trader(ports.register, trader_id)
        now_us = ports.operator.now_us()
        hold_left = order.hold_left(now_us // US_PER_SECOND)
        if hold_left and order.status is OrderStatus.MATCHING:
            raise SellOnHold(order_no, hold_left)
        change = assigned(order, trader, _OPERATOR, now_us, window_seconds)
        if change is None:
            return None
        reasons = misfits(trader, demand_of(order, now_us // US_PER_SECOND))
        if reasons:
            raise TraderDoesNotFit(trader_id, [misfit.value for misfit in reasons])
        return change

    cause = _Cause("order.assign", reason, {"trader_id": trader_id})
    return _audited(order_no, step, cause, ports)


def unassign(order_no: str, ports: OperatorMovePorts, *, reason: str) -> Order:
    """Return an assigned sell to matching; its trader is passed over from now on.

    Raises: UnknownId, ReasonMissing, StateConflict, UnacceptableTerms, TryAgain.
    """
    return _moved(order_no, Move.UNASSIGN, _required_cause("order.unassign", reason), ports)


def unassign_from(
    order_no: str, trader_id: str, ports: OperatorMovePorts, *, reason: str
) -> Order | None:
    """Return a sell to matching if this trader has it now; otherwise return None.

    Raises: UnknownId, UnacceptableTerms, TryAgain.
    """
    is_its = False

    def step(order: Order) -> OrderChange | None:
        nonlocal is_its
        is_its = order.status is OrderStatus.ASSIGNED and order.trader_id == trader_id
        if not is_its:
            return None
        return change_of(move(order, Move.UNASSIGN, _OPERATOR, ports.operator.now()))

    cause = _Cause("order.unassign", reason, {"trader_id": trader_id})
    after = _audited(order_no, step, cause, ports)
    return after if is_its else None


def cancel(order_no: str, ports: OperatorMovePorts, *, reason: str) -> Order:
    """Cancel a sell that waits for a trader; its merchant's USDT is released.

    Raises: UnknownId, ReasonMissing, StateConflict, UnacceptableTerms, TryAgain.
    """
    return _moved(order_no, Move.CANCEL, _required_cause("order.cancel", reason), ports)


def dispute(order_no: str, ports: OperatorMovePorts, *, reason: str) -> Order:
    """Dispute an assigned sell, a paid buy, or one paid after it expired or was cancelled.

    For a late payment the trader's USDT is held again.
    Raises: UnknownId, ReasonMissing, StateConflict, TraderCannotCover, UnacceptableTerms, TryAgain.
    """
    cause = _required_cause("order.dispute", reason)
    order = _known(order_no, ports)
    now = ports.operator.now()
    if order.status_at(now) is not order.status:
        # The sweep has not expired the order yet: release its hold first, as the sweep would do.
        move_order(order_no, Move.EXPIRE, By(Actor.CLOCK), ports.moves, now)
    try:
        return _moved(order_no, Move.DISPUTE, cause, ports)
    except CoverLost:
        raise TraderCannotCover(order.trader_id or "", format_usdt(amount_held(order))) from None


def resolve(order_no: str, outcome: Resolution, ports: OperatorMovePorts, *, reason: str) -> Order:
    """End a dispute: completed pays out the order's hold, cancelled releases it.

    Raises: UnknownId, ReasonMissing, StateConflict, UnacceptableTerms, TryAgain.
    """
    cause = _required_cause("order.resolve", reason, {"outcome": outcome.value})
    return _moved(order_no, resolution(outcome), cause, ports)


def foreseen(order: Order, what: Move, now: int) -> Moved | None:
    """Return what an operator's move would do at a time (Unix seconds); None if already made.

    Raises: StateConflict.
    """
    if order.status_at(now) is not order.status:
        gone = move(order, Move.EXPIRE, By(Actor.CLOCK), now)
        order = order if gone is None else gone.order
    return move(order, what, _OPERATOR, now)


def resolution(outcome: Resolution) -> Move:
    """Return the move that ends a dispute in this status."""
    match outcome:
        case OrderStatus.COMPLETED:
            return Move.RESOLVE_COMPLETED
        case OrderStatus.CANCELLED:
            return Move.RESOLVE_CANCELLED


@dataclass(frozen=True, slots=True)
class _Cause:
    """The action, reason and details for an audit entry."""

    action: str
    reason: str
    details: Mapping[str, str] = field(default_factory=dict)


def _required_cause(action: str, reason: str, details: Mapping[str, str] | None = None) -> _Cause:
    """Check the reason that a move needs before anything is written, and return the cause.

    Raises: ReasonMissing, UnacceptableTerms.
    """
    if not reason.strip():
        raise ReasonMissing
    problems = text_problems("reason", reason)
    if problems:
        raise UnacceptableTerms(problems)
    return _Cause(action, reason, details or {})


def _moved(order_no: str, what: Move, cause: _Cause, ports: OperatorMovePorts) -> Order:
    def step(order: Order) -> OrderChange | None:
        return change_of(move(order, what, _OPERATOR, ports.operator.now()))

    return _audited(order_no, step, cause, ports)


def _audited(
    order_no: str,
    step: Callable[[Order], OrderChange | None],
    cause: _Cause,
    ports: OperatorMovePorts,
) -> Order:
    def audited(order: Order) -> OrderChange | None:
        change = step(order)
        if change is None:
            return None
        way = {"from": order.status.value, "to": change.after.status.value}
        details = {**way, **cause.details}
        entry = ports.operator.entry(cause.action, order_no, cause.reason, details)
        return replace(change, audit=entry)

    try:
        return step_order(order_no, audited, ports.moves)
    except OrderNotFound:
        raise UnknownId("order", order_no) from None


def _known(order_no: str, ports: OperatorMovePorts) -> Order:
    order = ports.moves.moves.order(order_no)
    if order is None:
        raise UnknownId("order", order_no)
    return order


def ask(order_no: str, asked: AskedSide, text: str, ports: OperatorMovePorts) -> Order:
    """Ask payer, trader or both; the audit entry's reason is the question.

    Repeating the question before anybody answers is a success and adds nothing.
    Raises: UnknownId, StateConflict, UnacceptableTerms, OperatorRefusal, TryAgain.
    """
    problems = required_text_problems("text", text)
    if problems:
        raise UnacceptableTerms(problems)

    def step(order: Order) -> OrderChange | None:
        if order.status is not OrderStatus.DISPUTED:
            raise StateConflict(order.status.value)
        if not can_be_asked(order, asked):
            raise OperatorRefusal("the customer of a sell has no page: ask its trader")
        notes = ports.moves.moves.notes(order_no)
        note = Note(Actor.OPERATOR, ports.operator.now(), text.strip(), asked)
        if is_kept(note, notes, since_parties_spoke(notes)):
            return None
        if not takes_text(notes, Actor.OPERATOR):
            raise OperatorRefusal(f"{order_no} has {QUESTIONS_MAX} questions, which is the most")
        entry = ports.operator.entry("order.ask", order_no, note.text, {"to": asked.value})
        return replace(noted(order, note, By(Actor.OPERATOR)), audit=entry)

    try:
        return step_order(order_no, step, ports.moves)
    except OrderNotFound:
        raise UnknownId("order", order_no) from None
