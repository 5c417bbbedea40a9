"""Merchants take turns, so no backlog delays others; a sell that no trader fits pauses.

If the assigner's index fails, sells that were read are offered, and the rest waits.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.adapters.system import SystemChance
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.orders.moves import TIMELINE_MAX, Assignment, By, move, postpone_offer
from orderdesk.domain.orders.open_orders import WaitingSell, in_turns, merchants_in_turns
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.orders.assign_sells import AssignPorts, Offered, assign_waiting
from orderdesk.services.orders.move import MovePorts
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
    assert assigned.after.due_time == NOW + 9
    actors = {Move.DECLINE: By(Actor.TRADER, "t1"), Move.UNASSIGN: By(Actor.OPERATOR)}
    returned = move(assigned.after, back, actors.get(back, By(Actor.CLOCK)), NOW + 20)
    assert returned is not None
    pause = 55 if back is Move.DECLINE else 0
    assert returned.after.due_time == NOW + 20 + pause
    assert returned.after.offers.failed_offers == 0


def test_a_sell_that_two_traders_decline_in_turn_waits_longer_and_its_lists_are_bounded() -> None:
    order, now = order_in(OrderType.SELL, OrderStatus.MATCHING, since=NOW), NOW
    created, pauses = order.timeline[0], list[int]()
    for number in range(2 * TIMELINE_MAX):
        trader_id = f"t{number % 2}"
        assignment = Assignment(trader_id, now + 1800)
        assigned = move(order, Move.ASSIGN, By(Actor.CLOCK), now, assignment)
        assert assigned is not None
        declined = move(assigned.after, Move.DECLINE, By(Actor.TRADER, trader_id), now)
        assert declined is not None
        order = declined.after
        assert order.due_time is not None
        pauses.append(order.due_time - now)
        now = order.due_time
    assert pauses[:7] == [55, 115, 235, 475, 955, 1795, 1795]
    assert set(pauses[6:]) == {1795}
    assert len(order.timeline) == TIMELINE_MAX
    assert order.timeline[0] == created
    assert order.sequence == 1 + 4 * TIMELINE_MAX
    assert len(order.offers.passed_over) == 2


SELLS = 3


class Index:
    """Sells that ended before they are read; the index of some modes fails before their last."""

    def __init__(self, *unread: Mode) -> None:
        self._unread = unread
        moves = MovePorts(cast("Any", self), SystemChance(), lambda _: None)
        self.ports = AssignPorts(
            waiting=self.waiting,
            orders=self.orders,
            rotation=cast("Any", self).line,
            moves=moves,
            window_seconds=60,
            run_all=map,
            report=self._report,
        )

    def waiting(self, mode: Mode, _until: int) -> Iterator[WaitingSell]:
        for number in range(SELLS):
            yield WaitingSell(f"{mode.value}-{number}", "m1")
        if mode in self._unread:
            raise TryAgain

    def orders(self, _order_nos: Sequence[str]) -> dict[str, Order]:
        return {}

    def line(self, _mode: Mode, _at_least: int) -> None:
        return None

    def _report(self, error: Exception) -> None:
        raise AssertionError("the store may be busy: that is no unexpected error") from error

    def run(self) -> Counter[Offered]:
        return assign_waiting(self.ports, lambda: 10**15, lambda: True, after_seconds=0)


@pytest.mark.parametrize("unread", [[Mode.LIVE], [Mode.TEST], [Mode.LIVE, Mode.TEST]])
def test_a_page_that_is_not_answered_stops_no_other_sell(unread: list[Mode]) -> None:
    tally = Index(*unread).run()
    assert tally == {Offered.LEFT: 2 * SELLS, Offered.PAGE_UNREAD: len(unread)}


def test_an_assigner_that_reads_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.SELLS", 0)
    with pytest.raises(TryAgain):
        Index(*Mode).run()
