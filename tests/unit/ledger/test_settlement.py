"""The postings of a completion, to the micro-USDT (contract sections 5 and 6)."""

from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.ledger.accounts import AccountKind, TransferKind, total_micro
from orderdesk.domain.ledger.settlement import open_hold, settlement
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import FeePolicy, OrderType
from tests.support.orders import order_in

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
    assert total_micro(postings) == 0
    assert {posting.account.mode for posting in postings} == {mode}
    hold = open_hold(order)
    assert hold is not None
    [paying] = [posting for posting in postings if posting.amount_micro < 0]
    assert (paying.account, paying.amount_micro) == (hold.account, -hold.amount_micro)
    assert all(posting.amount_micro for posting in postings)
