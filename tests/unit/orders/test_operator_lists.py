"""The pages of operators' order lists, joined, are exactly what a look at every order finds."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orderdesk.domain.ids import id_of, numbered, time_ordered_id
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.operator.orders import OperatorSearch, Partition, order_page
from orderdesk.services.ports import Slice
from tests.support.depth import examples
from tests.support.orders import STATES, order_in
from tests.support.seed import with_changes

NOW = 1_900_000_000
YEAR = 365 * 86_400
QUEUED = (OrderStatus.DISPUTED, OrderStatus.MATCHING)


@dataclass
class Listing:
    """Indexes in memory; one request reads at most `page` entries."""

    stored: Sequence[Order]
    page: int
    requests: int = 0
    reads: list[int] = field(default_factory=list)

    def partitions(self, wanted: OperatorSearch) -> Sequence[Partition]:
        count = 4 if wanted.trader_id is not None else 8
        return [Partition(str(count), str(shard)) for shard in range(count)]

    def stretch(
        self,
        partition: Partition,
        wanted: OperatorSearch,
        span: tuple[int, int],
        now: int,
        entries: int,
    ) -> Slice[str, int]:
        self.requests += 1
        first, last = span
        rows = [
            order
            for order in sorted(self.stored, key=lambda order: -order.order_id)
            if order.order_id % int(partition.index) == int(partition.key)
            and first <= order.order_id <= last
        ]
        read = rows[: min(self.page, entries)]
        found = [order.order_no for order in read if wanted.passes(order, now)]
        return Slice(found, read[-1].order_id if read != rows else None)

    def claimed(self) -> Sequence[str]:
        return ()

    def queued(self, status: OrderStatus, mode: Mode | None) -> Sequence[str] | None:
        if status not in QUEUED:
            return None
        self.requests += 16
        waiting = [o for o in self.stored if o.status is status and mode in {None, o.mode}]
        return [
            o.order_no for o in sorted(waiting, key=lambda order: (order.since, order.order_no))
        ]

    def subjects(self, numbers: Sequence[str]) -> Sequence[Order | Draft]:
        self.requests += 1
        self.reads.append(len(numbers))
        by_number = {order.order_no: order for order in self.stored}
        return [by_number[number] for number in numbers]


@st.composite
def an_order(draw: st.DrawFn) -> Order:
    side, status = draw(st.sampled_from([*STATES, (OrderType.SELL, OrderStatus.MATCHING)]))
    age = draw(st.integers(0, 3 * YEAR) | st.integers(0, 600))
    order = order_in(
        side,
        status,
        since=NOW - age,
        trader_id=draw(st.sampled_from(["t1", "t2"])),
        cny_fen=draw(st.sampled_from([100_00, 1000_00])),
        mode=draw(st.sampled_from(Mode)),
    )
    order_id = time_ordered_id(order.createtime * 1000, draw(st.integers(0, 8191)))
    return with_changes(
        order,
        order_id=order_id,
        order_no=numbered("B" if side is OrderType.BUY else "S", order_id, order.createtime),
        merchant_id=draw(st.sampled_from(["m1", "m2"])),
        remark=draw(st.sampled_from([None, "Big order", "gift"])),
        expire_time=NOW + 300 - age if status is OrderStatus.PENDING else None,
    )


SEARCHES = st.builds(
    OperatorSearch,
    merchant_id=st.sampled_from([None, None, "m1", "nobody"]),
    trader_id=st.sampled_from([None, None, "t1"]),
    status=st.sampled_from([None, *OrderStatus]),
    order_type=st.sampled_from([None, *OrderType]),
    mode=st.sampled_from([None, *Mode]),
    since=st.sampled_from([None, NOW - YEAR]),
    until=st.sampled_from([None, NOW - 300]),
    min_cny_fen=st.sampled_from([None, 500_00]),
    max_cny_fen=st.sampled_from([None, 500_00, 1000_00]),
    remark=st.sampled_from([None, "order", "GIFT"]),
)


@settings(max_examples=examples(full=500))
@given(
    st.lists(an_order(), max_size=60, unique_by=lambda order: order.order_id),
    SEARCHES,
    st.integers(1, 7),
    st.integers(1, 10),
)
@pytest.mark.deep
def test_pages_joined_are_all_orders_that_match(
    stored: list[Order], wanted: OperatorSearch, page: int, size: int
) -> None:
    listing = Listing(stored, page)
    first, last = wanted.span()
    expected = [
        order.order_no
        for order in sorted(stored, key=lambda order: -order.order_id)
        if first <= order.order_id <= last and wanted.passes(order, NOW)
    ]
    found: list[str] = []
    asked: OperatorSearch | None = wanted
    while asked is not None:
        listing.requests = 0
        answer = order_page(listing, asked, NOW, size=size)
        assert listing.requests <= 20
        assert len(answer.items) <= size
        found += [order.order_no for order in answer.items]
        assert answer.following is None or answer.following < asked.span()[1] + 1
        asked = None if answer.following is None else replace(asked, before_id=answer.following)
    assert found == expected


def test_a_page_of_a_stack_that_is_in_use_costs_ten_requests() -> None:
    made = order_in(OrderType.BUY, OrderStatus.COMPLETED, since=NOW)
    ids = [time_ordered_id(NOW * 1000 - n * 900, n * 7919 % 8192) for n in range(2_000)]
    stored = [replace(made, order_id=i, order_no=numbered("B", i, NOW)) for i in ids]
    listing = Listing(stored, 3_000)
    answer = order_page(listing, OperatorSearch(), NOW, size=100)
    assert [o.order_id for o in answer.items] == sorted(ids, reverse=True)[:100]
    assert listing.requests <= 10
    assert listing.reads == [100]
    assert answer.following == id_of(answer.items[-1].order_no)
