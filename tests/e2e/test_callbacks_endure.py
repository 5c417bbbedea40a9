"""Callbacks while workers are killed: none is lost, copies have one webhook-id."""

import random
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import psutil

from local.stack import Stack
from tests.support.merchant_client import MerchantClient, Reply, buy
from tests.support.merchant_receiver import (
    Answer,
    Received,
    Receiver,
    add_callback_merchant,
    data_of,
)
from tests.support.stack_seed import StackSeed
from tests.support.stack_settings import hidden_for
from tests.support.waiting import wait_until

IN_FLIGHT = 200
KILLS = 8
# Concurrent clients of one merchant; more would only wait for each other here.
CALLERS = 6


def created(seed: StackSeed, url: str, count: int) -> tuple[MerchantClient, list[Reply], str]:
    """Create orders of a new merchant; return its client, the orders and the callback secret."""
    seed.only_trader()
    _, client, secret = add_callback_merchant(seed, url)
    with ThreadPoolExecutor(CALLERS) as pool:
        replies = list(pool.map(lambda _: client.create(buy()), range(count)))
    orders = [reply for reply in replies if reply.code == 1]
    assert len(orders) >= count * 9 // 10
    return client, orders, secret


def cancel_all(client: MerchantClient, orders: list[Reply]) -> dict[str, float]:
    """Cancel orders concurrently; return the time of each answer (Unix seconds)."""

    def cancel(order: Reply) -> tuple[str, float]:
        wait_until(lambda: client.cancel(order).code == 1)
        return order.data["order_no"], time.time()

    with ThreadPoolExecutor(CALLERS) as pool:
        return dict(pool.map(cancel, orders))


def all_received(shop: Receiver, path: str, numbers: set[str]) -> bool:
    """Return whether a callback of each of these orders has arrived."""
    return numbers <= {data_of(each)["order_no"] for each in shop.of(path)}


def wait_for_all(shop: Receiver, path: str, numbers: set[str]) -> list[Received]:
    """Wait for a callback of each of these orders; return all callbacks."""
    wait_until(lambda: all_received(shop, path, numbers))
    return shop.of(path)


@contextmanager
def killing(stack: Stack, *functions: str) -> Iterator[list[int]]:
    """Kill workers of these functions at random times."""
    over, killed = threading.Event(), list[int]()

    def kill() -> None:
        while not over.wait(random.uniform(0.05, 0.3)):
            workers = [each for each in psutil.process_iter() if _is_worker(each, stack, functions)]
            if workers:
                victim = random.choice(workers)
                with suppress(psutil.Error):
                    victim.kill()
                    killed.append(victim.pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


def _is_worker(process: psutil.Process, stack: Stack, functions: tuple[str, ...]) -> bool:
    try:
        command = " ".join(process.cmdline())
    except psutil.Error:
        return False
    own = str(stack.work) in command and "_worker.py" in command
    return own and any(f"orderdesk-{name}-" in command for name in functions)


def test_killed_workers_lose_no_event(stack: Stack, stack_seed: StackSeed, shop: Receiver) -> None:
    url = shop.url(
        "/endure", Answer(after_seconds=0.1)
    )  # so that senders are also killed while they wait
    client, orders, secret = created(stack_seed, url, IN_FLIGHT)
    with hidden_for(stack, 5), killing(stack, "relay-events", "send-callback") as killed:
        committed = cancel_all(client, orders)
        orders_moved = set(committed)
        wait_until(lambda: len(killed) >= KILLS or all_received(shop, "/endure", orders_moved))
    received = wait_for_all(shop, "/endure", set(committed))
    assert len(killed) >= KILLS // 2
    copies = defaultdict(set)
    for each in received:
        copies[data_of(each)["order_no"]].add((each.webhook_id, each.body))
        assert each.verified(secret)["type"] == "order.cancelled"
    assert {len(distinct) for distinct in copies.values()} == {1}
    print(f"{len(killed)} killed, {len(received)} POSTs for {len(committed)} events")
