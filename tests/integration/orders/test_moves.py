"""Every move with its money, its trader and its timeline."""

from dataclasses import replace

import pytest

from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.order_errors import OrderNotFound, StateConflict, TooManyReceipts
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.files import UnfitReceipt
from orderdesk.domain.receipts.places import late_proof_key
from orderdesk.services.orders.late_receipts import take_late_proof
from orderdesk.services.orders.receipts import ReceiptPorts
from tests.support.money_world import EveryFile, MoneyWorld, Step

FEN = 1000_00


def test_a_paid_order_nobody_confirms_is_disputed_after_a_day(money: MoneyWorld) -> None:
    number = money.create(OrderType.BUY, FEN)
    money.do(Step(number, Actor.PAYER, Move.PAY))
    money.now += 86_399
    assert money.sweep() == {}
    money.now += 1
    assert money.sweep() == {"orders_disputed": 1}
    assert money.order(number).timeline[-1].by == "clock"
    assert money.sweep() == {}
    money.check()


def test_a_proof_is_kept_for_the_traders_assignment_only(money: MoneyWorld) -> None:
    number = money.create(OrderType.SELL, FEN)
    with pytest.raises(OrderNotFound):
        money.prove(number, money.traders[0].trader_id)
    money.assign_waiting()
    trader_id = money.order(number).trader_id
    assert len(money.prove(number, trader_id).receipts) == 1
    assert money.prove(number, trader_id) == money.order(number)
    with pytest.raises(StateConflict, match="assigned"):
        money.do(Step(number, Actor.TRADER, Move.DECLINE, trader_id))
    other = money.create(OrderType.SELL, FEN)
    money.assign_waiting()
    trader_id = money.order(other).trader_id
    money.do(Step(other, Actor.TRADER, Move.DECLINE, trader_id))
    with pytest.raises(OrderNotFound):
        money.prove(other, trader_id, "late")


def test_an_unanswered_assignment_lapses_and_passes_over(money: MoneyWorld) -> None:
    number = money.create(OrderType.SELL, FEN)
    money.assign_waiting()
    first = money.order(number).trader_id
    money.now += 1799
    assert money.sweep() == {}
    money.now += 1
    assert money.sweep() == {"assignments_lapsed": 1}
    money.check()
    money.assign_waiting()
    assert money.order(number).trader_id not in {first, None}
    money.check()


def test_a_sell_with_a_proof_is_not_paid_by_a_second_trader(money: MoneyWorld) -> None:
    number = money.create(OrderType.SELL, FEN)
    money.assign_waiting()
    first = money.order(number).trader_id
    money.now += 1795
    money.prove(number, first)
    money.now += 5
    assert money.sweep() == {"orders_disputed": 1}
    assert money.assign_waiting() == {}
    order = money.order(number)
    assert (order.status, order.trader_id, len(order.receipts)) == ("disputed", first, 1)
    assert order.timeline[-1].by == "clock"
    money.check()


S = OrderStatus
A_DAY = 86_400


def sold(money: MoneyWorld, which: int = 0) -> str:
    """Create a sell and assign it to a trader."""
    number = money.create(OrderType.SELL, 1000_00)
    money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, money.traders[which].trader_id))
    return number


def lapsed(money: MoneyWorld) -> str:
    number = sold(money)
    money.now += 1800
    money.sweep()
    assert money.order(number).status is S.MATCHING
    return number


def prove_late(money: MoneyWorld, number: str, seen: Order | None = None) -> Order:
    """Hand in the proof of the first trader, whose page was opened when the order was `seen`."""
    order, by = seen or money.order(number), By(Actor.TRADER, money.traders[0].trader_id)
    returned = next(each for each in order.late.returns if each.trader_id == by.trader_id)
    ports = ReceiptPorts(EveryFile(), money.moves)
    after = take_late_proof(order, late_proof_key(order, returned), by, ports, money.now)
    money.check()
    return after


def taken_by(money: MoneyWorld, number: str, which: int) -> None:
    money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, money.traders[which].trader_id))


@pytest.mark.parametrize("how", [Move.LAPSE, Move.UNASSIGN])
def test_a_waiting_sell_is_disputed_with_its_former_trader(money: MoneyWorld, how: Move) -> None:
    number = lapsed(money) if how is Move.LAPSE else sold(money)
    if how is Move.UNASSIGN:
        money.do(Step(number, Actor.OPERATOR, how))
    money.now += A_DAY - 1
    after = prove_late(money, number)
    assert (after.status, after.trader_id) == (S.DISPUTED, money.traders[0].trader_id)
    assert (after.timeline[-1].by, len(after.receipts)) == ("trader", 1)
    assert money.trader(0).counts.open_orders == 1
    done = money.do(Step(number, Actor.OPERATOR, Move.RESOLVE_COMPLETED))
    assert (done.status, money.trader(0).counts.open_orders) == (S.COMPLETED, 0)
    money.check()


def test_after_a_day_after_a_decline_and_with_the_order_there_is_none(money: MoneyWorld) -> None:
    number = lapsed(money)
    seen = money.order(number)
    taken_by(money, number, 0)
    with pytest.raises(OrderNotFound):
        prove_late(money, number, seen)
    assert money.order(number).late.late_proofs == ()
    money.do(Step(number, Actor.OPERATOR, Move.UNASSIGN))
    money.now += A_DAY
    with pytest.raises(OrderNotFound):
        prove_late(money, number)
    other = sold(money)
    money.do(Step(other, Actor.TRADER, Move.DECLINE, money.traders[0].trader_id))
    assert money.order(other).late.returns == ()


@pytest.mark.parametrize("how", [Move.LAPSE, Move.UNASSIGN, Move.DECLINE])
def test_another_traders_sell_keeps_its_status_until_that_trader_loses_it(
    money: MoneyWorld, how: Move
) -> None:
    number = lapsed(money)
    taken_by(money, number, 1)
    after = prove_late(money, number)
    assert (after.status, after.trader_id) == (S.ASSIGNED, money.traders[1].trader_id)
    assert prove_late(money, number) == after
    money.now += 1800
    actors = {Move.LAPSE: Actor.CLOCK, Move.UNASSIGN: Actor.OPERATOR, Move.DECLINE: Actor.TRADER}
    lost = money.do(Step(number, actors[how], how, money.traders[1].trader_id))
    assert (lost.status, lost.trader_id) == (S.DISPUTED, money.traders[0].trader_id)
    assert (len(lost.receipts), lost.late.late_proofs) == (1, ())
    assert (money.trader(0).counts.open_orders, money.trader(1).counts.open_orders) == (1, 0)
    money.check()


def test_with_a_proof_of_the_other_trader_it_is_a_claim(money: MoneyWorld) -> None:
    number = lapsed(money)
    taken_by(money, number, 1)
    money.prove(number, money.traders[1].trader_id)
    prove_late(money, number)
    done = money.do(Step(number, Actor.TRADER, Move.CONFIRM, money.traders[1].trader_id))
    assert done.status is S.COMPLETED
    assert [each.trader_id for each in done.late.late_proofs] == [money.traders[0].trader_id]
    money.check()


def test_a_suspended_traders_proof_is_a_note(money: MoneyWorld) -> None:
    number = lapsed(money)
    money.suspend(0)
    for _ in range(2):
        after = prove_late(money, number)
        assert (after.status, after.dispute.notes, after.receipts) == (S.MATCHING, 1, ())


def test_the_last_three_returns_are_kept(money: MoneyWorld) -> None:
    number = money.create(OrderType.SELL, 1000_00)
    for _ in range(2):
        for which in (0, 1):
            taken_by(money, number, which)
            money.do(Step(number, Actor.OPERATOR, Move.UNASSIGN))
    traders = [money.traders[which].trader_id for which in (1, 0, 1)]
    assert [each.trader_id for each in money.order(number).late.returns] == traders


def test_late_proofs_are_bounded(money: MoneyWorld) -> None:
    number = lapsed(money)
    money.do(Step(number, Actor.MERCHANT, Move.CANCEL))
    order, by = money.order(number), By(Actor.TRADER, money.traders[0].trader_id)
    place = late_proof_key(order, order.late.returns[0]).rpartition("/")[0]
    ports = ReceiptPorts(EveryFile(), money.moves)
    for key in (
        f"{place}/6",
        late_proof_key(order, replace(order.late.returns[0], trader_id="other")),
    ):
        with pytest.raises(UnfitReceipt):
            take_late_proof(order, key, by, ports, money.now)
    for slot in (1, 2, 3):
        take_late_proof(money.order(number), f"{place}/{slot}", by, ports, money.now)
    with pytest.raises(TooManyReceipts):
        take_late_proof(money.order(number), f"{place}/4", by, ports, money.now)
