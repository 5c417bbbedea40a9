"""Make a move: check it by the transition table, and return the order after it."""

from dataclasses import dataclass, replace

from orderdesk.domain.orders.errors import OrderNotFound, ProofMissing, StateConflict
from orderdesk.domain.orders.order import LATE_SECONDS, Order, OrderStatus, TimelineEntry
from orderdesk.domain.orders.transitions import (
    TRANSITIONS,
    Actor,
    MoneyEffect,
    Move,
    TraderEffect,
    Transition,
)
from orderdesk.domain.orders.turns import pause_seconds
from orderdesk.domain.pricing import OrderType

# Limits the list for a sell that many traders decline; the oldest are dropped.
PASSED_OVER_MAX = 50


@dataclass(frozen=True, slots=True)
class By:
    """Who makes a move. Only a trader has an id; callers have already authorised the others."""

    actor: Actor
    trader_id: str | None = None


@dataclass(frozen=True, slots=True)
class Assignment:
    """The trader that a sell is assigned to, and the deadline of its answer (Unix seconds).

    `in_slot`: the trader counts the sell among its merchant's slots.
    """

    trader_id: str
    expire_time: int
    in_slot: bool = False


@dataclass(frozen=True, slots=True)
class Moved:
    """An order before and after a move, the row of the transition table, and who made the move."""

    before: Order
    order: Order
    row: Transition
    by: By


def move(
    order: Order, what: Move, by: By, now: int, assignment: Assignment | None = None
) -> Moved | None:
    """Make a move at a time (Unix seconds); None if it was already made.

    A pending order past its window can only expire, even before the sweep expires it. An assigned
    order stays with its trader until the sweep takes it back, because a trader who has already paid
    the customer must be able to confirm.
    Raises: StateConflict with the status as of now; OrderNotFound if the order is not this
    trader's; ProofMissing.
    """
    if _was_made_before(order, what, by, assignment):
        return None
    if by.actor is Actor.TRADER and (by.trader_id is None or by.trader_id != order.trader_id):
        raise OrderNotFound
    row = _row(order, what, by.actor)
    status = order.status_at(now)
    if row is None or not _is_time(row, order, by.actor, now):
        raise StateConflict(status.value)
    if _lacks_proof(order, what):
        raise ProofMissing
    return Moved(order, _after(order, row, by, now, assignment), row, by)


def postpone_offer(order: Order, since: int) -> Order:
    """Schedule the next offer of a sell that no trader fits. This is no move and has no event.

    The pause begins at `since` (Unix seconds) and grows with each failed offer.
    """
    offers = order.failed_offers + 1
    return replace(
        order,
        version=order.version + 1,
        failed_offers=offers,
        next_offer_time=since + pause_seconds(offers),
    )


def is_possible(order: Order, what: Move, actor: Actor, now: int) -> bool:
    """Return whether an actor can make a move on its own order now (Unix seconds)."""
    row = _row(order, what, actor)
    return row is not None and _is_time(row, order, actor, now) and not _lacks_proof(order, what)


def is_late_payment(order: Order, now: int) -> bool:
    """Return whether a receipt would be of a late payment: the buy expired less than a day ago."""
    if order.order_type is not OrderType.BUY or order.expire_time is None:
        return False
    is_expired = order.status_at(now) is OrderStatus.EXPIRED
    return is_expired and now < order.expire_time + LATE_SECONDS


def _lacks_proof(order: Order, what: Move) -> bool:
    """Return whether the move needs a receipt that is missing (contract section 6)."""
    match order.order_type:
        case OrderType.BUY:
            is_needed = what is Move.PAY_LATE or (what is Move.PAY and order.receipt_required)
        case OrderType.SELL:
            is_needed = what is Move.CONFIRM
    return is_needed and not order.receipts


def _row(order: Order, what: Move, actor: Actor) -> Transition | None:
    for row in TRANSITIONS:
        its = row.order_type is order.order_type and row.move is what
        if its and order.status in row.sources and actor in row.actors:
            return row
    return None


def _is_time(row: Transition, order: Order, actor: Actor, now: int) -> bool:
    """Return whether the order's window and hold, and the actor's wait, allow the move now."""
    if row.move is Move.ASSIGN and order.hold_left(now):
        return False
    over = order.expire_time is not None and now >= order.expire_time
    if row.window_over and not over:
        return False
    if row.within_seconds is not None:
        ended = order.since if order.expire_time is None else order.expire_time
        if now >= ended + row.within_seconds:
            return False
    is_dead = order.status_at(now) is not order.status
    if is_dead and not row.window_over:
        return False
    # `since` may be after `now`, if the clock of the container that wrote it is ahead.
    return max(0, now - order.since) >= row.actors[actor]


def _was_made_before(order: Order, what: Move, by: By, assignment: Assignment | None) -> bool:
    """Return whether the order's last step was this move.

    If so, the caller did not get the response and retries. A trader's move, or an assignment,
    counts as repeated only for the same trader.
    """
    if len(order.timeline) < 2:  # noqa: PLR2004 - a status before and one after
        return False
    came_from, made_by = order.timeline[-2].status, order.timeline[-1].by
    made = any(
        row.order_type is order.order_type
        and row.move is what
        and by.actor in row.actors
        # A trader's confirmation and an operator's decision end a dispute in the same status.
        and (not made_by or made_by in row.actors)
        and row.target is order.status
        and came_from in row.sources
        for row in TRANSITIONS
    )
    if not made:
        return False
    if what is Move.ASSIGN:
        return assignment is not None and assignment.trader_id == order.trader_id
    if by.actor is Actor.TRADER:
        whose = order.passed_over[-1:] if what is Move.DECLINE else (order.trader_id,)
        return by.trader_id in whose
    return True


def _after(order: Order, row: Transition, by: By, now: int, assignment: Assignment | None) -> Order:
    after = replace(
        order,
        status=row.target,
        sequence=order.sequence + 1,
        version=order.version + 1,
        updatetime=now,
        timeline=(*order.timeline, TimelineEntry(row.target, now, by.actor.value)),
        failed_offers=0,
        next_offer_time=None,
    )
    if not row.target.is_open and order.identity is not None:
        after = replace(after, identity=order.identity.masked)
    if row.target is OrderStatus.DISPUTED:
        after = replace(after, trader_asked_at=None if by.actor is Actor.TRADER else now)
    if row.move is Move.ASSIGN:
        assert assignment is not None, "an assignment names its trader"
        return replace(
            after,
            trader_id=assignment.trader_id,
            expire_time=assignment.expire_time,
            receipts=(),
            in_slot=assignment.in_slot,
        )
    if row.target is OrderStatus.MATCHING:
        assert order.trader_id is not None, "an assigned order has a trader"
        others = tuple(one for one in order.passed_over if one != order.trader_id)
        passed_over = (*others, order.trader_id)[-PASSED_OVER_MAX:]
        return replace(
            after,
            trader_id=None,
            expire_time=None,
            receipts=(),
            passed_over=passed_over,
            in_slot=False,
        )
    assert row.trader is not TraderEffect.TAKEN or order.trader_id is not None
    if row.money is MoneyEffect.HELD_AGAIN:
        return replace(after, unique_amount=True)  # the trader may have unique amounts by now
    return after
