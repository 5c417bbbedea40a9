"""A trader's totals by day."""

from collections import Counter
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.traders.history import totals_by_day
from tests.support.orders import STATES, desk_order

MIDNIGHT = 1_763_654_400  # 2025-11-21 in China
PAST = [(side, status) for side, status in STATES if not status.is_open]
DRAWN = st.lists(
    st.builds(
        lambda state, since, fen: desk_order(state[0], state[1], since, fen=fen),
        st.sampled_from(PAST),
        st.integers(MIDNIGHT - 200_000, MIDNIGHT + 200_000),
        st.integers(1, 10**9),
    )
)


def test_a_day_begins_at_midnight_in_china() -> None:
    late = desk_order(OrderType.BUY, OrderStatus.COMPLETED, MIDNIGHT - 1)
    early = desk_order(OrderType.BUY, OrderStatus.COMPLETED, MIDNIGHT)
    days = [totals.day for totals in totals_by_day([late, early])]
    assert days == [date(2025, 11, 21), date(2025, 11, 20)]


@given(DRAWN)
def test_every_order_is_counted_once(orders: list[Order]) -> None:
    days = totals_by_day(orders)
    assert [totals.day for totals in days] == sorted({t.day for t in days}, reverse=True)
    for side in OrderType:
        paid = [o for o in orders if (o.order_type, o.status) == (side, OrderStatus.COMPLETED)]
        sides = [totals.completed[side] for totals in days]
        assert sum(one.count for one in sides) == len(paid)
        assert sum(one.cny_fen for one in sides) == sum(o.quote.cny_fen for o in paid)
        assert sum(one.usdt_micro for one in sides) == sum(o.quote.usdt_micro for o in paid)
    unpaid = Counter(order.status is not OrderStatus.COMPLETED for order in orders)[True]
    assert sum(totals.unpaid for totals in days) == unpaid
