"""Concurrent requests on the deployed stack: no double match, lost order or exceeded cap."""

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

import pytest

from orderdesk.domain.merchants.merchant import Merchant
from tests.support.depth import examples
from tests.support.merchant_client import MerchantClient, Reply, buy, sell
from tests.support.seed import Seed
from tests.support.stack_seed import StackSeed
from tests.support.trader import TraderVisit

CALLS = examples(budget=16, full=64)
BUY_MICRO = 138_197_899
SELL_MICRO = 140_424_345

pytestmark = pytest.mark.deep  # `make test` makes fewer concurrent calls


@pytest.fixture
def merchant(stack_seed: StackSeed) -> tuple[Merchant, MerchantClient]:
    """Return a new merchant; the rotation is empty."""
    stack_seed.clear_rotation()
    return stack_seed.add_merchant(slot_share=100)


def at_once(calls: Iterable[Callable[[], Reply]]) -> list[Reply]:
    """Make all calls concurrently."""
    whole = list(calls)
    with ThreadPoolExecutor(len(whole)) as pool:
        return [future.result() for future in [pool.submit(call) for call in whole]]


def orders_of(seed: Seed, merchant: Merchant) -> list[Any]:
    """Return a merchant's stored orders."""
    orders = seed.items(seed.tables.orders, "order")
    return [order for order in orders if order["merchant_id"] == merchant.merchant_id]


def assert_answered(codes: Counter[int], *, stored: int) -> None:
    """Check that each stored order was answered with 1, or its answer was lost (5001)."""
    assert codes[1] <= stored <= codes[1] + codes[5001], codes


def test_one_number_makes_one_order_and_one_claim(
    stack_seed: StackSeed, merchant: tuple[Merchant, MerchantClient]
) -> None:
    owner, client = merchant
    traders = [stack_seed.add_trader() for _ in range(CALLS)]
    replies = at_once([lambda: client.create(buy(merchant_order_no="ONE"))] * CALLS)
    codes = Counter(reply.code for reply in replies)
    assert set(codes) <= {1, 2001, 5001}
    [order] = orders_of(stack_seed, owner)
    assert_answered(codes, stored=1)
    answered = [client.create(buy(merchant_order_no="ONE")), *replies]
    assert {r.data["order_no"] for r in answered if r.code in {1, 2001}} == {order["order_no"]}
    after = [stack_seed.trader(trader.trader_id) for trader in traders]
    assert sum(trader.open_orders for trader in after) == 1
    assert sum(trader.held_micro for trader in after) == BUY_MICRO


def test_traders_never_go_over_their_cap_or_balance(
    stack_seed: StackSeed, merchant: tuple[Merchant, MerchantClient]
) -> None:
    owner, client = merchant
    places = CALLS // 2  # two for each of these traders
    by_cap = [stack_seed.add_trader(max_open=2) for _ in range(places // 4)]
    by_balance = [
        stack_seed.add_trader(available_micro=2 * BUY_MICRO + 1) for _ in range(places // 4)
    ]
    replies = at_once([lambda: client.create(buy())] * CALLS)
    codes = Counter(reply.code for reply in replies)
    assert set(codes) <= {1, 2101, 5001}, codes
    orders = orders_of(stack_seed, owner)
    assert_answered(codes, stored=len(orders))
    assert places // 2 <= len(orders) <= places, codes
    assert len(orders) == places or codes[5001] > 0
    claimed = Counter(order["trader_id"] for order in orders)
    for before in [*by_cap, *by_balance]:
        trader = stack_seed.trader(before.trader_id)
        assert trader.open_orders == claimed[trader.trader_id] <= 2
        assert trader.held_micro == trader.open_orders * BUY_MICRO
        assert trader.available_micro == before.available_micro - trader.held_micro >= 0


def test_a_merchants_balance_is_never_oversold(
    stack_seed: StackSeed, merchant: tuple[Merchant, MerchantClient]
) -> None:
    owner, client = merchant
    enough_for = CALLS * 5 // 16
    stack_seed.fund(owner, enough_for * SELL_MICRO + SELL_MICRO - 1)
    replies = at_once([lambda: client.create(sell())] * CALLS)
    codes = Counter(reply.code for reply in replies)
    assert set(codes) <= {1, 2102, 5001}, codes
    stored = len(orders_of(stack_seed, owner))
    assert_answered(codes, stored=stored)
    assert enough_for // 2 <= stored <= enough_for, codes
    assert stored == enough_for or codes[5001] > 0
    available, held = stack_seed.balance(owner)
    assert held == stored * SELL_MICRO
    assert available + held == (enough_for + 1) * SELL_MICRO - 1


def test_one_signed_request_sent_at_once_is_carried_out_once(
    stack_seed: StackSeed, merchant: tuple[Merchant, MerchantClient]
) -> None:
    owner, client = merchant
    for _ in range(8):
        stack_seed.add_trader()
    params = client.signed("/merchant/createOrder", buy())
    replies = at_once([lambda: client.post_as_is("/merchant/createOrder", params)] * (CALLS // 2))
    codes = Counter(reply.code for reply in replies)
    assert set(codes) <= {1, 1104, 5001}
    assert len(orders_of(stack_seed, owner)) == 1
    assert_answered(codes, stored=1)


def test_concurrent_confirmations_pay_once(stack_seed: StackSeed, desk: TraderVisit) -> None:
    merchant, client = stack_seed.add_merchant()
    number = client.create(buy()).data["order_no"]
    calls = CALLS // 2
    with ThreadPoolExecutor(calls) as pool:
        codes = Counter(pool.map(lambda _: desk.move(number, "confirm"), range(calls)))
    assert set(codes) <= {HTTPStatus.SEE_OTHER, HTTPStatus.SERVICE_UNAVAILABLE}, codes
    assert codes[HTTPStatus.SEE_OTHER] > 0
    assert stack_seed.balance(merchant) == (135_995_023, 0)
    trader = stack_seed.trader(desk.trader.trader_id)
    assert desk.trader.available_micro - trader.available_micro == BUY_MICRO
    assert (trader.held_micro, trader.open_orders) == (0, 0)
