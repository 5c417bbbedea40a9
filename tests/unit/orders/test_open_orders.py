"""Which orders a merchant's limit counts, and how a high limit is split (contract section 6)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.open_orders import SHARDS_MAX, count_change, open_shares
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import TRANSITIONS, Transition
from orderdesk.domain.pricing import OrderType
from tests.support.orders import order_in

COUNTED = {
    OrderType.BUY: {OrderStatus.PENDING, OrderStatus.PAID, OrderStatus.DISPUTED},
    OrderType.SELL: {OrderStatus.MATCHING, OrderStatus.ASSIGNED, OrderStatus.DISPUTED},
}


@pytest.mark.parametrize("row", TRANSITIONS, ids=lambda row: f"{row.order_type.name}-{row.move}")
def test_every_move_counts_by_its_statuses(row: Transition) -> None:
    for source in row.sources:
        before = replace(order_in(row.order_type, source, since=1), open_shard=0)
        after = replace(order_in(row.order_type, row.target, since=2), open_shard=0)
        counted = COUNTED[row.order_type]
        assert count_change(before, after) == (row.target in counted) - (source in counted)
        from_before = replace(before, open_shard=None), replace(after, open_shard=None)
        assert count_change(*from_before) == 0


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
