"""Concurrent equal buys with a trader of unique amounts, on the deployed stack (section 9)."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

from orderdesk.domain.modes import Mode
from tests.e2e.busy import create
from tests.support.merchant_client import MerchantClient, Reply, buy
from tests.support.seed import ALL_METHODS
from tests.support.stack_seed import StackSeed

TOGETHER = 12
METHODS = tuple(method.method_type.value for method in ALL_METHODS)


def cancel(client: MerchantClient, order: Reply) -> None:
    """Cancel a buy, with retries while DynamoDB is busy."""
    while (code := client.cancel(order).code) != 1:
        assert code == 5001


def test_of_many_equal_buys_at_once_one_a_method_is_open(stack_seed: StackSeed) -> None:
    trader = stack_seed.only_trader(unique_amounts=True, methods=ALL_METHODS)
    _, client = stack_seed.add_merchant()
    for wave in range(3):

        def one(number: int, wave: int = wave) -> Reply:
            method = METHODS[number % len(METHODS)]
            number_of_wave = f"{wave}-{number}"
            return create(client, buy(merchant_order_no=number_of_wave, method_type=method))

        with ThreadPoolExecutor(TOGETHER) as pool:
            replies = list(pool.map(one, range(30)))
        assert Counter(reply.code for reply in replies) == {1: 3, 2101: 27}
        amounts = stack_seed.open_amounts(trader.trader_id)
        assert amounts == {f"{method}:100000" for method in METHODS}
        for reply in replies:
            if reply.code == 1:
                cancel(client, reply)
    assert stack_seed.open_amounts(trader.trader_id) == set()


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


def test_a_late_payment_does_not_complete_another_merchants_order(stack_seed: StackSeed) -> None:
    """A buy expires unpaid; only its merchant may repeat its amount on that account."""
    stack_seed.only_trader(mode=Mode.TEST, unique_amounts=True)
    _, victim = stack_seed.add_merchant()
    _, other = stack_seed.add_merchant()
    late = create(victim, buy(merchant_order_no="late", is_test=1))
    number = {"order_no": late.data["order_no"], "to": "expired"}
    assert victim.post("/test/advanceOrder", number).data["status"] == "expired"
    assert create(other, buy(merchant_order_no="next", is_test=1)).code == 2101
    assert create(victim, buy(merchant_order_no="again", is_test=1)).code == 1


def test_unpaid_buys_do_not_block_popular_sums(stack_seed: StackSeed) -> None:
    stack_seed.only_trader(unique_amounts=True)
    _, hostile = stack_seed.add_merchant()
    _, client = stack_seed.add_merchant()
    for number, cny in enumerate(("100.00", "200.00", "500.00")):
        asked = buy(merchant_order_no=f"h{number}", cny_amount=cny)
        assert create(hostile, asked).code == 1
        refused = create(client, buy(merchant_order_no=f"r{number}", cny_amount=cny))
        assert (refused.code, len(refused.data["nearby"])) == (2101, 4)
        near = refused.data["nearby"][0]
        assert create(client, buy(merchant_order_no=f"n{number}", cny_amount=near)).code == 1
        wanted = buy(merchant_order_no=f"d{number}", cny_amount=cny, max_discount="0.05")
        reply = create(client, wanted)
        assert (reply.code, reply.data["requested_cny_amount"]) == (1, cny)
        assert 0 < Decimal(cny) - Decimal(reply.data["cny_amount"]) <= Decimal("0.05")


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
