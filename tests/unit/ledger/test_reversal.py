"""The shares of a reversal, for any prices and parts (contract section 6)."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.ledger.proof import reversal_postings
from orderdesk.domain.ledger.reversal import coverable_micro, reversal, reversals_of
from orderdesk.domain.ledger.settlement import settlement
from orderdesk.domain.orders.order import Order, Reversal
from orderdesk.domain.pricing import FeePolicy, OrderType, quote
from tests.support.orders import buy_order
from tests.support.seed import with_changes

policies = st.builds(
    FeePolicy,
    service_bps=st.integers(0, 500),
    service_fixed_micro=st.integers(0, 50_000),
    deposit_bps=st.integers(0, 500),
    spread_bps=st.integers(0, 300),
)


def completed(side: OrderType, fen: int, policy: FeePolicy) -> Order:
    priced = quote(side, fen, 72_360, policy)
    return replace(buy_order(0), order_type=side, trader_id="t1", quote=priced, fees=policy)


@st.composite
def reversed_orders(draw: st.DrawFn) -> Order:
    """Return an order that was reversed in parts; half of them wholly."""
    side = draw(st.sampled_from(OrderType))
    order = completed(side, draw(st.integers(1_00, 10**8)), draw(policies))
    left, parts = order.quote.usdt_micro, list[Reversal]()
    for number in range(draw(st.integers(1, 5))):
        part = draw(st.integers(1, left)) if left else 0
        left -= part
        parts += [Reversal(f"P{number}", 1, part)] if part else []
    if left and draw(st.booleans()):
        parts.append(Reversal("P9", 1, left))
    return with_changes(order, reversals=tuple(parts))


@given(order=reversed_orders())
def test_each_account_gives_back_its_cumulative_share_and_the_last_part_the_rest(
    order: Order,
) -> None:
    total, returned = order.quote.usdt_micro, Counter[Account]()
    for transfer in reversals_of(order):
        assert sum(posting.amount_micro for posting in transfer.postings) == 0
        for posting in transfer.postings:
            returned[posting.account] += posting.amount_micro
    settled = Counter[Account]()
    for posting in settlement(order, 0).postings:
        sign = 1 if posting.amount_micro > 0 else -1
        share = sign * (abs(posting.amount_micro) * order.reversed_micro // total)
        settled[posting.account] += share
    for account, share in settled.items():
        if account.kind is not AccountKind.TRADER:
            assert returned[account] == -share
    if order.reversed_micro == total:
        assert not +returned - -returned or returned == Counter(
            {account: -amount for account, amount in settled.items()}
        )


@given(
    side=st.sampled_from(OrderType),
    policy=policies,
    most=st.integers(1, 10**9),
    has=st.integers(0, 10**9),
)
def test_the_largest_part_that_every_account_covers(
    side: OrderType, policy: FeePolicy, most: int, has: int
) -> None:
    order = completed(side, 1000_00, policy)
    most = min(most, order.quote.usdt_micro)
    part = coverable_micro(order, most, lambda _: has)

    def given_by(amount: int) -> list[int]:
        postings = reversal(order, 0, amount, transfer_id="", at=0).postings
        return [-posting.amount_micro for posting in postings if posting.amount_micro < 0]

    assert all(amount <= has for amount in given_by(part))
    if side is OrderType.BUY and part < most:
        assert any(amount > has for amount in given_by(part + 1))


def test_a_balance_is_read_once() -> None:
    order, read = completed(OrderType.BUY, 1000_00, FeePolicy(service_bps=60)), list[Account]()

    def available(account: Account) -> int:
        read.append(account)
        return 10**12

    assert coverable_micro(order, order.quote.usdt_micro, available) == order.quote.usdt_micro
    assert len(read) == len(set(read))


def test_more_than_was_settled_is_no_reversal() -> None:
    order = completed(OrderType.BUY, 1000_00, FeePolicy())
    too_much = Reversal("P1", 1, order.quote.usdt_micro + 1)
    postings = reversal_postings(with_changes(order, reversals=(too_much,)))
    with pytest.raises(ValueError, match="more is reversed"):
        next(postings)
