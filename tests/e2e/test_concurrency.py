"""Concurrent requests on the deployed stack: no double match, lost order or exceeded cap."""

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from orderdesk.domain.merchants.merchant import Merchant
from tests.support.depth import examples
from tests.support.merchant_client import MerchantClient, Reply, buy
from tests.support.seed import Seed
from tests.support.stack_seed import StackSeed

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
    assert sum(trader.counts.open_orders for trader in after) == 1
    assert sum(trader.counts.held_micro for trader in after) == BUY_MICRO
