"""The rotation: exact without competitors, spread out with them."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order_errors import NoTraderAvailable
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.matching import (
    CROWD_MEMORY_US,
    CROWD_REACH,
    OVERLAP_US,
    Demand,
    draw_fair,
    fits,
    rotation,
)
from orderdesk.domain.traders.trader import Claim, Trader
from orderdesk.services.orders.match import MAX_REMEMBERED, Candidates, Contention
from tests.support.chance import SeededChance
from tests.support.seed import a_trader, with_changes

METHODS = {kind: PaymentMethod(kind, "payee") for kind in MethodType}
DEMAND = Demand(OrderType.BUY, Mode.LIVE, MethodType.BANK, 1000_00, 100, 20_000, "m1", 50)


def trader(number: int = 1, **changes: Any) -> Trader:
    usual = {
        "max_cny_fen": 10_000_00,
        "methods": (METHODS[MethodType.BANK],),
        "available_micro": 1000,
    }
    return a_trader(f"t{number:04d}", **usual | {"min_cny_fen": 1} | changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"mode": Mode.TEST},
        {"online": False},
        {"suspended": True},
        {"methods": (METHODS[MethodType.WECHAT],)},
        {"min_cny_fen": 1000_01},
        {"max_cny_fen": 999_99},
        {"available_micro": 99},
        {"max_open": 2, "open_orders": 2},
        {"daily_cap_fen": 1500_00, "daily_used_fen": 500_01, "daily_day": 20_000},
    ],
)
def test_what_keeps_a_trader_from_an_order(changes: dict[str, Any]) -> None:
    assert fits(trader(), DEMAND)
    assert not fits(trader(**changes), DEMAND)


def test_yesterdays_amounts_do_not_count_today() -> None:
    full = trader(daily_cap_fen=1000_00, daily_used_fen=1000_00, daily_day=19_999)
    assert fits(full, DEMAND)


def test_the_trading_day_begins_at_midnight_in_china() -> None:
    midnight_utc = 20_000 * 86_400
    assert trading_day(midnight_utc + 16 * 3600 - 1) == 20_000
    assert trading_day(midnight_utc + 16 * 3600) == 20_001


@given(st.lists(st.tuples(st.integers(0, 50), st.booleans()), max_size=40))
def test_the_rotation_is_the_eligible_traders_by_last_acceptance(
    rows: list[tuple[int, bool]],
) -> None:
    traders = [
        trader(number, last_accepted_us=last, online=online)
        for number, (last, online) in enumerate(rows)
    ]
    order = rotation(traders, DEMAND)
    assert {t.trader_id for t in order} == {t.trader_id for t in traders if t.online}
    assert [t.counts.last_accepted_us for t in order] == sorted(
        t.counts.last_accepted_us for t in order
    )


def candidates(*pages: list[Trader], contention: Contention | None = None) -> Candidates:
    return Candidates(iter(pages), DEMAND, contention or Contention())


def crowd(now_us: int = 0) -> Contention:
    contention = Contention()
    contention.conflicted(now_us)
    return contention


class Never(SeededChance):
    """Randomness that must not be used."""

    def below(self, bound: int) -> int:
        raise AssertionError(bound)


NEVER = Never(Random())


def test_alone_the_head_is_taken_and_chance_is_not_asked() -> None:
    assert candidates([trader(1), trader(2)]).pick(NEVER, 0).trader_id == "t0001"


def test_a_crowd_is_remembered_for_a_while() -> None:
    contention = crowd(5)
    assert contention.crowded(5 + CROWD_MEMORY_US)
    assert not contention.crowded(6 + CROWD_MEMORY_US)


def test_in_a_crowd_the_first_traders_are_drawn_from() -> None:
    many = [trader(number) for number in range(CROWD_REACH + 40)]
    drawn = {
        candidates(many, contention=crowd()).pick(SeededChance(Random(seed)), 0).trader_id
        for seed in range(400)
    }
    assert len(drawn) > CROWD_REACH // 2
    assert max(drawn) < f"t{CROWD_REACH:04d}"


@pytest.mark.parametrize(
    ("other", "taken"),
    [
        ({"daily_day": DEMAND.day, "daily_orders": 2}, {"daily_orders": 9}),
        ({"last_accepted_us": 2}, {"last_accepted_us": 1}),
    ],
    ids=["fewer orders today", "waited longer"],
)
def test_the_better_of_two_drawn_is_taken(other: dict[str, Any], taken: dict[str, Any]) -> None:
    both = [trader(1, **other), trader(2, **{"daily_day": DEMAND.day - 1} | taken)]
    wins = [
        draw_fair(both, DEMAND.day, SeededChance(Random(seed)).below) is both[1]
        for seed in range(400)
    ]
    assert 260 < sum(wins) < 340, "two draws may be the same one"


def test_an_order_that_was_over_before_was_no_competitor() -> None:
    contention, now_us = Contention(), 10**9
    contention.lost(trader(1, last_accepted_us=now_us - OVERLAP_US), now_us)
    contention.lost(None, now_us)
    assert not contention.crowded(now_us)
    contention.lost(trader(1, last_accepted_us=now_us - OVERLAP_US + 1), now_us)
    assert contention.crowded(now_us)


def test_whom_the_process_knows_to_have_accepted_comes_after_the_last_page() -> None:
    contention = Contention()
    contention.succeeded(Claim(trader(1, last_accepted_us=1), DEMAND.day, now_us=100))
    pages = [trader(1, last_accepted_us=1), trader(2, last_accepted_us=2)], [trader(3)]
    order = candidates(*pages, contention=contention)
    for expected in ("t0002", "t0003"):
        picked = order.pick(NEVER, 0)
        assert picked.trader_id == expected
        order.lost(picked, None)
    assert order.pick(NEVER, 0) == trader(1, last_accepted_us=100)


def test_a_trader_that_the_index_shows_at_its_new_place_is_there_once() -> None:
    contention = Contention()
    contention.succeeded(Claim(trader(1, last_accepted_us=1), DEMAND.day, now_us=100))
    order = candidates(
        [trader(1, last_accepted_us=1)], [trader(1, last_accepted_us=100)], contention=contention
    )
    order.lost(order.pick(NEVER, 0), None)
    with pytest.raises(NoTraderAvailable):
        order.pick(NEVER, 0)


def test_what_a_process_remembers_is_bounded() -> None:
    contention = Contention()
    for number in range(MAX_REMEMBERED + 1):
        contention.lost(trader(number, last_accepted_us=7), now_us=10**9)
    forgotten, kept = trader(0), trader(1)
    assert contention.refreshed(forgotten) is forgotten
    assert contention.refreshed(kept).counts.last_accepted_us == 7


def test_a_lost_trader_that_still_fits_goes_behind_everybody() -> None:
    first, second = trader(1, last_accepted_us=1), trader(2, last_accepted_us=2)
    order = candidates([first, second])
    assert order.pick(NEVER, 0) == first
    order.lost(first, with_changes(first, last_accepted_us=3))
    assert order.has(first)
    assert order.pick(NEVER, 0) == second
    order.lost(second, None)
    assert order.pick(NEVER, 0).counts.last_accepted_us == 3
    order.lost(first, with_changes(first, available_micro=0))
    with pytest.raises(NoTraderAvailable):
        order.pick(NEVER, 0)


def test_a_lost_trader_that_has_not_accepted_since_keeps_its_place() -> None:
    first, second = trader(1, last_accepted_us=1), trader(2, last_accepted_us=2)
    order = candidates([first, second])
    changed = replace(order.pick(NEVER, 0), version=2)
    order.lost(first, changed)
    assert order.pick(NEVER, 0) is changed


def test_a_page_without_a_fitting_trader_leads_to_the_next() -> None:
    order = candidates([trader(1, online=False)], [], [trader(2)])
    assert order.pick(NEVER, 0).trader_id == "t0002"
