"""The postings of a completion, and the shares of a reversal, to the micro-USDT (section 6)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.accounts import Account, AccountKind, Posting, TransferKind
from orderdesk.domain.ledger.proof import is_outside, reversal_postings
from orderdesk.domain.ledger.reversal import coverable_micro, reversal, reversals_of
from orderdesk.domain.ledger.settlement import account_held_on, amount_held, settlement
from orderdesk.domain.orders.order import Order, OrderStatus, Reversal
from orderdesk.domain.pricing import FeePolicy, Mode, OrderType, quote
from tests.support.orders import buy_order, order_in
from tests.support.seed import with_changes

NOW = 1_900_000_000
MERCHANT, TRADER, DEPOSIT, FEE = (
    AccountKind.MERCHANT,
    AccountKind.TRADER,
    AccountKind.DEPOSIT,
    AccountKind.FEE,
)


def test_the_postings_of_the_worked_buy() -> None:
    transfer = settlement(order_in(OrderType.BUY, OrderStatus.PAID, since=NOW), NOW)
    assert {(p.account.key, p.amount_micro) for p in transfer.postings} == {
        ("trader:t1:live", -138_197_899),
        ("merchant:m1:live", 135_995_023),
        ("deposit:m1:live", 1_373_688),
        ("fee:m1:live", 829_188),
    }
    assert (transfer.kind, transfer.at_us) == (TransferKind.SETTLEMENT, NOW * 1_000_000)
    assert transfer.order_no == transfer.transfer_id == "B" + "1" * 24


def test_the_postings_of_the_worked_sell() -> None:
    transfer = settlement(order_in(OrderType.SELL, OrderStatus.ASSIGNED, since=NOW), NOW)
    assert {(p.account.key, p.amount_micro) for p in transfer.postings} == {
        ("merchant:m1:live", -140_424_345),
        ("trader:t1:live", 139_586_824),
        ("fee:m1:live", 837_521),
    }


def test_the_spread_is_the_desks() -> None:
    """At 100 bps the trader pays at the base rate; the merchant's rate yields less."""
    buying, selling = (
        order_in(side, status, since=NOW, fees=FeePolicy(spread_bps=100))
        for side, status in (
            (OrderType.BUY, OrderStatus.PAID),
            (OrderType.SELL, OrderStatus.ASSIGNED),
        )
    )
    for order, expected in (
        (
            buying,  # 1,000 CNY at 7.2360 and 7.3084
            {
                ("trader:t1:live", "settlement", -138_197_899),
                ("merchant:m1:live", "settlement", 136_828_854),
                ("fee:m1:live", "spread", 1_369_045),
            },
        ),
        (
            selling,  # 1,000 CNY at 7.1640 and 7.0923
            {
                ("merchant:m1:live", "settlement", -140_997_984),
                ("trader:t1:live", "settlement", 139_586_824),
                ("fee:m1:live", "spread", 1_411_160),
            },
        ),
    ):
        transfer = settlement(order, NOW)
        posted = {
            (p.account.key, transfer.kind_of(p).value, p.amount_micro) for p in transfer.postings
        }
        assert posted == expected


def test_a_rate_that_pays_the_trader_less_than_the_base_rate_is_no_settlement() -> None:
    order = order_in(OrderType.BUY, OrderStatus.PAID, since=NOW)
    less = replace(order.quote, trader_micro=order.quote.usdt_micro - 1)
    with pytest.raises(ValueError, match="worse than the base rate"):
        settlement(replace(order, quote=less), NOW)


def total(postings: Sequence[Posting]) -> int:
    return sum(posting.amount_micro for posting in postings)


policies = st.builds(
    FeePolicy,
    service_bps=st.integers(0, 500),
    service_fixed_micro=st.integers(0, 5_000_000),
    deposit_bps=st.integers(0, 2_000),
    spread_bps=st.integers(0, 500),
)


@given(
    kind=st.sampled_from(OrderType),
    fen=st.integers(100_00, 10_000_000_00),
    fees=policies,
    mode=st.sampled_from(Mode),
)
def test_nothing_is_made_or_lost(kind: OrderType, fen: int, fees: FeePolicy, mode: Mode) -> None:
    status = OrderStatus.PAID if kind is OrderType.BUY else OrderStatus.ASSIGNED
    order = order_in(kind, status, since=NOW, cny_fen=fen, fees=fees, mode=mode)
    postings = settlement(order, NOW).postings
    assert total(postings) == 0
    assert {posting.account.mode for posting in postings} == {mode}
    [paying] = [posting for posting in postings if posting.amount_micro < 0]
    assert (paying.account, paying.amount_micro) == (account_held_on(order), -amount_held(order))
    assert all(posting.amount_micro for posting in postings)
    spread = sum(posting.amount_micro for posting in postings if posting.is_spread)
    assert spread == abs(order.quote.usdt_micro - order.quote.trader_micro)
    assert not any(p.is_spread and p.account.kind is not AccountKind.FEE for p in postings)
    assert total(settlement(order, NOW).changes) == 0


@pytest.mark.parametrize(
    ("key", "outside"), [("funding::live", True), ("merchant:m1:live", False), ("forged", False)]
)
def test_only_funding_may_be_below_zero(key: str, *, outside: bool) -> None:
    assert is_outside(key) is outside


usual_policies = st.builds(
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
    order = completed(side, draw(st.integers(1_00, 10**8)), draw(usual_policies))
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
    policy=usual_policies,
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
