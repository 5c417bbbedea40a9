"""Operators' moves of orders: assign, unassign, cancel, dispute, resolve (contract section 6).

Each move has a reason and an audit entry in the same transaction. A move that was already made
succeeds and writes no second entry. `ask` adds a note that payer and trader read (section 9).

A move needs a second person (section 11) where the person's hands are on the order, its merchant or
its trader. A resolution also does above what one person may decide on a trading day, and for a buy
with neither a receipt nor its trader's word. The transaction checks the same again, so a race
becomes a proposal.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from orderdesk.domain import operators
from orderdesk.domain.audit import Spending
from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ledger.settlement import amount_held
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.orders.moves import By, OrderChange, move
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
from orderdesk.domain.orders.order_errors import OrderNotFound, StateConflict, UnfitSum
from orderdesk.domain.orders.other_sums import missing_micro, other_sums_of
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.plain_text import text_problems
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.proposals import Plan
from orderdesk.domain.times import US_PER_SECOND, trading_day
from orderdesk.domain.traders.matching import misfits
from orderdesk.domain.traders.trader import CoverLost
from orderdesk.services.operator.actions import Permit
from orderdesk.services.operator.merchants import known_merchant
from orderdesk.services.operator.ports import CommandPorts
from orderdesk.services.operator.traders import known_trader
from orderdesk.services.orders.move import move_order, step_order
from orderdesk.services.orders.notes import noted
from orderdesk.services.orders.offer_sell import assigned, demand_of

type Resolution = Literal[OrderStatus.COMPLETED, OrderStatus.CANCELLED]
"""The statuses in which a dispute can end."""

_OPERATOR = By(Actor.OPERATOR)
_RESOLUTIONS = frozenset({Move.RESOLVE_COMPLETED, Move.RESOLVE_CANCELLED})
_ALONE = frozenset({Move.CANCEL, Move.UNASSIGN})
"""The moves that a person makes alone, even if its hands are on the order; no others."""


def order_plan(
    order: Order, action: str, details: Mapping[str, str], reason: str, trader_id: str | None
) -> Plan:
    """Return the plan of a move; it rests on the order's status, and on no move since.

    A deadline that has passed counts as a move, whether the sweep has made it or not.
    """
    status, usdt = details["from"], format_usdt(amount_held(order))
    sequence = order.sequence + (status != order.status.value)
    summary = f"{action} {order.order_no}: {usdt} USDT, merchant {order.merchant_id}"
    return Plan(
        target=order.order_no,
        summary=f"{summary}, trader {trader_id}" if trader_id else summary,
        before={"status": status},
        after={name: value for name, value in details.items() if name != "from"},
        reason=reason,
        basis={"status": f"{status} {sequence}"},
    )


def is_without_word(order: Order, notes: Sequence[Note]) -> bool:
    """Return whether nobody but the payer says anything about a buy's money."""
    if order.order_type is OrderType.SELL or order.receipts:
        return False
    by_trader = any(
        entry.status is OrderStatus.DISPUTED and entry.by == Actor.TRADER.value
        for entry in order.timeline
    )
    return not (by_trader or any(note.by is Actor.TRADER for note in notes))


@dataclass(frozen=True, slots=True)
class Cause:
    """The action, move, reason and details for a permit and its audit entry.

    `sum_fen` is the different sum that arrived.
    """

    action: str
    what: Move
    reason: str
    details: Mapping[str, str] = field(default_factory=dict)
    sum_fen: int | None = None


def cause_of(what: Move, reason: str, sum_fen: int | None = None) -> Cause:
    """Check the reason that a move needs before anything is written, and return the cause.

    Raises: UnacceptableTerms.
    """
    action, details = command_of(what)
    if sum_fen is not None:
        details = {**details, "amount": format_cny(sum_fen)}
        if what is not Move.RESOLVE_COMPLETED:
            raise operators.UnacceptableTerms([FieldProblem("amount", "only with completed")])
    operators.require_reason(reason)
    operators.refuse_unfit(text_problems("reason", reason))
    return Cause(action, what, reason, details, sum_fen)


def command_of(move: Move) -> tuple[str, dict[str, str]]:
    """Return the command of an operator's move, and the parameters that it fixes."""
    match move:
        case Move.ASSIGN:
            return "order.assign", {}
        case Move.UNASSIGN:
            return "order.unassign", {}
        case Move.CANCEL:
            return "order.cancel", {}
        case Move.DISPUTE:
            return "order.dispute", {}
        case Move.RESOLVE_COMPLETED:
            return "order.resolve", {"outcome": OrderStatus.COMPLETED.value}
        case Move.RESOLVE_CANCELLED:
            return "order.resolve", {"outcome": OrderStatus.CANCELLED.value}
        case (
            Move.PAY
            | Move.PAY_LATE
            | Move.REPORT_SUM
            | Move.AGREE
            | Move.PROVE_LATE
            | Move.CONFIRM
            | Move.EXPIRE
            | Move.DECLINE
            | Move.LAPSE
        ):
            raise AssertionError("a move of the payer, the trader or the clock")


def assign(order_no: str, trader_id: str, ports: CommandPorts, *, reason: str = "") -> Order:
    """Assign a sell to a trader that fits it; the trader may be offline.

    Raises: UnknownId, TraderDoesNotFit, StateConflict, UnacceptableTerms, OperatorRefusal for a
    sell whose signing secret is too young (parameter SellHoldAfterRotation), TryAgain.
    """

    def step(order: Order) -> OrderChange | None:
        trader = known_trader(ports.traders, trader_id)
        now_us = ports.operator.now_us()
        hold_left = order.hold_left(now_us // US_PER_SECOND)
        if hold_left and order.status is OrderStatus.MATCHING:
            raise operators.OperatorRefusal(
                f"{order_no} was signed with a secret that a rotation just made: it can be "
                f"assigned in {hold_left // 60 + 1} minutes"
            )
        change = assigned(order, trader, _OPERATOR, now_us, ports.assignment_seconds)
        if change is None:
            return None
        reasons = misfits(trader, demand_of(order, now_us // US_PER_SECOND))
        if reasons:
            raise operators.TraderDoesNotFit(trader_id, [misfit.value for misfit in reasons])
        return change

    cause = Cause("order.assign", Move.ASSIGN, reason, {"trader_id": trader_id})
    return _audited(order_no, step, cause, ports)


def unassign_from(
    order_no: str, trader_id: str, ports: CommandPorts, *, reason: str
) -> Order | None:
    """Unassign a sell if this trader has it now; otherwise return None.

    Raises: UnknownId, UnacceptableTerms, TryAgain.
    """
    is_its = False

    def step(order: Order) -> OrderChange | None:
        nonlocal is_its
        is_its = order.status is OrderStatus.ASSIGNED and order.trader_id == trader_id
        if not is_its:
            return None
        return move(order, Move.UNASSIGN, _OPERATOR, ports.operator.now())

    cause = Cause("order.unassign", Move.UNASSIGN, reason, {"trader_id": trader_id})
    after = _audited(order_no, step, cause, ports)
    return after if is_its else None


def make(order_no: str, cause: Cause, ports: CommandPorts) -> Order:
    """Make a move that needs a reason.

    - An assigned sell returns to matching, and its trader is passed over from now on; one with a
      stored proof is disputed instead.
    - A sell that waits for a trader is cancelled, and its merchant's USDT is released.
    - An assigned sell, a paid buy, or one paid after it expired or was cancelled is disputed. For a
      late payment, up to 7 days after the order's end, the trader's USDT is held again.
    - A dispute ends: completed pays out the order's hold, cancelled releases it. With another sum
      it completes a buy whose merchant's term allows that.

    Raises: UnknownId, StateConflict, TraderCannotCover, UnacceptableTerms, SumNotCovered,
    AmountOutOfRange, ProposalNeeded, OperatorRefusal, TryAgain.
    """
    if cause.what is Move.DISPUTE:
        return _disputed(order_no, cause, ports)
    if cause.sum_fen is not None:
        return _completed_with(order_no, cause.sum_fen, cause, ports)
    return _moved(order_no, cause, ports)


def _disputed(order_no: str, cause: Cause, ports: CommandPorts) -> Order:
    order = _known(order_no, ports)
    now = ports.operator.now()
    foreseen(order, Move.DISPUTE, now)
    if order.status_at(now) is not order.status:
        _permit(order, OrderStatus.DISPUTED, cause, ports)  # before the first of two commits
        # The sweep has not expired the order yet: release its hold first, as the sweep would do.
        move_order(order_no, Move.EXPIRE, By(Actor.CLOCK), ports.moves, now)
    try:
        return _moved(order_no, cause, ports)
    except CoverLost:
        raise operators.TraderCannotCover(
            order.trader_id or "", format_usdt(amount_held(order))
        ) from None


def _completed_with(order_no: str, sum_fen: int, cause: Cause, ports: CommandPorts) -> Order:
    """Complete a buy with the sum that arrived."""
    order = _known(order_no, ports)
    terms = known_merchant(ports.merchants, order.merchant_id).terms
    allowed = other_sums_of(terms.other_sums)
    is_other = sum_fen != order.quote.cny_fen
    if is_other and (allowed is None or not allowed.is_allowed):
        text = f"merchant {order.merchant_id} accepts no other sum: its other_sums is no"
        raise operators.OperatorRefusal(text)
    what, priced = cause.what, order

    def step(order: Order) -> OrderChange | None:
        nonlocal priced
        moved = move(order, what, _OPERATOR, ports.operator.now(), sum_fen=sum_fen)
        priced = order if moved is None else moved.after
        return moved

    try:
        return _audited(order_no, step, cause, ports)
    except UnfitSum:
        raise operators.UnacceptableTerms([FieldProblem("amount", UnfitSum.problem)]) from None
    except CoverLost:
        raise operators.SumNotCovered(order.trader_id or "", missing_micro(priced)) from None


def foreseen(order: Order, what: Move, now: int) -> OrderChange | None:
    """Return what an operator's move would do at a time (Unix seconds); None if already made.

    Raises: StateConflict.
    """
    if order.status_at(now) is not order.status:
        gone = move(order, Move.EXPIRE, By(Actor.CLOCK), now)
        order = order if gone is None else gone.after
    return move(order, what, _OPERATOR, now)


def permit_of(
    order: Order, cause: Cause, ports: CommandPorts, beside_micro: int = 0
) -> Permit | None:
    """Return the permit of an order's move; None if it was made before.

    `beside_micro` is what one person decides in the other parts of a list.
    Raises: StateConflict, ProposalNeeded, BasisChanged, TryAgain.
    """
    moved = foreseen(order, cause.what, ports.operator.now())
    if moved is None:
        return None
    return _permit(order, moved.after.status, cause, ports, beside_micro)


def resolution(outcome: Resolution) -> Move:
    """Return the move that ends a dispute in this status."""
    match outcome:
        case OrderStatus.COMPLETED:
            return Move.RESOLVE_COMPLETED
        case OrderStatus.CANCELLED:
            return Move.RESOLVE_CANCELLED


def _moved(order_no: str, cause: Cause, ports: CommandPorts) -> Order:
    operator = ports.operator
    return _audited(
        order_no, lambda order: move(order, cause.what, _OPERATOR, operator.now()), cause, ports
    )


def _audited(
    order_no: str, step: Callable[[Order], OrderChange | None], cause: Cause, ports: CommandPorts
) -> Order:
    def audited(order: Order) -> OrderChange | None:
        change = step(order)
        if change is None:
            return None
        # What it settles counts for the person's day, if that is more than what it holds.
        sums = replace(order.sums, held_fen=change.after.sums.held_fen)
        priced = replace(order, quote=change.after.quote, sums=sums)
        permit = _permit(priced, change.after.status, cause, ports)
        way = {"from": order.status.value, "to": change.after.status.value}
        return replace(change, audit=permit.entry(cause.action, {**way, **cause.details}))

    try:
        return step_order(order_no, audited, ports.moves)
    except OrderNotFound:
        raise operators.UnknownId("order", order_no) from None


def _permit(
    order: Order, to: OrderStatus, cause: Cause, ports: CommandPorts, beside_micro: int = 0
) -> Permit:
    """Return the permit of a move to a status. Raises: ProposalNeeded, BasisChanged, TryAgain."""
    operator, now = ports.operator, ports.operator.now()
    trader_id = cause.details.get("trader_id") or order.trader_id
    details = {"from": order.status_at(now).value, "to": to.value, **cause.details}
    plan = order_plan(order, cause.action, details, cause.reason, trader_id)
    # An unassignment of a sell with a proof opens its dispute, too.
    opens = order.order_no if to is OrderStatus.DISPUTED else ""
    if order.mode.is_test or not operator.must_propose or cause.what in _ALONE:
        return operator.permit(plan, Effect(Power.ORDER, order.mode, opens=opens))
    parties = [order.merchant_id, *([trader_id] if trader_id else [])]
    subjects = parties if opens else [order.order_no, *parties]
    day, amount = trading_day(now), max(amount_held(order), order.quote.trader_micro)
    record = ports.reads.record(operator.who, subjects, day, now)
    is_grave, spends = bool(record.touched), None
    if cause.what in _RESOLUTIONS:
        notes = ports.moves.moves.notes(order.order_no)
        spends = Spending(day, amount, ports.solo_micro)
        is_over = record.spent_micro + beside_micro + amount > ports.solo_micro
        is_grave = is_grave or is_over or is_without_word(order, notes)
    effect = Effect(
        *(Power.ORDER, order.mode, is_grave, tuple(subjects)), spends=spends, opens=opens
    )
    return operator.permit(plan, effect)


def _known(order_no: str, ports: CommandPorts) -> Order:
    return operators.known(ports.moves.moves.order(order_no), "order", order_no)


def ask(order_no: str, asked: AskedSide, text: str, ports: CommandPorts) -> Order:
    """Ask payer, trader or both; the audit entry's reason is the question.

    Repeating the question before anybody answers is a success and adds nothing.
    Raises: UnknownId, StateConflict, UnacceptableTerms, OperatorRefusal, TryAgain.
    """
    operators.refuse_unfit(operators.required_text_problems("text", text))

    def step(order: Order) -> OrderChange | None:
        if order.status is not OrderStatus.DISPUTED:
            raise StateConflict(order.status.value)
        if not can_be_asked(order, asked):
            raise operators.OperatorRefusal("the customer of a sell has no page: ask its trader")
        notes = ports.moves.moves.notes(order_no)
        note = Note(Actor.OPERATOR, ports.operator.now(), text.strip(), asked)
        if is_kept(note, notes, since_parties_spoke(notes)):
            return None
        if not takes_text(notes, Actor.OPERATOR):
            raise operators.OperatorRefusal(
                f"{order_no} has {QUESTIONS_MAX} questions, which is the most"
            )
        plan = Plan(order_no, f"Ask about {order_no}", {"to": asked.value}, reason=note.text)
        permit = ports.operator.permit(plan, Effect(Power.CONTACT, order.mode))
        entry = permit.entry("order.ask", plan.after)
        return replace(noted(order, note, By(Actor.OPERATOR)), audit=entry)

    try:
        return step_order(order_no, step, ports.moves)
    except OrderNotFound:
        raise operators.UnknownId("order", order_no) from None
