"""advanceOrder: make a test order's next move as another actor (contract section 4).

It makes one row of the transition table, as an actor of that row other than the merchant. Money,
callbacks and the timeline follow as for any other move. Live orders are not found here.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from orderdesk.domain.orders.drafts import Draft, DraftStatus, expired, locked
from orderdesk.domain.orders.moves import By, OrderChange, move
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.order_errors import (
    NoTraderAvailable,
    OrderNotFound,
    ProofMissing,
    StateConflict,
    SumUncovered,
)
from orderdesk.domain.orders.other_sums import OtherSums, missing_micro, priced_for
from orderdesk.domain.orders.transitions import TRANSITIONS, Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.receipts.places import upload_key
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.line import Learned
from orderdesk.domain.traders.trader import ClaimLost, CoverLost, TraderSuspended
from orderdesk.services.orders.move import MovePorts, move_order, step_order
from orderdesk.services.orders.offer_sell import RotationOfMode, assigned, next_trader
from orderdesk.services.orders.receipts import ReceiptPorts, take_receipt
from orderdesk.services.ports import Drafts
from orderdesk.services.retrying import until_committed

# The simulated actors; the first eligible one makes the move. The merchant makes its own moves.
PLAYED = (Actor.PAYER, Actor.TRADER, Actor.CLOCK, Actor.OPERATOR)
_OWN_WAYS = frozenset({Move.PAY_LATE, Move.LAPSE, Move.REPORT_SUM, Move.AGREE, Move.PROVE_LATE})


@dataclass(frozen=True, slots=True)
class ReportedSum:
    """The different sum in fen that the trader reports, if any, and what the merchant allows."""

    fen: int | None
    allowed: OtherSums


@dataclass(frozen=True, slots=True)
class AdvancePorts:
    """The ports of advancing a test order; a trader has `window_seconds` for a sell.

    `upload` stores a picture under an upload's key, as the browser does. Raises: TryAgain.
    """

    receipts: ReceiptPorts
    rotation: RotationOfMode
    upload: Callable[[str], object]
    window_seconds: int


def advance_order(
    order: Order, to: OrderStatus, ports: AdvancePorts, now_us: int, sums: ReportedSum
) -> Order:
    """Move a test order to a status; `now_us` in Unix us.

    If the order already has this status, return it. A move that needs a proof gets one. An expiry
    ends the payer's window now. A sell goes to the next test trader in rotation. A buy whose trader
    reported a sum completes with it: by the payer's agreement if that may be, else by an operator.
    Raises: OrderNotFound for a live order; StateConflict if the table has no such move, or if the
    merchant allows no other sum; UnfitSum; NoTraderAvailable if no trader fits a sell, or covers a
    late payment; SumUncovered; TryAgain.
    """
    now, moves = now_us // US_PER_SECOND, ports.receipts.moves
    _require_test(order)
    if order.status_at(now) is not order.status and to is OrderStatus.DISPUTED:
        # A late payment before the sweep: release the hold first, as the sweep would do.
        move_order(order.order_no, Move.EXPIRE, By(Actor.CLOCK), moves, now)
    try:
        if to is OrderStatus.ASSIGNED:
            return _assign(order.order_no, ports, now_us)
        with suppress(ProofMissing):
            return step_order(order.order_no, _step(to, now, sums), moves)
        _prove(order, to, ports, now)
        return step_order(order.order_no, _step(to, now, sums), moves)
    except TraderSuspended:
        raise StateConflict(order.status.value) from None
    except CoverLost:
        if to is OrderStatus.COMPLETED and order.sums.reported_fen is not None:
            missing = missing_micro(priced_for(order, order.sums.reported_fen))
            raise SumUncovered(order.status.value, missing) from None
        raise NoTraderAvailable from None


def _require_test(order: Order) -> None:
    if order.mode is not Mode.TEST:
        raise OrderNotFound


def move_to(order: Order, to: OrderStatus, now: int) -> tuple[Move, By]:
    """Return the move from an order's status to another, and its actor. Raises: StateConflict."""
    for actor in PLAYED:
        for row in TRANSITIONS:
            # A late payment and a proven sell are the operator's dispute here: the payer's may end
            # as a note, and the trader's window is not over. A sum has its own moves.
            leads = row.is_of(order) and row.target is to
            leads = leads and row.move not in _OWN_WAYS
            if leads and order.status in row.sources and row.actors.get(actor) == 0:
                return row.move, By(actor, order.trader_id if actor is Actor.TRADER else None)
    raise StateConflict(order.status_at(now).value)


def _with_sum(order: Order, to: OrderStatus, sums: ReportedSum) -> tuple[Move, By, int] | None:
    """Return the move that reports a different sum or completes an order with it; None if neither.

    Raises: StateConflict if the merchant allows no other sum, and for a sell.
    """
    if to is OrderStatus.DISPUTED and sums.fen is not None:
        if not sums.allowed.is_allowed or order.order_type is not OrderType.BUY:
            raise StateConflict(order.status.value)
        return Move.REPORT_SUM, By(Actor.TRADER, order.trader_id), sums.fen
    if to is not OrderStatus.COMPLETED or order.sums.reported_fen is None:
        return None
    if sums.allowed.completes_agreed(order):
        return Move.AGREE, By(Actor.PAYER), order.sums.reported_fen
    return Move.RESOLVE_COMPLETED, By(Actor.OPERATOR), order.sums.reported_fen


def _step(to: OrderStatus, now: int, sums: ReportedSum) -> Callable[[Order], OrderChange | None]:
    def step(order: Order) -> OrderChange | None:
        _require_test(order)
        is_other = sums.fen is not None and sums.fen != order.sums.reported_fen
        if order.status is to and not is_other:
            return None
        of_sum = _with_sum(order, to, sums)
        if of_sum is not None and order.status is not to:
            what, by, fen = of_sum
            return move(order, what, by, now, sum_fen=fen)
        what, by = move_to(order, to, now)
        # The clock's move requires that the payer's window is over, so end the window now.
        ended = replace(order, expire_time=now) if what is Move.EXPIRE else order
        change = move(ended, what, by, now)
        return None if change is None else replace(change, before=order)

    return step


def _prove(order: Order, to: OrderStatus, ports: AdvancePorts, now: int) -> None:
    """Upload and store the proof that a move needs, as the actor of the move."""
    _, by = move_to(order, to, now)
    key = upload_key(order, by.trader_id)
    ports.upload(key)
    take_receipt(order, key, by, ports.receipts, now)


def _assign(order_no: str, ports: AdvancePorts, now_us: int) -> Order:
    moves, learned = ports.receipts.moves, Learned()

    def attempt() -> Order:
        order = moves.moves.order(order_no)
        if order is None:
            raise OrderNotFound
        _require_test(order)
        if order.status is OrderStatus.ASSIGNED:
            return order
        _, by = move_to(order, OrderStatus.ASSIGNED, now_us // US_PER_SECOND)
        trader = next_trader(order, ports.rotation, learned, now_us)
        change = assigned(order, trader, by, now_us, ports.window_seconds)
        assert change is not None, "a waiting sell is not assigned"
        try:
            moves.moves.commit(change, moves.chance.token())
        except ClaimLost as lost:
            if lost.trader is not None:
                learned.note(lost.trader)
            raise
        return change.after

    return until_committed(attempt, moves)


def advance_draft(
    draft: Draft, to: OrderStatus | DraftStatus, drafts: Drafts, ports: MovePorts, now: int
) -> Draft:
    """End a test draft as its customer or the clock would; `now` in Unix seconds.

    If the draft already has this status, return it. Raises: StateConflict for another status, and
    for a draft that has ended; TryAgain.
    """

    def attempt() -> Draft:
        before = drafts.draft(draft.pending_no)
        assert before is not None, "a draft is never removed"
        if before.status.value == to.value:
            return before
        if before.status is not DraftStatus.HELD:
            raise StateConflict(before.status.value)
        after = _ended_draft(before, to, now)
        drafts.end(before, after, ports.chance)
        return after

    return until_committed(attempt, ports)


def _ended_draft(draft: Draft, to: OrderStatus | DraftStatus, now: int) -> Draft:
    if to is DraftStatus.LOCKED:
        return locked(draft, now)
    if to is OrderStatus.EXPIRED:
        return expired(draft, now)
    raise StateConflict(draft.status.value)
