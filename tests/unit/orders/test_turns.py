"""Merchants take turns, so no backlog delays others; a sell that no trader fits pauses."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.moves import TIMELINE_MAX, Assignment, By, move, postpone_offer
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.orders.turns import WaitingSell, in_turns, merchants_in_turns
from orderdesk.domain.pricing import OrderType
from tests.support.orders import order_in

NOW = 1_900_000_000


@given(st.lists(st.lists(st.integers(), max_size=9), max_size=5))
def test_turns_lose_nothing_and_keep_each_queues_order(queues: list[list[int]]) -> None:
    named = [[(number, one) for one in queue] for number, queue in enumerate(queues)]
    given_out = list(in_turns(named))
    for number, queue in enumerate(named):
        assert [one for one in given_out if one[0] == number] == queue
    assert len(given_out) == sum(map(len, queues))


@given(st.lists(st.sampled_from("abcd"), max_size=60))
def test_nobody_waits_behind_one_merchants_flood(merchants: list[str]) -> None:
    sells = [WaitingSell(str(number), merchant) for number, merchant in enumerate(merchants)]
    given_out = list(merchants_in_turns(sells))
    assert sorted(given_out, key=lambda sell: int(sell.order_no)) == sells
    for place, sell in enumerate(given_out):
        before = Counter(other.merchant_id for other in given_out[:place])
        own = before.pop(sell.merchant_id, 0)
        assert all(count <= own + 1 for count in before.values()), "one more turn each, at most"
    for merchant in set(merchants):
        own_numbers = [int(s.order_no) for s in given_out if s.merchant_id == merchant]
        assert own_numbers == sorted(own_numbers), "a merchant's longest waiting comes first"


def test_a_sell_nobody_fits_pauses_longer_and_at_most_five_minutes() -> None:
    order = order_in(OrderType.SELL, OrderStatus.MATCHING, since=NOW)
    assert order.due_time == NOW
    pauses = []
    for _ in range(6):
        order = postpone_offer(order, NOW)
        assert order.due_time is not None
        pauses.append(order.due_time - NOW)
    assert pauses == [55, 115, 235, 295, 295, 295]
    first = order_in(OrderType.SELL, OrderStatus.MATCHING, since=NOW)
    unseen = (order.sequence, order.timeline, order.updatetime, order.status)
    assert unseen == (first.sequence, first.timeline, first.updatetime, first.status)
    assert order.version == first.version + 6


@pytest.mark.parametrize("back", [Move.DECLINE, Move.UNASSIGN, Move.LAPSE])
def test_a_sell_that_comes_back_waits_anew(back: Move) -> None:
    order = postpone_offer(order_in(OrderType.SELL, OrderStatus.MATCHING, since=NOW), NOW)
    assigned = move(order, Move.ASSIGN, By(Actor.CLOCK), NOW, Assignment("t1", NOW + 9))
    assert assigned is not None
    assert assigned.order.due_time == NOW + 9
    actors = {Move.DECLINE: By(Actor.TRADER, "t1"), Move.UNASSIGN: By(Actor.OPERATOR)}
    returned = move(assigned.order, back, actors.get(back, By(Actor.CLOCK)), NOW + 20)
    assert returned is not None
    pause = 55 if back is Move.DECLINE else 0
    assert returned.order.due_time == NOW + 20 + pause
    assert returned.order.offers.failed_offers == 0


def test_a_sell_that_two_traders_decline_in_turn_waits_longer_and_its_lists_are_bounded() -> None:
    order, now = order_in(OrderType.SELL, OrderStatus.MATCHING, since=NOW), NOW
    created, pauses = order.timeline[0], list[int]()
    for number in range(2 * TIMELINE_MAX):
        trader_id = f"t{number % 2}"
        assignment = Assignment(trader_id, now + 1800)
        assigned = move(order, Move.ASSIGN, By(Actor.CLOCK), now, assignment)
        assert assigned is not None
        declined = move(assigned.order, Move.DECLINE, By(Actor.TRADER, trader_id), now)
        assert declined is not None
        order = declined.order
        assert order.due_time is not None
        pauses.append(order.due_time - now)
        now = order.due_time
    assert pauses[:7] == [55, 115, 235, 475, 955, 1795, 1795]
    assert set(pauses[6:]) == {1795}
    assert len(order.timeline) == TIMELINE_MAX
    assert order.timeline[0] == created
    assert order.sequence == 1 + 4 * TIMELINE_MAX
    assert len(order.offers.passed_over) == 2
