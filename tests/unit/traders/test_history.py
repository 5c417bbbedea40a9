"""Search a trader's history with a limited number of reads."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.traders.history import (
    ALL,
    READ_ORDERS,
    READS_MAX,
    SEARCHED_MAX,
    Found,
    Wanted,
    find_past,
)
from tests.support.orders import TRADER, desk_order, numbered

NOW = 1_763_700_000


@dataclass(slots=True)
class Index:
    """A trader's past orders in memory; it counts the reads."""

    orders: Sequence[Order]
    reads: list[int] = field(default_factory=list)

    def done(self, trader_id: str, first_id: int, last_id: int, limit: int) -> Sequence[Order]:
        assert trader_id == TRADER.trader_id
        assert first_id <= last_id, "DynamoDB refuses a span without an end"
        self.reads.append(limit)
        span = [order for order in self.orders if first_id <= order.order_id <= last_id]
        return sorted(span, key=lambda order: -order.order_id)[:limit]


def past(number: int, fen: int = 1000_00) -> Order:
    return numbered(desk_order(OrderType.BUY, OrderStatus.COMPLETED, NOW, fen=fen), number)


ORDERS = [past(number, fen=1000_00 if number % 7 else 70_00) for number in range(1, 60)]


def pages(index: Index, wanted: Wanted, limit: int) -> list[Found]:
    """Read all pages."""
    found = [find_past(index.done, TRADER, wanted, None, limit=limit)]
    while (before := found[-1].before) is not None:
        found.append(find_past(index.done, TRADER, wanted, before, limit=limit))
    return found


@given(
    st.integers(1, 25),
    st.sampled_from([ALL, Wanted(cny_fen=70_00), Wanted("7"), Wanted(first_id=9, last_id=30)]),
)
def test_the_pages_have_every_wanted_order_once_the_newest_first(
    limit: int, wanted: Wanted
) -> None:
    found = [order for page in pages(Index(ORDERS), wanted, limit) for order in page.orders]
    expected = [
        order
        for order in reversed(ORDERS)
        if wanted.first_id <= order.order_id <= wanted.last_id and wanted.has(order)
    ]
    assert found == expected


def test_a_page_without_a_search_is_one_read() -> None:
    index = Index(ORDERS)
    assert len(find_past(index.done, TRADER, ALL, None, limit=20).orders) == 20
    assert index.reads == [21]


def test_a_search_reads_so_many_and_says_that_there_are_others() -> None:
    crowd = [past(number) for number in range(1, SEARCHED_MAX + 50)]
    index = Index(crowd)
    found = find_past(index.done, TRADER, Wanted(cny_fen=1), None, limit=20)
    assert (found.orders, found.is_cut) == ([], True)
    assert index.reads == [READ_ORDERS] * READS_MAX
    rest = find_past(index.done, TRADER, Wanted(cny_fen=1), found.before, limit=20)
    assert rest == Found([], None)
    assert len(index.reads) == READS_MAX + 1


def test_a_day_whose_first_order_is_at_its_end_is_read_to_the_end() -> None:
    crowd = [past(number) for number in range(1, READ_ORDERS + 1)]
    span = Wanted(first_id=1, last_id=READ_ORDERS, cny_fen=1)
    assert find_past(Index(crowd).done, TRADER, span, None, limit=20) == Found([], None)
