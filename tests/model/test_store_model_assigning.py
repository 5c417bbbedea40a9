"""The assigner in a crowded store: fast, exact alone, fair beside buys, one write a sell."""

from collections import Counter
from dataclasses import replace

import pytest

from bench.model.assigning import assigning
from bench.model.timing import ASSUMED, MEASURED_2020, Span


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
