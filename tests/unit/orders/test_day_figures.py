"""The figures of a day's orders (contract section 9, the console's report)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.day_figures import (
    HOURS,
    DayFigures,
    Durations,
    OrderFacts,
    confirm_seconds,
    counts_by_merchant,
    facts_of,
)
from orderdesk.domain.orders.order import OrderStatus, TimelineEntry
from orderdesk.domain.pricing import OrderType
from tests.support.orders import desk_order

START = 1_763_654_400
HOUR = 3600


def order(status: OrderStatus, hour: int, *way: tuple[OrderStatus, int, str]) -> OrderFacts:
    created = START + hour * HOUR
    steps = [TimelineEntry(step, created + after, by) for step, after, by in way]
    made = desk_order(OrderType.BUY, status, created, fen=100_00)
    return facts_of(replace(made, timeline=(TimelineEntry(OrderStatus.PENDING, created), *steps)))


PAID = (OrderStatus.PAID, 60, "payer")
CONFIRMED = (OrderStatus.COMPLETED, 150, "trader")
DISPUTED = (OrderStatus.DISPUTED, 100, "trader")
RESOLVED = (OrderStatus.COMPLETED, 500, "operator")


@pytest.mark.parametrize(
    ("way", "seconds"),
    [
        ((), None),
        ((PAID,), None),
        ((PAID, CONFIRMED), 90),
        ((CONFIRMED,), None),
        ((PAID, DISPUTED, RESOLVED), None),
    ],
)
def test_the_time_to_confirm_is_the_traders(
    way: tuple[tuple[OrderStatus, int, str], ...], seconds: int | None
) -> None:
    assert confirm_seconds(order(OrderStatus.COMPLETED, 0, *way)) == seconds


def test_orders_are_counted_by_the_hour_of_their_creation() -> None:
    figures = DayFigures(START)
    now = START + HOURS * HOUR
    for each in (
        order(OrderStatus.COMPLETED, 3, PAID, CONFIRMED),
        order(OrderStatus.COMPLETED, 3, PAID, DISPUTED, RESOLVED),
        order(OrderStatus.EXPIRED, 23, (OrderStatus.EXPIRED, 900, "clock")),
        order(OrderStatus.DISPUTED, 23, PAID, DISPUTED),
    ):
        figures.add(each, now)
    assert (figures.created[3], figures.created[23], figures.orders) == (2, 2, 4)
    assert (figures.completed_fen[3], sum(figures.completed_fen)) == (200_00, 200_00)
    assert (figures.disputed[3], figures.disputed[23]) == (1, 1)
    assert (figures.over[3], figures.completed[3], figures.over[23]) == (2, 2, 1)
    assert figures.completed_percent == 66
    assert (figures.confirmed_within(50), figures.confirm_classes()) == (90, [0, 1, 0, 0, 0, 0, 0])


def test_a_day_without_orders_has_no_figures() -> None:
    figures = DayFigures(START)
    assert (figures.completed_percent, figures.confirmed_within(50)) == (None, None)


def test_percentiles_are_times_that_were_reached() -> None:
    figures = DayFigures(START, confirm_seconds=[10, 40, 20, 30])
    assert [figures.confirmed_within(percent) for percent in (1, 50, 90, 100)] == [10, 20, 40, 40]


def test_a_merchants_day_has_what_was_created_and_how_it_ended() -> None:
    now = START + HOURS * HOUR
    orders = [
        order(OrderStatus.COMPLETED, 3, PAID, CONFIRMED),
        order(OrderStatus.COMPLETED, 3, PAID, DISPUTED, RESOLVED),
        order(OrderStatus.EXPIRED, 5, (OrderStatus.EXPIRED, 900, "clock")),
        replace(order(OrderStatus.PENDING, 5), expire_time=now),
        replace(order(OrderStatus.PENDING, 23), expire_time=now + 1),
        replace(order(OrderStatus.PAID, 23, PAID), merchant_id="m2"),
        replace(order(OrderStatus.PAID, 23, PAID), mode=Mode.TEST),
    ]
    counts = counts_by_merchant(orders, now)
    assert {mode for _, mode in counts} == set(Mode)
    assert len(counts) == 3
    ours = counts[orders[0].merchant_id, Mode.LIVE]
    assert ours.created == {OrderType.BUY: 5}
    assert ours.ended == {OrderStatus.COMPLETED: 2, OrderStatus.EXPIRED: 2}
    assert ours.disputed == 1
    bought = ours.completed[OrderType.BUY]
    assert (bought.count, bought.cny_fen) == (2, 200_00)
    assert bought.usdt_micro == 2 * orders[0].usdt_micro
    assert (ours.to_pay.count, ours.to_pay.total_seconds) == (2, 120)
    assert (ours.to_complete.count, ours.to_complete.total_seconds) == (2, 90 + 440)
    assert counts["m2", Mode.LIVE].to_complete.count == 0


@given(st.lists(st.integers(0, 3600), min_size=1), st.integers(1, 100))
def test_a_percentile_of_classes_is_the_end_of_its_class(seconds: list[int], percent: int) -> None:
    durations = Durations()
    for each in seconds:
        durations.add(each)
    exact = sorted(seconds)[-(-len(seconds) * percent // 100) - 1]
    end = durations.within(percent)
    assert end is not None
    assert exact <= end
    assert durations.total_seconds == sum(seconds)
    assert Durations().within(percent) is None


def test_a_class_without_an_end_has_no_percentile() -> None:
    durations = Durations()
    durations.add(3601)
    assert durations.within(50) is None
