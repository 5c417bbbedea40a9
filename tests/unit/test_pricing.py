"""Contract section 5, against exact fractions."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.pricing import FeePolicy, OrderType, merchant_rate_e4, quote

MICRO = 10**6


def test_the_spread_moves_the_rate_against_the_merchant() -> None:
    for base, spread in ((7_2000, 50), (7_1999, 1), (1, 9_999)):
        exact = Decimal(base) / 10_000
        up = (exact * (1 + Decimal(spread) / 10_000)).quantize(Decimal("0.0001"), ROUND_CEILING)
        down = (exact * (1 - Decimal(spread) / 10_000)).quantize(Decimal("0.0001"), ROUND_FLOOR)
        assert merchant_rate_e4(OrderType.BUY, base, spread) == int(up * 10_000)
        assert merchant_rate_e4(OrderType.SELL, base, spread) == int(down * 10_000)


policies = st.builds(
    FeePolicy,
    service_bps=st.integers(0, 2_000),
    service_fixed_micro=st.integers(0, 5 * MICRO),
    deposit_bps=st.integers(0, 2_000),
    spread_bps=st.integers(0, 500),
)


@given(
    side=st.sampled_from(OrderType),
    cny_fen=st.integers(1, 10**13),
    base_e4=st.integers(1_0000, 20_0000),
    policy=policies,
)
def test_every_amount_is_the_formula_rounded_once(
    side: OrderType, cny_fen: int, base_e4: int, policy: FeePolicy
) -> None:
    q = quote(side, cny_fen, base_e4, policy)
    usdt = Fraction(cny_fen, 100) / Fraction(q.rate_e4, 10_000) * MICRO
    round_usdt = math.floor if side is OrderType.BUY else math.ceil
    assert q.usdt_micro == round_usdt(usdt)
    at_base = Fraction(cny_fen, 100) / Fraction(base_e4, 10_000) * MICRO
    assert q.trader_micro == round_usdt(at_base)
    gained = (
        q.trader_micro - q.usdt_micro if side is OrderType.BUY else q.usdt_micro - q.trader_micro
    )
    assert gained >= 0
    service = Fraction(q.usdt_micro * policy.service_bps, 10_000) + policy.service_fixed_micro
    assert q.service_micro == math.ceil(service)
    if side is OrderType.BUY:
        assert q.merchant_micro + q.service_micro == q.usdt_micro
        assert q.deposit_micro == math.ceil(Fraction(q.merchant_micro * policy.deposit_bps, 10_000))
        assert q.merchant_actual_micro + q.deposit_micro == q.merchant_micro
    else:
        assert q.merchant_actual_micro == q.usdt_micro + q.service_micro
