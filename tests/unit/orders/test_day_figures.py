"""The figures of a day's orders (contract section 9, the console's report)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.day_figures import (
    CLASSES_SECONDS,
    Counts,
    DayFigures,
    MerchantDay,
    class_of,
    confirm_seconds,
    ended_buys,
    figures_after,
    figures_name,
    is_kept,
)
from orderdesk.domain.orders.open_orders import UnpaidBuys
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.times import trading_day
from tests.support.orders import desk_order

START = 1_763_654_400
HOUR, DAY = 3600, 86_400
NUMBER = trading_day(START)
DESK = figures_name(NUMBER, Mode.LIVE)


def order(status: OrderStatus, hour: int, *way: tuple[OrderStatus, int, str]) -> Order:
    created = START + hour * HOUR
    steps = [TimelineEntry(step, created + after, by) for step, after, by in way]
    made = desk_order(OrderType.BUY, status, created, fen=100_00)
    return replace(made, timeline=(TimelineEntry(OrderStatus.PENDING, created), *steps))


def counted(orders: Iterable[Order], end: int = START + DAY) -> dict[str, Counts]:
    return figures_after({}, orders, START, end)


def lasting(seconds: Sequence[int]) -> MerchantDay:
    classes = Counter(map(class_of, seconds))
    of_all = tuple(classes[number] for number in range(len(CLASSES_SECONDS) + 1))
    return MerchantDay(total_seconds=sum(seconds), classes=of_all)


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
    assert confirm_seconds(order(OrderStatus.COMPLETED, 0, *way).timeline) == seconds


def test_orders_are_counted_by_the_hour_of_their_creation() -> None:
    orders = (
        order(OrderStatus.COMPLETED, 3, PAID, CONFIRMED),
        order(OrderStatus.COMPLETED, 3, PAID, DISPUTED, RESOLVED),
        order(OrderStatus.EXPIRED, 23, (OrderStatus.EXPIRED, 900, "clock")),
        order(OrderStatus.DISPUTED, 23, PAID, DISPUTED),
    )
    figures = DayFigures(counted(orders)[DESK])
    assert (figures.created[3], figures.created[23], figures.orders) == (2, 2, 4)
    assert (figures.completed_fen[3], sum(figures.completed_fen)) == (200_00, 200_00)
    assert (figures.disputed[3], figures.disputed[23]) == (1, 1)
    ended = {OrderStatus.COMPLETED: 2, OrderStatus.DISPUTED: 1, OrderStatus.EXPIRED: 1}
    assert figures.statuses == ended
    assert figures.completed_percent == 66
    assert (figures.confirmed_within(50), figures.confirm_classes()) == (90, [0, 1, 0, 0, 0, 0, 0])


def test_a_day_without_orders_has_no_figures() -> None:
    figures = DayFigures()
    assert (figures.completed_percent, figures.confirmed_within(50)) == (None, None)


def test_percentiles_are_times_that_were_reached() -> None:
    figures = DayFigures({f"confirmed {seconds}": 1 for seconds in (10, 40, 20, 30)})
    assert [figures.confirmed_within(percent) for percent in (1, 50, 90, 100)] == [10, 20, 40, 40]


@pytest.mark.parametrize(("seconds", "shown"), [(3600, 3600), (3601, 7200), (86_399, 86_400)])
def test_a_long_confirmation_is_rounded_up_to_hours(seconds: int, shown: int) -> None:
    way = (PAID, (OrderStatus.COMPLETED, 60 + seconds, "trader"))
    figures = DayFigures(counted([order(OrderStatus.COMPLETED, 0, *way)], START + 2 * DAY)[DESK])
    assert figures.confirmed_within(50) == shown


def test_a_merchants_day_has_what_was_created_and_how_it_ended() -> None:
    orders = [
        order(OrderStatus.COMPLETED, 3, PAID, CONFIRMED),
        order(OrderStatus.COMPLETED, 3, PAID, DISPUTED, RESOLVED),
        order(OrderStatus.EXPIRED, 5, (OrderStatus.EXPIRED, 900, "clock")),
        order(OrderStatus.PENDING, 23),
        replace(order(OrderStatus.PAID, 23, PAID), merchant_id="m2"),
        replace(order(OrderStatus.PAID, 23, PAID), mode=Mode.TEST),
    ]
    figures = counted(orders)
    own, other = (figures_name(NUMBER, Mode.LIVE, each) for each in (orders[0].merchant_id, "m2"))
    assert figures.keys() == {DESK, figures_name(NUMBER, Mode.TEST), own, other}
    day = MerchantDay.of(figures[own])
    assert (day.orders, day.ended, day.completed, day.completed_fen) == (4, 3, 2, 200_00)
    assert (day.confirmed, day.total_seconds) == (2, 90 + 440)
    assert ended_buys(figures[own]) == UnpaidBuys(3, 1)
    assert MerchantDay.of(figures[other]).confirmed == 0


@given(st.lists(st.integers(0, DAY), max_size=6), st.data())
def test_spans_add_up_to_one_span(ends: list[int], data: st.DataObject) -> None:
    """However the day is cut, the figures are those of its whole."""
    ways = [(), (PAID,), (PAID, CONFIRMED), (PAID, DISPUTED, RESOLVED)]
    orders = [
        order(OrderStatus.PENDING, hour, *data.draw(st.sampled_from(ways))) for hour in range(3)
    ]
    figures: dict[str, Counts] = {}
    at = START
    for end in [*sorted(START + each for each in ends), START + DAY]:
        if end > at:
            figures, at = figures_after(figures, orders, at, end), end
    assert figures == counted(orders)


def test_figures_that_are_not_kept_count_no_more() -> None:
    way = (PAID, (OrderStatus.COMPLETED, 3 * DAY, "trader"))
    late = order(OrderStatus.COMPLETED, 3, *way)
    assert figures_after({}, [late], START + 2 * DAY, START + 4 * DAY) == {}
    open_now = figures_after({}, [late], START, START + DAY)
    assert is_kept(DESK, open_now[DESK], NUMBER + 5)
    ended = figures_after(open_now, [late], START + DAY, START + 4 * DAY)
    assert (is_kept(DESK, ended[DESK], NUMBER + 1), is_kept(DESK, ended[DESK], NUMBER + 2)) == (
        True,
        False,
    )
    assert not is_kept(DESK, open_now[DESK], NUMBER + 30)


@given(st.lists(st.integers(0, 3600), min_size=1), st.integers(1, 100))
def test_a_percentile_of_classes_is_the_end_of_its_class(seconds: list[int], percent: int) -> None:
    durations = lasting(seconds)
    exact = sorted(seconds)[-(-len(seconds) * percent // 100) - 1]
    end = durations.confirmed_within(percent)
    assert end is not None
    assert exact <= end
    assert (durations.confirmed, durations.total_seconds) == (len(seconds), sum(seconds))
    assert durations + MerchantDay() == durations
    assert (durations + lasting([60])).classes[0] == durations.classes[0] + 1
    assert MerchantDay().confirmed_within(percent) is None


def test_a_class_without_an_end_has_no_percentile() -> None:
    assert lasting([3601]).confirmed_within(50) is None
