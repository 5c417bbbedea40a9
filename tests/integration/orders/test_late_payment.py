"""A late payment: the receipt of an expired buy, within 24 hours (contract section 6)."""

from collections.abc import Callable

import pytest

from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.order_errors import NoTraderAvailable, StateConflict, TooManyReceipts
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.places import kept_key, late_upload_key, takes_late_receipt
from orderdesk.services.operator.traders import set_trader_terms
from orderdesk.services.orders.late_receipts import take_late_receipt
from orderdesk.services.orders.receipts import Rendering
from tests.support.money_world import EveryFile, MoneyWorld, Step
from tests.support.world import World

FEN, DAY = 1000_00, 86_400
type Change = Callable[[MoneyWorld], object]


class Drawn(EveryFile):
    """Draws every upload and counts them."""

    def __init__(self, digest: str = "digest") -> None:
        self.count, self._digest = 0, digest

    def render(self, upload: str, _: str) -> Rendering:
        self.count += 1
        return Rendering(kept_key(upload, self._digest), "image/png", 1000, 1)


@pytest.fixture
def money(world: World) -> MoneyWorld:
    """Return a world whose only trader in the rotation has unique amounts."""
    money = MoneyWorld(world)
    money.suspend(0)
    return money


def expired(money: MoneyWorld, merchant: int = 0) -> Order:
    number = money.create(OrderType.BUY, FEN, merchant=merchant)
    money.now += 900
    money.do(Step(number, Actor.CLOCK, Move.EXPIRE, None))
    return money.order(number)


def send(money: MoneyWorld, order: Order, drawn: Drawn | None = None) -> Order:
    upload = late_upload_key(order, money.moves.moves.notes(order.order_no))
    take_late_receipt(order, upload, drawn or Drawn(), money.reopening(), money.now)
    money.check()
    return money.order(order.order_no)


def test_a_late_receipt_disputes_the_order_and_holds_again(money: MoneyWorld) -> None:
    order = expired(money)
    money.now += DAY - 901
    after = send(money, order)
    assert (after.status, len(after.receipts)) == (OrderStatus.DISPUTED, 1)
    assert after.timeline[-1].by == Actor.PAYER.value
    assert money.trader(1).counts.held_micro == order.quote.trader_micro
    with pytest.raises(NoTraderAvailable):
        money.create(OrderType.BUY, FEN)


def no_slot(money: MoneyWorld) -> None:
    money.create(OrderType.BUY, FEN + 1)
    trader_id = money.trader(1).trader_id
    set_trader_terms(money.command_ports, trader_id, {"max_open": 1})


def no_limit(money: MoneyWorld) -> None:
    """Open as many buys as the merchant may have."""
    for more in range(1, 3):
        money.create(OrderType.BUY, FEN // 100 + more, merchant=1)


@pytest.mark.parametrize("fill", [no_slot, no_limit])
def test_without_room_up_to_five_receipts_are_kept_as_notes(
    money: MoneyWorld, fill: Change
) -> None:
    order = expired(money, merchant=1)
    fill(money)
    before = money.trader(1)
    after = send(money, order)
    assert (after.status, after.receipts, after.dispute.notes) == (OrderStatus.EXPIRED, (), 1)
    [note] = money.moves.moves.notes(order.order_no)
    assert (note.by, note.picture is not None) == (Actor.PAYER, True)
    assert money.trader(1).counts.held_micro == before.counts.held_micro
    for _ in range(3):
        after = send(money, after)
    money.before_commit.then = lambda: send(money, after, Drawn("another"))
    with pytest.raises(TooManyReceipts):
        send(money, after)
    notes = money.moves.moves.notes(order.order_no)
    assert len(notes) == 5
    assert not takes_late_receipt(after, notes, money.now)


@pytest.mark.parametrize("fill", [no_slot, lambda _: None])
def test_the_same_late_receipt_is_taken_once(money: MoneyWorld, fill: Change) -> None:
    order, drawn = expired(money, merchant=1), Drawn()
    fill(money)
    upload = late_upload_key(order, ())

    def take(seen: Order = order) -> Order:
        take_late_receipt(seen, upload, drawn, money.reopening(), money.now)
        return money.order(order.order_no)

    money.before_commit.then = take
    after = take()
    assert take(after) == after
    assert (drawn.count, len(after.receipts) + after.dispute.notes) == (2, 1)
    money.check()


def test_nothing_is_taken_after_a_day_or_for_another_order(money: MoneyWorld) -> None:
    drawn, order = Drawn(), expired(money)
    with pytest.raises(UnfitReceipt) as unfit:
        take_late_receipt(order, "uploads/other/payer/1", drawn, money.reopening(), money.now)
    assert unfit.value.problem is ReceiptProblem.MISSING
    money.now += DAY
    with pytest.raises(StateConflict):
        send(money, order, drawn)
    assert drawn.count == 0


def test_two_late_receipts_at_once_dispute_the_order_once(money: MoneyWorld) -> None:
    order, first = expired(money), Drawn("another")
    money.before_commit.then = lambda: send(money, order, first)
    with pytest.raises(StateConflict):
        send(money, order)
    after = money.order(order.order_no)
    assert [entry.status.value for entry in after.timeline].count("disputed") == 1
    assert money.trader(1).counts.held_micro == order.quote.trader_micro
