"""Callbacks while workers are killed, with dead endpoints too: none is lost."""

import random
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import psutil

from local.stack import Stack
from tests.e2e import busy
from tests.support.merchant_client import MerchantClient, Reply, buy
from tests.support.merchant_receiver import Answer, Receiver, add_callback_merchant, data_of
from tests.support.offices import Terminal
from tests.support.stack_seed import StackSeed
from tests.support.stack_settings import ALIAS, hidden_for, sped_up
from tests.support.waiting import wait_until

KILLS = 8
# Of merchants with a healthy endpoint each; two more have a dead one.
HEALTHY, ORDERS_OF_EACH = 10, 4
# Ten failures within two minutes, and one after them, pause an endpoint (decision 59).
ORDERS_TO_PAUSE, SPEEDUP = 10, 60
FAILS = Answer(500)
# Concurrent clients of one merchant; more would only wait for each other here.
CALLERS = 6


def cancel_all(client: MerchantClient, orders: list[Reply]) -> None:
    """Cancel orders concurrently."""

    def cancel(order: Reply) -> None:
        wait_until(lambda: client.cancel(order).code == 1)

    with ThreadPoolExecutor(CALLERS) as pool:
        list(pool.map(cancel, orders))


def all_received(shop: Receiver, path: str, numbers: set[str]) -> bool:
    """Return whether a callback of each of these orders has arrived."""
    return numbers <= {data_of(each)["order_no"] for each in shop.of(path)}


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


@dataclass(frozen=True)
class Shop:
    """A merchant whose callbacks go to a path of its own."""

    path: str
    merchant_id: str
    client: MerchantClient
    orders: list[Reply] = field(default_factory=list)

    @property
    def numbers(self) -> set[str]:
        return {order.data["order_no"] for order in self.orders}

    def create(self, count: int) -> list[Reply]:
        # All shops ask for one trader, so some are answered to try again.
        orders = [buy(merchant_order_no=secrets.token_hex(8)) for _ in range(count)]
        created = [busy.create(self.client, order) for order in orders]
        assert {reply.code for reply in created} == {1}
        self.orders.extend(created)
        return created

    def listed(self) -> dict[str, Any]:
        data: dict[str, Any] = self.client.post("/merchant/listCallbacks", {"limit": 100}).data
        return data


def opened(seed: StackSeed, shop: Receiver, path: str, answer: Answer) -> Shop:
    merchant, client, _ = add_callback_merchant(seed, shop.url(path, answer))
    return Shop(path, merchant.merchant_id, client)


def cancel_of_all(shops: Sequence[Shop], count: int) -> Callable[[], None]:
    """Create orders of each shop; return what cancels them, which makes an event of each."""
    with ThreadPoolExecutor(CALLERS) as pool:
        created = list(pool.map(lambda each: (each, each.create(count)), shops))

    def cancel() -> None:
        with ThreadPoolExecutor(CALLERS) as pool:
            list(pool.map(lambda one: cancel_all(one[0].client, one[1]), created))

    return cancel


def sweep(stack: Stack) -> None:
    """Invoke send-callback without records, as its schedule does each minute."""
    name = stack.outputs["SendCallbackFunctionName"]
    stack.client("lambda").invoke(FunctionName=f"{name}:{ALIAS}", Payload=b"{}")


def test_dead_endpoints_are_paused_delay_nobody_and_drain(
    stack: Stack, stack_seed: StackSeed, shop: Receiver, terminal: Terminal
) -> None:
    stack_seed.only_trader()
    slow = Answer(after_seconds=0.1)
    healthy = [opened(stack_seed, shop, f"/healthy{number}", slow) for number in range(HEALTHY)]
    dead = [opened(stack_seed, shop, f"/dead{number}", FAILS) for number in range(2)]
    everybody = [*healthy, *dead]

    def paused() -> set[str]:
        listed = terminal.json("callback", "paused")
        return {row["merchant_id"] for row in listed} & {each.merchant_id for each in everybody}

    def healthy_received() -> bool:
        return all(all_received(shop, each.path, each.numbers) for each in healthy)

    def drained() -> bool:
        sweep(stack)
        rows = [row for each in dead for row in each.listed()["callbacks"]]
        done = {row["order_no"] for row in rows if row["status"] == "delivered"}
        return all(each.numbers <= done for each in dead)

    with sped_up(stack, SPEEDUP):
        cancel_of_all(dead, ORDERS_TO_PAUSE)()
        wait_until(lambda: len(paused()) == len(dead))
        cancel = cancel_of_all(everybody, ORDERS_OF_EACH)
        with hidden_for(stack, 5):
            with killing(stack, "relay-events", "send-callback") as killed:
                cancel()
                wait_until(lambda: len(killed) >= KILLS or healthy_received())
            wait_until(healthy_received)
        assert paused() == {each.merchant_id for each in dead}
        for each in dead:
            assert [row["origin"] for row in each.listed()["paused"]] == [shop.origin]
            shop.url(each.path, Answer())
        wait_until(drained)
    assert paused() == set()
    print(f"{len(killed)} killed, {sum(len(each.orders) for each in everybody)} events")
