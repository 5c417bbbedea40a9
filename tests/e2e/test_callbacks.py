"""Callbacks on the deployed stack: a move causes a signed POST to the merchant (section 7)."""

import threading
from typing import Any

from local.stack import QUEUE_WORKERS, Stack
from tests.e2e.hanging import Hanging
from tests.support.merchant_client import MerchantClient, Reply, buy
from tests.support.merchant_receiver import (
    Answer,
    Receiver,
    add_callback_merchant,
    data_of,
    sign_with,
)
from tests.support.offices import Terminal
from tests.support.payer import Payer
from tests.support.stack_seed import StackSeed
from tests.support.stack_settings import dead_callbacks, sped_up
from tests.support.trader import TraderVisit
from tests.support.waiting import wait_until

AT_ONCE = 10**9
FAILS = Answer(500, body=b"out of order")


def cancelled(seed: StackSeed, url: str) -> tuple[str, str]:
    """Create and cancel an order, which is one event; return its number and the secret."""
    seed.only_trader()
    _, client, secret = add_callback_merchant(seed, url)
    created = client.create(buy())
    assert client.cancel(created).code == 1
    return created.data["order_no"], secret


def settled(terminal: Terminal, order_no: str, state: str) -> dict[str, Any]:
    """Wait until an order's only callback is in a state; return it."""

    def there() -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = terminal.json("callback", "list", order_no)
        return listed if [row["state"] for row in listed] == [state] else []

    return wait_until(there)[0]


def test_each_step_of_a_buy_sends_a_callback(
    stack_seed: StackSeed, shop: Receiver, desk: TraderVisit
) -> None:
    merchant, client, secret = add_callback_merchant(stack_seed, shop.url("/shop"))
    created = client.create(buy(merchant_order_no="first")).data
    assert Payer.of_link(stack_seed, created["pay_url"]).post("/paid")["statusCode"] == 303
    assert desk.move(created["order_no"], "confirm") == 303
    received = shop.wait_for("/shop", 2)
    bodies = [each.verified(secret) for each in received]
    bodies.sort(key=lambda body: body["data"]["sequence"])
    assert [body["type"] for body in bodies] == ["order.paid", "order.completed"]
    assert [body["data"]["sequence"] for body in bodies] == [2, 3]
    assert {body["data"]["merchant_order_no"] for body in bodies} == {"first"}
    assert {data_of(each)["order_no"] for each in received} == {created["order_no"]}

    new = "whsec_" + "CCCC" * 11
    sign_with(stack_seed, merchant, new, secret)
    client.cancel(client.create(buy()))
    last = shop.wait_for("/shop", 3)[-1]
    assert last.verified(new) == last.verified(secret)
    assert last.verified(new)["type"] == "order.cancelled"

    reply = client.post("/merchant/testCallback", {"callback_url": shop.url("/tested")})
    assert reply.code == 1, reply
    asked = reply.data
    (tested,) = shop.wait_for("/tested")
    assert tested.webhook_id == asked["webhook_id"]
    assert tested.verified(new)["type"] == "endpoint.test"

    def delivered() -> bool:
        listed = client.post("/merchant/listCallbacks", {}).data["callbacks"]
        states = {each["webhook_id"]: each["status"] for each in listed}
        return states.get(asked["webhook_id"]) == "delivered"

    wait_until(delivered)


def test_after_ten_attempts_it_is_dead_and_can_be_redelivered(
    stack: Stack, stack_seed: StackSeed, shop: Receiver, terminal: Terminal
) -> None:
    with sped_up(stack, AT_ONCE):
        order_no, secret = cancelled(stack_seed, shop.url("/", FAILS))
        dead = settled(terminal, order_no, "dead")
    assert len(dead["attempts"]) == len(shop.of("/")) == 10
    assert dead in terminal.json("callback", "dead")
    assert dead["webhook_id"] in {event.webhook_id for event in dead_callbacks(stack)}

    shop.url("/", Answer())
    terminal.json("callback", "redeliver", dead["webhook_id"], "--reason", "they are back")
    last = shop.wait_for("/", 11)[-1]
    assert last.webhook_id == dead["webhook_id"]
    assert last.verified(secret)["type"] == "order.cancelled"
    again = settled(terminal, order_no, "delivered")
    assert (len(again["attempts"]), again["redeliveries"]) == (11, 1)
    assert terminal.json("order", "show", order_no)["callbacks"] == [again]
    assert dead["webhook_id"] not in [
        row["webhook_id"] for row in terminal.json("callback", "dead")
    ]


def test_one_hanging_merchant_delays_no_other(
    stack: Stack, stack_seed: StackSeed, shop: Receiver
) -> None:
    """It uses at most its lanes; other containers send the other merchants' callbacks."""
    stack_seed.only_trader()
    start_all_workers(stack_seed, shop)
    hanging = Hanging()
    hung = orders_of(stack_seed, shop.url("/hangs", Answer(410, first=hanging)), 20)
    one = orders_of(stack_seed, shop.url("/one"), 20)
    two = orders_of(stack_seed, shop.url("/two"), 20)
    cancel(hung)
    shop.wait_for("/hangs")
    cancel([order for pair in zip(one, two, strict=True) for order in pair])
    for path in ("/one", "/two"):
        shop.wait_for(path, 20)
    assert 1 <= hanging.most_containers <= lanes_of(stack) < QUEUE_WORKERS
    hanging.released.set()


def lanes_of(stack: Stack) -> int:
    """Return the maximum number of containers that send to one merchant."""
    name = stack.outputs["SendCallbackFunctionName"]
    configuration = stack.client("lambda").get_function_configuration(FunctionName=name)
    return int(configuration["Environment"]["Variables"]["CALLBACK_LANES"])


def start_all_workers(seed: StackSeed, shop: Receiver) -> None:
    """Keep all workers busy at the same time, so that all of them run."""
    all_busy = threading.Barrier(QUEUE_WORKERS + 1)
    url = shop.url("/warm", Answer(first=lambda _: all_busy.wait()))
    for order in [orders_of(seed, url, 1) for _ in range(QUEUE_WORKERS)]:
        cancel(order)
    all_busy.wait()
    shop.url("/warm")
    all_busy.abort()  # releases retries that arrived meanwhile


def orders_of(seed: StackSeed, url: str, count: int) -> list[tuple[MerchantClient, Reply]]:
    """Create orders of a new merchant; return each with its client."""
    _, client, _ = add_callback_merchant(seed, url)
    return [(client, client.create(buy())) for _ in range(count)]


def cancel(orders: list[tuple[MerchantClient, Reply]]) -> None:
    """Cancel orders one at a time."""
    for client, created in orders:
        assert client.cancel(created).code == 1
