"""A merchant's limit holds for concurrent buys on the deployed stack.

The other limits meet in tests/integration/races/test_creations.py.
"""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tests.e2e.busy import create
from tests.support.merchant_client import MerchantClient, Reply, buy
from tests.support.stack_seed import StackSeed

TOGETHER = 16


def create_all(client: MerchantClient, count: int, name: str = "N") -> list[Reply]:
    """Create buys concurrently."""
    orders = [buy(merchant_order_no=f"{name}-{number}") for number in range(count)]
    with ThreadPoolExecutor(TOGETHER) as pool:
        return list(pool.map(lambda params: create(client, params), orders))


def test_fifty_buys_at_once_against_a_limit_of_twenty_are_twenty(stack_seed: StackSeed) -> None:
    stack_seed.clear_rotation()
    traders = [stack_seed.add_trader() for _ in range(8)]
    _, client = stack_seed.add_merchant(max_open_buys=20)
    replies = create_all(client, 50)
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
    again = create_all(client, 21, "again")
    assert Counter(reply.code for reply in again) == {1: 20, 2104: 1}
