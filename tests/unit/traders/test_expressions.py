"""The writes of a trader's item stay within DynamoDB's limits, whatever the item has become."""

import pytest

from orderdesk.adapters.dynamodb.traders.claims import (
    claim_write,
    free_write,
    hold_again_write,
    release_write,
    settle_write,
)
from orderdesk.adapters.dynamodb.transactions import Write
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.payment_methods import ACCOUNTS_MAX, MethodType, PaymentMethod, account_key
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.trader import (
    DAY_UNIT,
    AccountTerms,
    Claim,
    OwnLimits,
    Trader,
    slot_holder,
)
from tests.support.expressions import problem_of
from tests.support.orders import order_in
from tests.support.seed import a_trader, with_changes

BYTES_MAX = 4096  # of one expression
NOW = 1_760_000_000
TODAY = trading_day(NOW)
MERCHANTS = 5_000
_PLACES = [(kind, number) for kind in MethodType for number in range(1, ACCOUNTS_MAX + 1)]
_KEYS = [account_key(kind, number) for kind, number in _PLACES]


def worst_trader(empty: int = MERCHANTS) -> Trader:
    """Return a trader with every account and cap, whose buys of many merchants have ended."""
    return a_trader(
        "t1",
        methods=tuple(PaymentMethod(kind, "甲", account_no=number) for kind, number in _PLACES),
        max_open=10**6,
        daily_cap_fen=10**12,
        own=OwnLimits(max_open=10**6, daily_cap_fen=10**12),
        account_terms={key: AccountTerms(daily_cap_fen=10**11) for key in _KEYS},
        account_sums=dict.fromkeys(_KEYS, TODAY * DAY_UNIT),
        daily_day=TODAY,
        slots=dict.fromkeys((slot_holder(f"m{number:012x}") for number in range(empty)), 0),
    )


def order(side: OrderType) -> Order:
    status = OrderStatus.PENDING if side is OrderType.BUY else OrderStatus.MATCHING
    made = order_in(side, status, since=NOW)
    method = PaymentMethod(MethodType.ALIPAY, "甲", account_no=ACCOUNTS_MAX)
    return with_changes(
        made, payment_method=method, trader_id="t1", in_slot=True, unique_amount=True
    )


def assert_fits(write: Write) -> None:
    [action] = write.action.values()
    assert problem_of(action) is None
    for name in ("ConditionExpression", "UpdateExpression"):
        assert len(action.get(name, "").encode()) <= BYTES_MAX, name


@pytest.mark.parametrize("side", OrderType)
@pytest.mark.parametrize("day", [TODAY, TODAY + 1])
def test_every_write_fits_whatever_has_ended_on_the_trader(side: OrderType, day: int) -> None:
    trader, taken = worst_trader(), order(side)
    assert_fits(claim_write("T", taken, Claim(trader, day, NOW * 10**6)))
    assert_fits(hold_again_write("T", taken, trader, NOW))
    for ending in (release_write("T", taken, NOW), free_write("T", taken, NOW)):
        assert_fits(ending)
    assert_fits(settle_write("T", taken, -1, NOW))


def test_claims_remove_more_counts_of_ended_orders_than_they_add() -> None:
    claim = claim_write("T", order(OrderType.BUY), Claim(worst_trader(), TODAY, NOW * 10**6))
    _, _, removed = claim.action["Update"]["UpdateExpression"].partition(" REMOVE ")
    assert len(removed.split(", ")) > 1
