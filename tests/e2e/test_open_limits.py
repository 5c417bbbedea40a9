"""A merchant's limits hold for concurrent orders on the deployed stack."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.e2e.busy import create
from tests.support.merchant_client import MerchantClient, Reply, buy, sell
from tests.support.stack_seed import StackSeed, hide_sells

TOGETHER = 16
FUNDS = 10**12


def create_all(
    client: MerchantClient,
    count: int,
    name: str = "N",
    parameters: Callable[..., dict[str, Any]] = buy,
) -> list[Reply]:
    """Create orders concurrently, buys by default."""
    orders = [parameters(merchant_order_no=f"{name}-{number}") for number in range(count)]
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
    assert sum(stack_seed.trader(t.trader_id).open_orders for t in traders) == 20
    with ThreadPoolExecutor(TOGETHER) as pool:
        ended = list(pool.map(client.cancel, created))
    assert {reply.code for reply in ended} <= {1, 5001}
    for reply in created:
        assert client.cancel(reply).code == 1
    again = create_all(client, 21, "again")
    assert Counter(reply.code for reply in again) == {1: 20, 2104: 1}


def test_fifty_sells_at_once_against_a_limit_of_twenty_are_twenty(stack_seed: StackSeed) -> None:
    owner, client = stack_seed.add_merchant(max_open_sells=20)
    stack_seed.fund(owner, FUNDS)
    replies = create_all(client, 50, parameters=sell)
    codes = Counter(reply.code for reply in replies)
    assert codes == {1: 20, 2105: 30}, codes
    assert {r.data["limit"] for r in replies if r.code == 2105} == {"max_open_sells"}
    created = [reply for reply in replies if reply.code == 1]
    with ThreadPoolExecutor(TOGETHER) as pool:
        list(pool.map(client.cancel, created))
    for reply in created:
        while (code := client.cancel(reply).code) != 1:
            assert code == 5001
    again = create_all(client, 21, "again", sell)
    assert Counter(reply.code for reply in again) == {1: 20, 2105: 1}


def test_buys_and_sells_at_once_take_only_a_merchants_share(stack_seed: StackSeed) -> None:
    trader = stack_seed.only_trader(max_open=20)
    owner, client = stack_seed.add_merchant()
    _, other = stack_seed.add_merchant()
    stack_seed.fund(owner, FUNDS)
    hide_sells(stack_seed)
    sells = create_all(client, 20, "S", sell)
    assert {reply.code for reply in sells} == {1}

    def assign_and_buy(number: int) -> None:
        if number == 0:
            stack_seed.assign_sells()
        else:
            create(client, buy(merchant_order_no=f"B-{number}"))

    with ThreadPoolExecutor(TOGETHER) as pool:
        list(pool.map(assign_and_buy, range(30)))
    assert stack_seed.trader(trader.trader_id).open_orders == 10
    codes = Counter(reply.code for reply in create_all(other, 12, "other"))
    assert codes == {1: 10, 2101: 2}
    assert sorted(stack_seed.trader(trader.trader_id).slots.values()) == [10, 10]
