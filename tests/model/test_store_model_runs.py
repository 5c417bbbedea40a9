"""Whole runs of the store model, however crowded the store is."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from bench.model import market
from bench.model.assigning import assigning
from bench.model.contention import AlwaysHead, Sells, contention
from bench.model.fleet import Container, Fleet
from bench.model.sequential import match_reads, rotation_sequential
from bench.model.timing import ASSUMED, MEASURED_2020, Span, Timing
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.orders.match import Contention
from tests.model.hostile import UNLIMITED_SELLS, hostile_hour

NO_LAG = replace(ASSUMED, index_lag=Span(0))


def test_a_seed_gives_the_same_run_again() -> None:
    first, second = (contention(100, traders=20, seconds=2, seed=3) for _ in range(2))
    assert first == second
    assert contention(100, traders=20, seconds=2, seed=4) != first


def test_a_busy_floor_costs_little_more_than_a_quiet_one_and_stays_fair() -> None:
    busy = contention(100, seconds=20)
    assert busy.requests_mean <= 2.2
    assert busy.requests_p99 <= 2 * busy.requests_p50
    assert busy.spread <= 5
    assert not busy.refused
    assert min(busy.conflicts, busy.lost_claims) > 0


def test_a_crowd_three_times_as_large_is_served_too() -> None:
    crowd = contention(300, seconds=6)
    assert crowd.requests_mean <= 2.4
    assert crowd.refused <= crowd.orders // 500


def test_always_taking_the_head_collapses() -> None:
    naive = contention(100, traders=50, seconds=1, make_contention=AlwaysHead)
    ours = contention(100, traders=50, seconds=1)
    assert naive.requests_mean > 2 * ours.requests_mean
    assert naive.refused > 10 * ours.refused


def test_alone_a_buy_makes_two_requests_and_the_rotation_is_exact() -> None:
    alone = match_reads(16, 20)
    assert alone.requests_max == 2
    one_by_one = rotation_sequential(200, traders=60, timing=NO_LAG)
    assert one_by_one.accepted > 150
    assert (one_by_one.inversions, one_by_one.missed, one_by_one.lost_claims) == (0, 0, 0)


def test_the_container_that_was_used_last_is_taken_first() -> None:
    instant = Timing(**dict.fromkeys(Timing.__slots__, Span(0)))
    timing = replace(instant, cpu_begin=Span(10))
    store = market.store_of(map(market.trader, range(5)), timing=timing)
    timeline = store.timeline

    def start() -> Container:
        return Container(store, Random(1), Contention())

    fleet = Fleet(start)
    served: list[int] = []

    def order(number: int) -> None:
        fleet.serve(market.buy(number))
        served.append(sum(c.client.requests["Query"] > 0 for c in fleet.containers))

    for number, at_us in enumerate((0, 5, 40_000, 80_000)):
        timeline.spawn(lambda number=number: order(number), timeline.now_us + at_us)  # type: ignore[misc]
    timeline.run()
    assert len(fleet.containers) == 2
    assert [c.client.requests["Query"] for c in fleet.containers] == [1, 3]


def test_reads_grow_where_the_same_few_fit_and_hardly_where_it_is_chance() -> None:
    few, many = (match_reads(traders, 40) for traders in (100, 1_000))
    assert many.queries_mean < 2 * few.queries_mean
    steady = match_reads(100, 10, steady=True)
    assert (steady.fitting, steady.queries_mean) == (5, 1.2)  # the first query found the depth


def test_the_steady_case_is_where_repeated_orders_lead() -> None:
    """Traders who accept an order move to the end; the case begins where all fitting ones have."""
    amounts = enumerate([100_00] * 5 + [200_00] * 95)
    store = market.store_of(market.trader(number, fen, fen) for number, fen in amounts)
    container = Container(store, Random(1), Contention())
    queries = []
    for number in range(8):
        queries.append(container.serve(market.buy(number, 100_00)).queries)
        store.timeline.wait(US_PER_SECOND)
    # The sixth reads 16, 64 and 256 entries; from then on the first query is deep enough.
    assert queries == [1] * 5 + [3] + [1] * 2


def test_a_busy_merchants_sells_are_served_with_shards_only() -> None:
    split = contention(300, seconds=4, orders=Sells, balance_shards=8)
    assert split.refused == 0
    assert split.requests_mean < 3
    one = contention(100, seconds=4, orders=Sells)
    assert one.refusals.get("try_again", 0) > 0


# The assigner in a crowded store: fast, exact alone, fair beside buys, one write a sell.


@pytest.mark.parametrize("lag", [Span(0), ASSUMED.index_lag, Span(300_000, 0.7)])
def test_alone_the_rotation_is_exact_however_late_the_index_is(lag: Span) -> None:
    timing = replace(ASSUMED, index_lag=lag)
    alone = assigning(seconds=2, traders=40, timing=timing, completes=False)
    assert alone.sustained >= 150
    assert (alone.inversions, alone.spread, alone.lost) == (0, 1, 0)


def test_few_traders_are_taken_in_turn() -> None:
    few = assigning(seconds=2, traders=3, completes=False)
    assert few.assigned > 2 * 40
    assert (few.inversions, few.lost) == (0, 0)


@pytest.mark.parametrize("buys_per_second", [0, 40, 100])
def test_beside_buys_and_ends_it_stays_fast_and_fair(buys_per_second: int) -> None:
    busy = assigning(buys_per_second, seconds=4)
    assert busy.sustained >= 150
    assert busy.spread <= 5


def test_a_slow_store_is_fast_enough() -> None:
    assert assigning(seconds=3, timing=MEASURED_2020).sustained >= 150


def test_two_runs_that_overlap_assign_each_sell_once() -> None:
    both = assigning(20, seconds=2, runs=2)
    assert both.lost > 100, "the runs conflict"
    assert set(Counter(both.sells).values()) == {1}
    assert both.spread <= 5


def test_a_hostile_merchant_takes_no_trader_from_others() -> None:
    """Without the limits, it takes nearly all slots as soon as its sells are assigned."""
    seconds = 240
    before = hostile_hour(seconds, slot_share=100, **UNLIMITED_SELLS)
    after = hostile_hour(seconds)
    assert before.percent > 10
    assert (after.percent, after.slots) == (0, 200)
