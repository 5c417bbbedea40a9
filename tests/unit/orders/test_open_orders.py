"""Which orders a merchant's limit counts, and how a high limit is split (contract section 6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.open_orders import (
    SHARDS_MAX,
    Counted,
    NeedsRoom,
    OpenLimit,
    count_change,
    open_shares,
    share_out,
)
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import TRANSITIONS, Transition
from orderdesk.domain.pricing import Mode, OrderType
from tests.support.orders import order_in

COUNTED = {
    OrderType.BUY: {OrderStatus.PENDING, OrderStatus.PAID, OrderStatus.DISPUTED},
    OrderType.SELL: {OrderStatus.MATCHING, OrderStatus.ASSIGNED, OrderStatus.DISPUTED},
}


@pytest.mark.parametrize("row", TRANSITIONS, ids=lambda row: f"{row.order_type.name}-{row.move}")
def test_every_move_counts_by_its_statuses(row: Transition) -> None:
    for source in row.sources:
        before = order_in(row.order_type, source, since=1)
        after = order_in(row.order_type, row.target, since=2)
        counted = COUNTED[row.order_type]
        assert count_change(before, after) == (row.target in counted) - (source in counted)


@pytest.mark.parametrize(
    ("max_buys", "max_fen", "shards"),
    [(100, 1_000_000_00, 1), (10_000, 100_000_000_00, 10)],
    ids=["usual", "demo"],
)
def test_a_high_limit_is_split(max_buys: int, max_fen: int, shards: int) -> None:
    shares = open_shares(max_orders=max_buys, max_fen=max_fen, largest_fen=1_000_000_00)
    assert [(share.max_orders, share.max_fen) for share in shares] == [
        (max_buys // shards, max_fen // shards)
    ] * shards


amounts = st.integers(1, 10**13)


@given(max_buys=st.integers(1, 10**6), max_fen=amounts, largest=amounts)
def test_shares_sum_to_the_limits_and_each_takes_the_largest_order(
    max_buys: int, max_fen: int, largest: int
) -> None:
    shares = open_shares(max_orders=max_buys, max_fen=max_fen, largest_fen=largest)
    assert [share.shard for share in shares] == list(range(len(shares)))
    assert 1 <= len(shares) <= SHARDS_MAX
    assert sum(share.max_orders for share in shares) == max_buys
    assert sum(share.max_fen for share in shares) == max_fen
    for share in shares:
        assert share.max_orders >= 1
        assert share.max_fen >= min(largest, max_fen)


open_ones = st.tuples(st.integers(0, 2_000), st.integers(0, 10**10))


@given(
    counted=st.lists(open_ones, min_size=1, max_size=10),
    most=st.integers(1, 20_000),
    most_fen=st.integers(10**8, 10**11),
    need=st.integers(1, 10**7),
    first=st.integers(0, 9),
)
def test_the_room_of_all_counters_is_what_the_limits_leave(
    counted: list[tuple[int, int]], most: int, most_fen: int, need: int, first: int
) -> None:
    largest = 10**7
    limits = open_shares(max_orders=most, max_fen=most_fen, largest_fen=largest, epoch=3)
    counters = [Counted(shard, *one, epoch=2) for shard, one in enumerate(counted)]
    wanted = NeedsRoom("m1", Mode.LIVE, OrderType.BUY, need, first)
    found = share_out(wanted, counters, limits, largest)
    room = most - sum(orders for orders, _ in counted)
    room_fen = most_fen - sum(fen for _, fen in counted)
    if isinstance(found, OpenLimit):
        assert found is (OpenLimit.BUYS if room < 1 else OpenLimit.CNY)
        assert room < 1 or room_fen < need
        return
    assert (sum(s.room for s in found), sum(s.room_fen for s in found)) == (room, room_fen)
    assert (found[0].share.shard, {each.share.epoch for each in found}) == (first, {3})
    assert found[0].room >= 1
    assert found[0].room_fen >= need
    assert len({each.share.shard for each in found}) == len(found)
