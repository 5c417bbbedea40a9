"""Concurrent equal buys with a trader of unique amounts, on the deployed stack (section 9)."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tests.e2e.busy import create
from tests.support.merchant_client import MerchantClient, Reply, buy
from tests.support.stack_seed import StackSeed

TOGETHER = 12


def cancel(client: MerchantClient, order: Reply) -> None:
    """Cancel a buy, with retries while DynamoDB is busy."""
    while (code := client.cancel(order).code) != 1:
        assert code == 5001


def test_an_amount_is_never_open_twice_while_orders_come_and_end(stack_seed: StackSeed) -> None:
    stack_seed.only_trader(unique_amounts=True)
    _, client = stack_seed.add_merchant()
    is_open, codes = threading.Lock(), Counter[int]()

    def come_and_go(worker: int) -> None:
        for turn in range(8):
            reply = create(client, buy(merchant_order_no=f"w{worker}-{turn}"))
            codes[reply.code] += 1
            if reply.code == 1:
                assert is_open.acquire(blocking=False), "two equal buys are open"
                client.query(order_no=reply.data["order_no"])  # so that others try at the same time
                is_open.release()
                cancel(client, reply)

    with ThreadPoolExecutor(TOGETHER) as pool:
        list(pool.map(come_and_go, range(TOGETHER)))
    assert codes.keys() == {1, 2101}


def test_discounted_buys_at_once_have_different_amounts(stack_seed: StackSeed) -> None:
    trader = stack_seed.only_trader(unique_amounts=True)
    _, client = stack_seed.add_merchant()

    def one(number: int) -> Reply:
        return create(client, buy(merchant_order_no=f"d{number}", max_discount="0.10"))

    with ThreadPoolExecutor(TOGETHER) as pool:
        replies = list(pool.map(one, range(14)))
    paid = [reply.data["cny_amount"] for reply in replies if reply.code == 1]
    assert len(set(paid)) == len(paid) == 11
    assert len(stack_seed.open_amounts(trader.trader_id)) == 11
