"""The figures of a day's orders (contract section 9, the console's report)."""

from dataclasses import replace

import pytest

from orderdesk.domain.orders.day_figures import HOURS, DayFigures, confirm_seconds
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.pricing import OrderType
from tests.support.orders import desk_order

START = 1_763_654_400
HOUR = 3600


def order(status: OrderStatus, hour: int, *way: tuple[OrderStatus, int, str]) -> Order:
    created = START + hour * HOUR
    steps = [TimelineEntry(step, created + after, by) for step, after, by in way]
    made = desk_order(OrderType.BUY, status, created, fen=100_00)
    return replace(made, timeline=(TimelineEntry(OrderStatus.PENDING, created), *steps))


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
