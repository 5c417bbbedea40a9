"""Make a move: check it by the transition table, and return the order after it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from orderdesk.domain.orders.open_orders import declined_seconds, pause_seconds
from orderdesk.domain.orders.order import (
    LATE_SECONDS,
    RETURNS_MAX,
    Order,
    OrderStatus,
    Return,
    SumAnswer,
    TimelineEntry,
)
from orderdesk.domain.orders.order_errors import (
    OrderNotFound,
    ProofMissing,
    StateConflict,
    UnfitSum,
)
from orderdesk.domain.orders.other_sums import priced_for
from orderdesk.domain.orders.transitions import (
    TRANSITIONS,
    Actor,
    MoneyEffect,
    Move,
    TraderEffect,
    Transition,
)
from orderdesk.domain.pricing import OrderType

if TYPE_CHECKING:
    from orderdesk.domain.audit import AuditEntry
    from orderdesk.domain.orders.notes import Note
    from orderdesk.domain.orders.open_orders import OpenShare
    from orderdesk.domain.traders.trader import Claim, Trader

# Limits the list for a sell that many traders decline; the oldest are dropped.
PASSED_OVER_MAX = 50
# The entries of a timeline: its first one and the latest. An order of a few moves has all.
TIMELINE_MAX = 100


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
class LateClaim:
    """A trader as read, and the share of the merchant's limits, that a late payment must fit."""

    trader: "Trader"
    share: "OpenShare"


@dataclass(frozen=True, slots=True)
class OrderChange:
    """An order's next state, and everything that is written with it.

    `row` has the effects on money and trader; None if there are none. `claim` is the trader that an
    assignment takes. `audit` is set for an operator's move, and `team_entry` for a member's change
    at the portal. `acting_trader_id` is set if a trader makes the change itself; a suspended one is
    refused. `note` is added to the notes of the order's dispute. With `late`, the limits of trader
    and merchant bound the hold of a late payment.
    """

    before: Order
    after: Order
    row: Transition | None = None
    claim: "Claim | None" = None
    audit: "AuditEntry | None" = None
    acting_trader_id: str | None = None
    note: "Note | None" = None
    late: LateClaim | None = None
    team_entry: "AuditEntry | None" = None


def move(
    order: Order,
    what: Move,
    by: By,
    now: int,
    assignment: Assignment | None = None,
    *,
    sum_fen: int | None = None,
) -> OrderChange | None:
    """Make a move at a time (Unix seconds); None if it was already made.

    `sum_fen` is the sum in fen that a trader reports, or that an operator completes the order with.

    A pending order past its window can only expire, even before the sweep expires it. An assigned
    order stays with its trader until the sweep takes it back, because a trader who has already paid
    the customer must be able to confirm.
    Raises: StateConflict with the status as of now; OrderNotFound if the order is not this
    trader's; ProofMissing; UnfitSum or AmountOutOfRange for a sum.
    """
    if _was_made_before(order, what, by, assignment, sum_fen):
        return None
    if by.actor is Actor.TRADER and not _is_traders(order, what, by, now):
        raise OrderNotFound
    row = _row(order, what, by.actor)
    status = order.status_at(now)
    if row is None or not _is_time(row, order, by.actor, now):
        raise StateConflict(status.value)
    if sum_fen is not None:
        priced_for(order, sum_fen)
    if _lacks_proof(order, what):
        raise ProofMissing
    after = _after(order, row, by, now, assignment)
    after = _with_sum(after, what, sum_fen)
    return OrderChange(order, after, row, acting_trader_id=by.trader_id)


def _is_traders(order: Order, what: Move, by: By, now: int) -> bool:
    """Return whether a trader's move is of its own order, or of one that was taken back from it."""
    if what is Move.PROVE_LATE:
        return order.returned_from(by.trader_id, now) is not None
    return by.trader_id is not None and by.trader_id == order.trader_id


def _with_sum(order: Order, what: Move, sum_fen: int | None) -> Order:
    """Return a moved order with the sum that was reported, or priced for the one that completes it.

    Raises: UnfitSum, AmountOutOfRange.
    """
    if what is Move.REPORT_SUM:
        assert sum_fen is not None, "a report names its sum"
        if sum_fen == order.quote.cny_fen:
            raise UnfitSum
        return replace(order, sums=replace(order.sums, reported_fen=sum_fen, sum_answer=None))
    if what is Move.AGREE:
        assert order.sums.reported_fen is not None, "checked before"
        priced = priced_for(order, order.sums.reported_fen)
        return replace(priced, sums=replace(priced.sums, sum_answer=SumAnswer.AGREED))
    return order if sum_fen is None else priced_for(order, sum_fen)


def answered_sum(order: Order, answer: SumAnswer, now: int) -> Order | None:
    """Return a disputed buy with its payer's answer to the reported sum; this is no move.

    An objection may become an agreement, but not the reverse. None if nothing changes.
    Raises: StateConflict without a reported sum, or if the dispute is over.
    """
    if order.status is not OrderStatus.DISPUTED or order.sums.reported_fen is None:
        raise StateConflict(order.status_at(now).value)
    if order.sums.sum_answer in {answer, SumAnswer.AGREED}:
        return None
    return replace(
        order,
        version=order.version + 1,
        updatetime=now,
        sums=replace(order.sums, sum_answer=answer),
    )


def postpone_offer(order: Order, since: int) -> Order:
    """Schedule the next offer of a sell that no trader fits. This is no move and has no event.

    The pause begins at `since` (Unix seconds) and grows with each failed offer.
    """
    offers = order.offers.failed_offers + 1
    return replace(
        order,
        version=order.version + 1,
        offers=replace(
            order.offers, failed_offers=offers, next_offer_time=since + pause_seconds(offers)
        ),
    )


def stop_payee(order: Order, now: int) -> Order | None:
    """Return a buy whose account was stopped at a time (Unix seconds); this is no move.

    A pending one keeps its window and its hold. A disputed one is only marked, so that operators
    decide it first. None if it has ended, or has been stopped.
    """
    is_open = order.status in {OrderStatus.PENDING, OrderStatus.PAID, OrderStatus.DISPUTED}
    if not is_open or order.pay_page.payee_stopped_at is not None:
        return None
    return replace(
        order,
        version=order.version + 1,
        updatetime=now,
        pay_page=replace(order.pay_page, payee_stopped_at=now),
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


def takes_report(order: Order, now: int) -> bool:
    """Return whether a buy's trader can report a sum at a time, if its merchant allows that."""
    is_open = is_possible(order, Move.REPORT_SUM, Actor.TRADER, now)
    return is_open or is_late_payment(order, now)


def _lacks_proof(order: Order, what: Move) -> bool:
    """Return whether the move needs a receipt that is missing (contract section 6)."""
    match order.order_type:
        case OrderType.BUY:
            is_needed = what is Move.PAY_LATE or (what is Move.PAY and order.needs_receipt)
        case OrderType.SELL:
            is_needed = what is Move.CONFIRM
    return is_needed and not order.receipts


def _row(order: Order, what: Move, actor: Actor) -> Transition | None:
    if what is Move.AGREE and order.sums.reported_fen is None:
        return None
    for row in TRANSITIONS:
        its = row.is_of(order) and row.move is what
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
        # An order expires some time after its window; a cancelled one's may still run.
        is_expired = order.status is OrderStatus.EXPIRED
        ended = order.expire_time if is_expired and order.expire_time else order.since
        if now >= ended + row.within_seconds:
            return False
    is_dead = order.status_at(now) is not order.status
    if is_dead and not row.window_over:
        return False
    # `since` may be after `now`, if the clock of the container that wrote it is ahead.
    return max(0, now - order.since) >= _wait(row, order, actor)


def _wait(row: Transition, order: Order, actor: Actor) -> int:
    """Return the seconds that an actor waits in the order's status."""
    is_clocks_dispute = row.move is Move.DISPUTE and actor is Actor.CLOCK
    return order.unconfirmed_seconds if is_clocks_dispute else row.actors[actor]


def _was_made_before(
    order: Order, what: Move, by: By, assignment: Assignment | None, sum_fen: int | None
) -> bool:
    """Return whether the order's last step was this move.

    If so, the caller did not get the response and retries. A trader's move, or an assignment,
    counts as repeated only for the same trader.
    """
    if len(order.timeline) < 2:  # noqa: PLR2004 - a status before and one after
        return False
    came_from, made_by = order.timeline[-2].status, order.timeline[-1].by
    made = any(
        row.is_of(order)
        and row.move is what
        and by.actor in row.actors
        # A trader's confirmation and an operator's decision end a dispute in the same status.
        and (not made_by or made_by in row.actors)
        and row.target is order.status
        and came_from in row.sources
        for row in TRANSITIONS
    )
    if not made or not _is_same_sum(order, what, sum_fen):
        return False
    if what is Move.ASSIGN:
        return assignment is not None and assignment.trader_id == order.trader_id
    if by.actor is Actor.TRADER:
        whose = order.offers.passed_over[-1:] if what is Move.DECLINE else (order.trader_id,)
        return by.trader_id in whose
    return True


def _is_same_sum(order: Order, what: Move, sum_fen: int | None) -> bool:
    """Return whether a move that was made had the same sum."""
    if what is Move.REPORT_SUM:
        return order.sums.reported_fen == sum_fen
    if what is Move.RESOLVE_COMPLETED:
        return order.quote.cny_fen == (sum_fen or order.held_quote.cny_fen)
    return True


def _with_entry(
    timeline: tuple[TimelineEntry, ...], entry: TimelineEntry
) -> tuple[TimelineEntry, ...]:
    """Return a timeline with one more entry; above TIMELINE_MAX the oldest but the first go."""
    first, *others = timeline
    return (first, *others[2 - TIMELINE_MAX :], entry)


def _next_offer(declined: Order, now: int) -> int:
    """Return when a sell that a trader declined is offered again (contract section 6)."""
    declines = sum(
        entry.status is OrderStatus.MATCHING and entry.by == Actor.TRADER.value
        for entry in declined.timeline
    )
    return now + declined_seconds(declines)


def _after(order: Order, row: Transition, by: By, now: int, assignment: Assignment | None) -> Order:
    after = replace(
        order,
        status=row.target,
        sequence=order.sequence + 1,
        version=order.version + 1,
        updatetime=now,
        timeline=_with_entry(order.timeline, TimelineEntry(row.target, now, by.actor.value)),
        offers=replace(order.offers, failed_offers=0, next_offer_time=None),
    )
    if not row.target.is_open and order.identity is not None:
        after = replace(after, identity=order.identity.masked)
    if row.target is OrderStatus.DISPUTED:
        asked_at = None if by.actor is Actor.TRADER else now
        after = replace(after, dispute=replace(after.dispute, trader_asked_at=asked_at))
    if row.move is Move.ASSIGN:
        assert assignment is not None, "an assignment names its trader"
        return replace(
            after,
            trader_id=assignment.trader_id,
            expire_time=assignment.expire_time,
            counted=replace(after.counted, in_slot=assignment.in_slot),
        )
    if row.move is Move.PROVE_LATE:
        return replace(after, trader_id=by.trader_id)
    if row.trader is TraderEffect.HANDED_BACK:
        first, *others = order.late.late_proofs
        after = _taken_back(order, after, row, now)
        late = replace(after.late, late_proofs=tuple(others))
        return replace(after, trader_id=first.trader_id, receipts=(first.receipt,), late=late)
    if row.target is OrderStatus.MATCHING:
        return _taken_back(order, after, row, now)
    assert row.trader is not TraderEffect.TAKEN or order.trader_id is not None
    if row.money is MoneyEffect.HELD_AGAIN:
        # The trader may have unique amounts by now.
        return replace(after, counted=replace(after.counted, unique_amount=True))
    return after


def _taken_back(order: Order, after: Order, row: Transition, now: int) -> Order:
    """Return a sell that its trader no longer has."""
    next_time = _next_offer(after, now) if row.move is Move.DECLINE else None
    return replace(
        after,
        trader_id=None,
        expire_time=None,
        offers=replace(after.offers, passed_over=_passed_over(order), next_offer_time=next_time),
        late=replace(after.late, returns=_returns(order, row, now)),
        counted=replace(after.counted, in_slot=False),
    )


def _passed_over(order: Order) -> tuple[str, ...]:
    """Return the traders that returned a sell, its present one last."""
    assert order.trader_id is not None, "an assigned order has a trader"
    others = tuple(one for one in order.offers.passed_over if one != order.trader_id)
    return (*others, order.trader_id)[-PASSED_OVER_MAX:]


def _returns(order: Order, row: Transition, now: int) -> tuple[Return, ...]:
    """Return the last returns after a trader lost a sell; a decline is none."""
    if row.move is Move.DECLINE:
        return order.late.returns
    assert order.trader_id is not None, "an assigned order has a trader"
    return (*order.late.returns, Return(order.trader_id, now, order.sequence))[-RETURNS_MAX:]
