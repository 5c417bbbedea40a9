"""The rotation: exact without competitors, spread out with them, and planned for many sells."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.order_errors import NoTraderAvailable
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.line import Learned, Line, LinePlan, Turn
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


DAY = 20_000
FEN = (100_00, 500_00, 900_00)
BANK = (PaymentMethod(MethodType.BANK, "payee"),)


@dataclass(frozen=True, slots=True)
class Sell:
    """A sell of an amount, and the traders that declined it."""

    number: int
    fen: int
    passed_over: tuple[str, ...]

    @property
    def demand(self) -> Demand:
        return Demand(OrderType.SELL, Mode.LIVE, MethodType.BANK, self.fen, 0, DAY, "m1", 50)


def trader_id(number: int) -> str:
    return f"t{number:04d}"


@st.composite
def pools(draw: st.DrawFn) -> dict[str, Trader]:
    usual = {"methods": BANK, "daily_day": DAY}
    terms = st.fixed_dictionaries(
        {
            "min_cny_fen": st.sampled_from([1, FEN[1]]),
            "max_cny_fen": st.sampled_from([FEN[0], FEN[1], 10_000_00]),
            "max_open": st.sampled_from([None, 1, 3]),
            "daily_cap_fen": st.sampled_from([None, 1000_00]),
            "last_accepted_us": st.integers(0, 5),
        }
    )
    drawn: list[dict[str, Any]] = draw(st.lists(terms, max_size=8))
    made = (a_trader(trader_id(n), **usual | each) for n, each in enumerate(drawn))
    return {trader.trader_id: trader for trader in made}


SELLS = st.lists(
    st.tuples(
        st.sampled_from(FEN), st.lists(st.integers(0, 7).map(trader_id), unique=True, max_size=3)
    ),
    max_size=25,
)


def longest_waiting(table: dict[str, Trader], sell: Sell) -> Trader | None:
    """Choose for this sell only, from the traders' present states."""
    for skipped in (sell.passed_over, sell.passed_over[-1:]):
        fitting = [
            trader
            for trader in table.values()
            if trader.trader_id not in skipped and fits(trader, sell.demand)
        ]
        if fitting:
            return min(
                fitting, key=lambda trader: (trader.counts.last_accepted_us, trader.trader_id)
            )
    return None


@given(pools(), SELLS, st.integers(1, 10), st.data())
def test_waves_are_the_rotation_one_sell_after_the_other(
    table: dict[str, Trader], drawn: Sequence[Any], wave: int, data: st.DataObject
) -> None:
    """The index shows each trader's present state, or the one before its last orders."""
    waiting = [Sell(n, fen, tuple(passed)) for n, (fen, passed) in enumerate(drawn)]
    history = {each: [trader] for each, trader in table.items()}
    learned, now_us, planned = Learned(), 100, 0
    while waiting:
        ages = {each: data.draw(st.integers(1, min(3, len(history[each])))) for each in table}
        index = sorted(
            (history[each][-ages[each]] for each in table),
            key=lambda trader: (trader.counts.last_accepted_us, trader.trader_id),
        )
        plan, claims, later = LinePlan(Line(iter(index), learned)), list[Trader](), list[Sell]()
        for sell in waiting[:wave]:
            chosen = plan.next_for(sell.demand, sell.passed_over)
            if chosen is Turn.LATER:
                assert longest_waiting(table, sell) in claims
                later.append(sell)
                continue
            assert (None if chosen is Turn.NOBODY_FITS else chosen) == longest_waiting(table, sell)
            if isinstance(chosen, Trader):
                now_us += 1
                after = plan.take(chosen, sell.demand, now_us)
                table[after.trader_id] = after
                claims.append(after)
            planned += 1
        for after in claims:
            learned.note(after)
            history[after.trader_id].append(after)
        assert len({trader.trader_id for trader in claims}) == len(claims)
        assert len(later) < wave, "each wave gets on"
        waiting = [*later, *waiting[wave:]]
    assert planned == len(drawn)


def test_no_more_of_the_rotation_is_read_than_is_looked_at() -> None:
    traders = [a_trader(trader_id(n), methods=BANK, last_accepted_us=n) for n in range(5)]
    read: list[str] = []

    def index() -> Any:
        for trader in traders:
            read.append(trader.trader_id)
            yield trader

    plan = LinePlan(Line(index(), Learned()))
    for number in range(2):
        sell = Sell(number, FEN[1], ())
        chosen = plan.next_for(sell.demand, ())
        assert chosen == traders[number]
        plan.take(traders[number], sell.demand, 100 + number)
    assert read == [trader_id(0), trader_id(1)]


def test_who_the_index_shows_too_early_has_the_place_of_its_last_order() -> None:
    first, second, third = (
        a_trader(trader_id(n), methods=BANK, last_accepted_us=last)
        for n, last in ((1, 0), (2, 30), (3, 40))
    )
    learned = Learned()
    learned.note(with_changes(first, last_accepted_us=20))
    places = [trader.trader_id for trader in Line(iter([first, second, third]), learned)]
    assert places == [trader_id(1), trader_id(2), trader_id(3)]
    learned.note(with_changes(first, last_accepted_us=35))
    places = [trader.trader_id for trader in Line(iter([first, second, third]), learned)]
    assert places == [trader_id(2), trader_id(1), trader_id(3)]


@pytest.mark.parametrize(
    ("on_day", "used", "orders", "kept"), [(DAY, 1200_00, 4, 2), (DAY - 1, 500_00, 1, 1)]
)
def test_a_taken_trader_is_as_the_claim_leaves_it(
    on_day: int, used: int, orders: int, kept: int
) -> None:
    before = a_trader(trader_id(1), methods=BANK, daily_day=on_day, open_orders=2)
    before = with_changes(before, daily_used_fen=700_00, daily_orders=3, daily_kept=1)
    after = LinePlan(Line((), Learned())).take(before, Sell(1, FEN[1], ()).demand, 77)
    counts: Any = {"open_orders": 3, "daily_used_fen": used, "daily_orders": orders}
    counts["daily_kept"] = kept
    assert after == with_changes(before, last_accepted_us=77, daily_day=DAY, **counts)


def test_an_operators_later_change_counts() -> None:
    """A lost claim reveals a state before the index does."""
    before = a_trader(trader_id(1), methods=BANK)
    learned = Learned()
    learned.note(a_trader(trader_id(1), methods=BANK, online=False, version=2))
    plan = LinePlan(Line(iter([before]), learned))
    assert plan.next_for(Sell(1, FEN[1], ()).demand, ()) is Turn.NOBODY_FITS
