"""Every move, by every actor, from every status: exactly what contract section 6 allows."""

from dataclasses import replace

import pytest

from orderdesk.domain.orders.moves import Assignment, By, OrderChange, move
from orderdesk.domain.orders.order import Order, OrderStatus, Receipt, TimelineEntry
from orderdesk.domain.orders.order_errors import OrderNotFound, ProofMissing, StateConflict
from orderdesk.domain.orders.transitions import (
    TRANSITIONS,
    Actor,
    MoneyEffect,
    Move,
    TraderEffect,
    Transition,
)
from orderdesk.domain.pricing import OrderType
from tests.support.order_table import CASES, TABLE, WINDOW, Case, row_of
from tests.support.orders import NAMED, VERIFIED, buy_order, order_in
from tests.support.seed import WORKED_FEES, with_changes

NOW = 1_900_000_000
TRADER = "t1"
A_WEEK = 7 * 86_400
EVERY_CASE = [
    (kind, status, actor, what, proven)
    for kind in OrderType
    for status in OrderStatus
    for actor in Actor
    for what in Move
    for proven in (False, True)
    if not proven or (kind, status) == (OrderType.SELL, OrderStatus.ASSIGNED)
]
PROOF = Receipt("proof", "image/png", 1, NOW)
REPORTED_FEN = 900_00


def make(order: Order, what: Move, actor: Actor, now: int = NOW) -> OrderChange | None:
    by = By(actor, TRADER if actor is Actor.TRADER else None)
    reported = REPORTED_FEN if what is Move.REPORT_SUM else None
    return move(order, what, by, now, Assignment(TRADER, now + 1800), sum_fen=reported)


def waiting(
    kind: OrderType, status: OrderStatus, *, seconds: int, window: int, proven: bool = False
) -> Order:
    """Return an order that has its status for so long; its window ends in `window` seconds."""
    is_proven = proven or status is OrderStatus.EXPIRED
    is_ended = status in {OrderStatus.EXPIRED, OrderStatus.CANCELLED}
    return with_changes(
        order_in(kind, status, since=NOW - (1 if is_ended else seconds)),
        expire_time=NOW + window,
        identity=NAMED,
        receipts=(PROOF,) if is_proven else (),
        fees=WORKED_FEES,
        reported_fen=REPORTED_FEN if status is OrderStatus.DISPUTED else None,
    )


@pytest.mark.parametrize(("kind", "status", "actor", "what", "proven"), EVERY_CASE)
def test_the_table(
    kind: OrderType, status: OrderStatus, actor: Actor, what: Move, *, proven: bool
) -> None:
    allowed = row_of(kind, status, proven=proven).get((actor, what))
    over = allowed is not None and allowed[1] == WINDOW
    order = waiting(kind, status, seconds=A_WEEK, window=0 if over else 1, proven=proven)
    if allowed is None:
        order = replace(order, timeline=order.timeline[-1:])  # so that no move is a repetition
        with pytest.raises((StateConflict, OrderNotFound, ProofMissing)):
            make(order, what, actor)
        return
    moved = make(order, what, actor)
    assert moved is not None
    after = moved.after
    assert after.status is allowed[0]
    assert (after.sequence, after.version) == (order.sequence + 1, order.version + 1)
    assert after.timeline == (*order.timeline, TimelineEntry(allowed[0], NOW, actor.value))
    assert after.updatetime == NOW
    assert after.receipts == order.receipts, "no move forgets a proof"
    assert after.identity == (NAMED if after.status.is_open else VERIFIED)


@pytest.mark.parametrize(
    ("kind", "status", "actor", "what", "wait"),
    [(case.kind, case.status, case.actor, case.what, case.wait) for case in CASES if case.wait > 0],
)
def test_what_has_to_wait(
    kind: OrderType, status: OrderStatus, actor: Actor, what: Move, wait: int
) -> None:
    early = waiting(kind, status, seconds=wait - 1, window=1)
    with pytest.raises(StateConflict, match=status.value):
        make(early, what, actor)
    assert make(waiting(kind, status, seconds=wait, window=1), what, actor) is not None


@pytest.mark.parametrize("row", [row for row in TRANSITIONS if row.window_over])
def test_a_window_is_over_at_its_end_and_not_before(row: Transition) -> None:
    kind, what, [status] = row.order_type, row.move, row.sources
    proven = row.proof is True
    with pytest.raises(StateConflict):
        make(waiting(kind, status, seconds=60, window=1, proven=proven), what, Actor.CLOCK)
    over = waiting(kind, status, seconds=60, window=0, proven=proven)
    assert make(over, what, Actor.CLOCK) is not None


@pytest.mark.parametrize(
    ("actor", "what"),
    [(a, w) for (a, w) in TABLE[OrderType.BUY, OrderStatus.PENDING] if w is not Move.EXPIRE],
)
def test_a_pending_order_past_its_window_only_expires(actor: Actor, what: Move) -> None:
    order = waiting(OrderType.BUY, OrderStatus.PENDING, seconds=901, window=-1)
    with pytest.raises(StateConflict, match="expired"):
        make(order, what, actor)


def test_an_assigned_order_past_its_window_is_its_traders_until_the_sweep() -> None:
    order = waiting(OrderType.SELL, OrderStatus.ASSIGNED, seconds=1801, window=-1, proven=True)
    assert make(order, Move.CONFIRM, Actor.TRADER) is not None


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case[:5])))
def test_a_move_made_again_is_a_success_and_moves_nothing(case: Case) -> None:
    kind, status, actor, what, proven, _, wait = case
    window = 0 if wait == WINDOW else 1
    order = waiting(kind, status, seconds=A_WEEK, window=window, proven=proven)
    moved = make(order, what, actor)
    assert moved is not None
    assert make(moved.after, what, actor) is None
    assert make(moved.after, what, actor, NOW + 10 * A_WEEK) is None


@pytest.mark.parametrize("what", [Move.CONFIRM, Move.DISPUTE])
def test_another_trader_finds_no_order(what: Move) -> None:
    order = order_in(OrderType.BUY, OrderStatus.PAID, since=NOW)
    for stranger in (By(Actor.TRADER, "t2"), By(Actor.TRADER)):
        with pytest.raises(OrderNotFound):
            move(order, what, stranger, NOW)


def test_a_trader_without_a_name_finds_no_waiting_sell() -> None:
    with pytest.raises(OrderNotFound):
        move(
            order_in(OrderType.SELL, OrderStatus.MATCHING, since=NOW),
            Move.DECLINE,
            By(Actor.TRADER),
            NOW,
        )


def test_a_sell_is_paid_with_a_proof_only() -> None:
    order = replace(order_in(OrderType.SELL, OrderStatus.ASSIGNED, since=NOW), receipts=())
    with pytest.raises(ProofMissing):
        make(order, Move.CONFIRM, Actor.TRADER)


@pytest.mark.parametrize(("what", "window"), [(Move.DECLINE, 1), (Move.LAPSE, 0)])
def test_a_sell_given_back_forgets_its_trader_and_passes_over_it(what: Move, window: int) -> None:
    order = waiting(OrderType.SELL, OrderStatus.ASSIGNED, seconds=60, window=window)
    actor = Actor.TRADER if what is Move.DECLINE else Actor.CLOCK
    moved = make(with_changes(order, passed_over=("t0", TRADER)), what, actor)
    assert moved is not None
    after = moved.after
    assert (after.trader_id, after.expire_time) == (None, None)
    assert after.offers.passed_over == ("t0", TRADER)


def test_a_sell_with_a_proof_keeps_its_trader_and_money() -> None:
    """Nobody pays it a second time: its trader may have paid the customer."""
    order = waiting(OrderType.SELL, OrderStatus.ASSIGNED, seconds=1801, window=-1, proven=True)
    for what, actor in ((Move.LAPSE, Actor.CLOCK), (Move.UNASSIGN, Actor.OPERATOR)):
        moved = make(order, what, actor)
        assert moved is not None
        assert (moved.after.status, moved.after.trader_id) == (OrderStatus.DISPUTED, TRADER)
        assert moved.row is not None
        assert (moved.row.money, moved.row.trader) == (MoneyEffect.STAYS, TraderEffect.STAYS)
        assert moved.after.dispute.trader_asked_at == NOW
    disputed = make(replace(order, receipts=()), Move.DISPUTE, Actor.OPERATOR)
    assert disputed is not None
    with pytest.raises(StateConflict, match="disputed"):
        make(disputed.after, Move.UNASSIGN, Actor.OPERATOR)  # no unassignment came before


def test_the_same_sell_declined_by_two_traders() -> None:
    sell = waiting(OrderType.SELL, OrderStatus.ASSIGNED, seconds=60, window=1)
    first = make(sell, Move.DECLINE, Actor.TRADER)
    assert first is not None
    second = move(first.after, Move.ASSIGN, By(Actor.CLOCK), NOW, Assignment("t2", NOW + 60))
    assert second is not None
    with pytest.raises(OrderNotFound):
        make(second.after, Move.DECLINE, Actor.TRADER)
    third = move(second.after, Move.DECLINE, By(Actor.TRADER, "t2"), NOW)
    assert third is not None
    assert third.after.offers.passed_over == (TRADER, "t2")
    assert move(third.after, Move.DECLINE, By(Actor.TRADER, "t2"), NOW) is None


def test_an_assignment_to_another_trader_is_no_repeat() -> None:
    order = order_in(OrderType.SELL, OrderStatus.MATCHING, since=NOW)
    assigned = make(order, Move.ASSIGN, Actor.OPERATOR)
    assert assigned is not None
    assert assigned.after.expire_time == NOW + 1800
    assert make(assigned.after, Move.ASSIGN, Actor.OPERATOR) is None
    with pytest.raises(StateConflict, match="assigned"):
        move(assigned.after, Move.ASSIGN, By(Actor.OPERATOR), NOW, Assignment("t2", NOW + 60))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((Actor.TRADER, Move.CONFIRM), (Actor.OPERATOR, Move.RESOLVE_COMPLETED)),
        ((Actor.OPERATOR, Move.RESOLVE_COMPLETED), (Actor.TRADER, Move.CONFIRM)),
        ((Actor.OPERATOR, Move.RESOLVE_COMPLETED), (Actor.PAYER, Move.AGREE)),
        ((Actor.PAYER, Move.AGREE), (Actor.OPERATOR, Move.RESOLVE_COMPLETED)),
    ],
)
def test_who_comes_second_did_not_end_the_dispute(
    first: tuple[Actor, Move], second: tuple[Actor, Move]
) -> None:
    """Both moves end in the same status, but only one of them was made."""
    disputed = waiting(OrderType.BUY, OrderStatus.DISPUTED, seconds=0, window=0)
    ended = make(disputed, first[1], first[0])
    assert ended is not None
    assert ended.after.timeline[-1].by == first[0].value
    with pytest.raises(StateConflict, match="completed"):
        make(ended.after, second[1], second[0])


def test_a_resolved_dispute_is_nobodys_cancellation() -> None:
    disputed = make(
        order_in(OrderType.BUY, OrderStatus.DISPUTED, since=NOW),
        Move.RESOLVE_CANCELLED,
        Actor.OPERATOR,
    )
    assert disputed is not None
    with pytest.raises(StateConflict, match="cancelled"):
        make(disputed.after, Move.CANCEL, Actor.MERCHANT)


def test_a_paid_buy_of_a_stopped_account_is_disputed_at_once() -> None:
    paid = buy_order(NOW, OrderStatus.PAID)
    assert paid.unconfirmed_seconds == 86_400
    assert with_changes(paid, payee_stopped_at=NOW).unconfirmed_seconds == 0


@pytest.mark.parametrize("actor", [Actor.TRADER, Actor.OPERATOR])
def test_a_paid_buy_is_disputed_in_the_same_second(actor: Actor) -> None:
    moved = make(buy_order(NOW, OrderStatus.PAID, trader_id=TRADER), Move.DISPUTE, actor)
    assert moved is not None
    assert moved.after.status is OrderStatus.DISPUTED
