"""Concurrent requests on the deployed stack: no double match, lost order or exceeded limit.

Each limit meets in every order of requests in tests/integration/races/test_creations.py.
"""

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.e2e.busy import create
from tests.support.depth import examples
from tests.support.merchant_client import MerchantClient, Reply, buy
from tests.support.stack_seed import StackSeed

CALLS = examples(budget=16, full=64)
TOGETHER = 16
BUY_MICRO = 138_197_899


def at_once(client: MerchantClient, orders: Iterable[dict[str, Any]]) -> list[Reply]:
    """Create orders concurrently."""
    with ThreadPoolExecutor(TOGETHER) as pool:
        return list(pool.map(lambda params: create(client, params), orders))


def numbered(count: int, name: str = "N") -> list[dict[str, Any]]:
    """Return buys, each with a number of its own."""
    return [buy(merchant_order_no=f"{name}-{number}") for number in range(count)]


@pytest.mark.deep
def test_one_number_makes_one_order_and_one_claim(stack_seed: StackSeed) -> None:
    stack_seed.clear_rotation()
    owner, client = stack_seed.add_merchant(slot_share=100)
    traders = [stack_seed.add_trader() for _ in range(CALLS)]
    one = buy(merchant_order_no="ONE")
    with ThreadPoolExecutor(CALLS) as pool:
        replies = list(pool.map(client.create, [one] * CALLS))
    codes = Counter(reply.code for reply in replies)
    assert set(codes) <= {1, 2001, 5001}
    orders: list[Any] = stack_seed.items(stack_seed.tables.orders, "order")
    [order] = [each for each in orders if each["merchant_id"] == owner.merchant_id]
    assert codes[1] <= 1 <= codes[1] + codes[5001], "it was answered with 1, or its answer was lost"
    answered = [client.create(one), *replies]
    assert {r.data["order_no"] for r in answered if r.code in {1, 2001}} == {order["order_no"]}
    after = [stack_seed.trader(trader.trader_id) for trader in traders]
    assert sum(trader.counts.open_orders for trader in after) == 1
    assert sum(trader.counts.held_micro for trader in after) == BUY_MICRO


def test_fifty_buys_at_once_against_a_limit_of_twenty_are_twenty(stack_seed: StackSeed) -> None:
    stack_seed.clear_rotation()
    traders = [stack_seed.add_trader() for _ in range(8)]
    _, client = stack_seed.add_merchant(max_open_buys=20)
    replies = at_once(client, numbered(50))
    codes = Counter(reply.code for reply in replies)
    assert codes == {1: 20, 2104: 30}, codes
    assert {r.data["limit"] for r in replies if r.code == 2104} == {"max_open_buys"}
    created = [reply for reply in replies if reply.code == 1]
    assert sum(stack_seed.trader(t.trader_id).counts.open_orders for t in traders) == 20
    with ThreadPoolExecutor(TOGETHER) as pool:
        ended = list(pool.map(client.cancel, created))
    assert {reply.code for reply in ended} <= {1, 5001}
    for reply in created:
        assert client.cancel(reply).code == 1
    again = at_once(client, numbered(21, "again"))
    assert Counter(reply.code for reply in again) == {1: 20, 2104: 1}
