"""Orders and drafts before and after every change, in memory."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from orderdesk.domain.callbacks.events import Subject
from orderdesk.domain.orders import drafts as steps
from orderdesk.domain.orders.moves import Assignment, By, move
from orderdesk.domain.orders.order import Order, OrderStatus, Receipt, Reversal
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from tests.support.order_table import CASES, WINDOW
from tests.support.orders import RECORD, held_draft, order_in
from tests.support.seed import WORKED_FEES, with_changes

NOW = 1_900_000_000
A_WEEK = 7 * 86_400
ENDED = {OrderStatus.EXPIRED, OrderStatus.CANCELLED}
REPORTED_FEN = 900_00


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    before: Subject | None
    after: Subject


def moves() -> Iterator[Step]:
    """Make every move of contract section 6."""
    for kind, status, actor, what, proven, target, wait in CASES:
        is_proven = proven or what is Move.PAY_LATE
        before = with_changes(
            order_in(kind, status, since=NOW - (1 if status in ENDED else A_WEEK)),
            expire_time=NOW if wait == WINDOW else NOW + 1,
            callback_url="https://m.example.com/own",
            receipts=(Receipt("late", "image/png", 1, NOW),) if is_proven else (),
            fees=WORKED_FEES,
            reported_fen=REPORTED_FEN if what is Move.AGREE else None,
        )
        name = f"{kind.name} {status} {actor} {what} {target}".lower()
        yield Step(name, before, moved(before, what, actor))


def moved(before: Order, what: Move, actor: Actor) -> Order:
    by = By(actor, before.trader_id if actor is Actor.TRADER else None)
    reported = REPORTED_FEN if what is Move.REPORT_SUM else None
    made = move(before, what, by, NOW, Assignment("t1", NOW + 1800), sum_fen=reported)
    assert made is not None
    return made.after


def draft_steps() -> Iterator[Step]:
    held = held_draft(NOW - 60, callback_url="https://m.example.com/own")
    asked = steps.take_attempt(held, NOW)
    yield Step("draft held", None, held)
    yield Step("draft asked", held, asked)
    yield Step("draft given back", asked, steps.give_attempt_back(asked, NOW))
    yield Step("draft verified", asked, steps.verified(asked, RECORD, NOW))
    yield Step("draft locked", asked, steps.locked(asked, NOW))
    yield Step("draft expired", held, steps.expired(held, NOW))
    yield Step("draft completed", asked, steps.completed(asked, "B" + "1" * 24, NOW))


def other_changes() -> Iterator[Step]:
    """Create orders, and change them without moving them."""
    for kind, status in ((OrderType.BUY, OrderStatus.PENDING), (OrderType.SELL, "matching")):
        yield Step(f"new {kind.name}".lower(), None, order_in(kind, OrderStatus(status), since=NOW))
    new = order_in(OrderType.BUY, OrderStatus.PENDING, since=NOW)
    yield Step("new from a draft", None, replace(new, pending_no="D" + "1" * 24))
    done = order_in(OrderType.BUY, OrderStatus.COMPLETED, since=NOW)
    part, sequence = Reversal("P1", NOW, 1), done.sequence + 1
    yield Step(
        "reversed", done, with_changes(done, reversals=(part,), version=2, sequence=sequence)
    )
    paid = order_in(OrderType.BUY, OrderStatus.PAID, since=NOW)
    receipt = Receipt("receipts/private", "image/png", 1, NOW)
    yield Step("receipt", paid, replace(paid, version=2, receipts=(receipt,)))
