"""Callbacks on the deployed stack: a move becomes a signed POST at the merchant's (section 7)."""

import threading
import time
from dataclasses import replace
from typing import Any

from local.stack import QUEUE_WORKERS, Stack
from orderdesk.adapters.callback_http.wire import DEFAULT_LIMITS
from orderdesk.domain.callbacks.delivery import Delivery
from orderdesk.domain.callbacks.events import CallbackMessage
from orderdesk.domain.callbacks.schedule import GAPS_SECONDS
from tests.support.callback_merchants import add_callback_merchant, sign_with
from tests.support.callback_shop import Answer, Shop, data_of
from tests.support.callback_speed import sped_up
from tests.support.deliveries import EVENT
from tests.support.merchant_client import MerchantClient, Reply, buy
from tests.support.offices import Terminal
from tests.support.payer import Payer
from tests.support.stack_seed import StackSeed
from tests.support.trader import TraderVisit
from tests.support.waiting import wait_until

AT_ONCE = 10**9
FAILS = Answer(500, body=b"out of order")


def cancelled(seed: StackSeed, url: str, **parameters: Any) -> tuple[str, str]:
    """Have a merchant cancel an order, which is one event; give its number and the secret."""
    seed.only_trader()
    _, client, secret = add_callback_merchant(seed, url)
    created = client.create(buy(**parameters))
    assert client.cancel(created).code == 1
    return created.data["order_no"], secret


def settled(terminal: Terminal, order_no: str, state: str) -> dict[str, Any]:
    """Wait until an order's only callback is in a state."""
    listed: list[dict[str, Any]] = []

    def is_there() -> bool:
        listed[:] = terminal.json("callback", "list", order_no)
        return [row["state"] for row in listed] == [state]

    wait_until(is_there)
    return listed[0]


def test_a_buy_to_the_end_is_told_step_by_step(
    stack_seed: StackSeed, shop: Shop, desk: TraderVisit
) -> None:
    merchant, client, secret = add_callback_merchant(stack_seed, shop.url("/shop"))
    created = client.create(buy(merchant_order_no="first")).data
    assert Payer.of_link(stack_seed, created["pay_url"]).post("/paid")["statusCode"] == 303
    assert desk.move(created["order_no"], "confirm") == 303
    received = shop.wait_for("/shop", 2)
    told = sorted((each.verified(secret) for each in received), key=lambda b: b["data"]["sequence"])
    assert [body["type"] for body in told] == ["order.paid", "order.completed"]
    assert [body["data"]["sequence"] for body in told] == [2, 3]
    assert {body["data"]["merchant_order_no"] for body in told} == {"first"}
    assert {data_of(each)["order_no"] for each in received} == {created["order_no"]}

    new = "whsec_" + "CCCC" * 11
    sign_with(stack_seed, merchant, new, secret)
    client.cancel(client.create(buy()))
    last = shop.wait_for("/shop", 3)[-1]
    assert last.verified(new) == last.verified(secret)
    assert last.verified(new)["type"] == "order.cancelled"


def test_the_orders_own_target_is_called(
    stack_seed: StackSeed, shop: Shop, terminal: Terminal
) -> None:
    own = shop.url("/own?for=this")
    order_no, secret = cancelled(stack_seed, shop.url("/default"), callback_url=own)
    (received,) = shop.wait_for("/own?for=this")
    assert received.verified(secret)["type"] == "order.cancelled"
    assert settled(terminal, order_no, "delivered")["url"] == own
    assert shop.of("/default") == []


def test_two_failures_then_taken(
    stack: Stack, stack_seed: StackSeed, shop: Shop, terminal: Terminal
) -> None:
    with sped_up(stack, AT_ONCE):
        order_no, secret = cancelled(stack_seed, shop.url("/", FAILS, FAILS, Answer(204)))
        received = shop.wait_for("/", 3)
        delivery = settled(terminal, order_no, "delivered")
    assert [attempt["status"] for attempt in delivery["attempts"]] == [500, 500, 204]
    assert delivery["attempts"][0]["answer"] == "out of order"
    assert len({each.webhook_id for each in received}) == 1
    assert len({each.body for each in received}) == 1
    for each in received:
        each.verified(secret)


def test_the_first_gap_is_five_seconds_and_retry_after_is_honoured(
    stack_seed: StackSeed, shop: Shop
) -> None:
    cancelled(stack_seed, shop.url("/fails", FAILS, Answer()))
    cancelled(stack_seed, shop.url("/busy", Answer(429, {"Retry-After": "8"}), Answer()))
    for path, least in (("/fails", 5), ("/busy", 8)):
        first, second = shop.wait_for(path, 2)
        assert least <= second.at - first.at


def test_gone_is_not_tried_again(stack_seed: StackSeed, shop: Shop, terminal: Terminal) -> None:
    order_no, _ = cancelled(stack_seed, shop.url("/", Answer(410)))
    assert len(settled(terminal, order_no, "gone")["attempts"]) == 1


def test_nowhere_to_send(stack_seed: StackSeed, terminal: Terminal) -> None:
    order_no, _ = cancelled(stack_seed, "")
    row = settled(terminal, order_no, "undeliverable")
    assert (row["attempts"], row["url"]) == ([], None)
    assert order_no in [each["number"] for each in terminal.json("callback", "dead")]


def test_after_ten_attempts_it_is_dead_and_can_be_redelivered(
    stack: Stack, stack_seed: StackSeed, shop: Shop, terminal: Terminal
) -> None:
    with sped_up(stack, AT_ONCE):
        order_no, secret = cancelled(stack_seed, shop.url("/", FAILS))
        dead = settled(terminal, order_no, "dead")
    assert len(dead["attempts"]) == len(shop.of("/")) == 10
    assert dead in terminal.json("callback", "dead")
    assert dead["webhook_id"] in buried(stack)

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


def buried(stack: Stack) -> set[str]:
    """Give the webhook_ids on the dead-letter queue."""
    answer = stack.client("sqs").receive_message(
        QueueUrl=stack.outputs["CallbacksDeadLetterQueueUrl"],
        MaxNumberOfMessages=10,
        VisibilityTimeout=0,
    )
    return {
        CallbackMessage.from_json(message["Body"]).event.webhook_id
        for message in answer["Messages"]
    }


def test_copies_at_the_same_time_keep_one_record_and_one_schedule(
    stack: Stack, stack_seed: StackSeed, shop: Shop, terminal: Terminal
) -> None:
    url = shop.url("/", Answer(503, after_seconds=1.0))
    merchant, _, _ = add_callback_merchant(stack_seed, url)
    event = replace(EVENT, merchant_id=merchant.merchant_id, webhook_id="msg_copied_2")
    copies: list[Any] = [{"Id": str(n), "MessageBody": event.to_json()} for n in range(10)]
    queue_url = stack.outputs["CallbacksQueueUrl"]
    stack.client("sqs").send_message_batch(QueueUrl=queue_url, Entries=copies)
    found: list[Delivery] = []

    def second_round_is_over() -> bool:
        found[:] = filter(None, [terminal.office.callbacks.delivery(event.webhook_id)])
        return bool(found) and found[0].tries > 1 and len(found[0].attempts) == len(shop.of("/"))

    wait_until(second_round_is_over)
    came_at = sorted(each.at for each in shop.of("/"))
    assert found[0].tries == 2
    assert len([at for at in came_at if at >= came_at[0] + GAPS_SECONDS[0]]) == 1
    shop.url("/", Answer(410))


def test_one_hanging_merchant_delays_no_other(stack_seed: StackSeed, shop: Shop) -> None:
    """The others are told before one attempt at the hanging merchant would be given up."""
    stack_seed.only_trader()
    start_all_workers(stack_seed, shop)
    given_up_seconds = DEFAULT_LIMITS.whole_seconds
    hanging = orders_of(
        stack_seed, shop.url("/hangs", Answer(after_seconds=given_up_seconds + 1)), 20
    )
    one = orders_of(stack_seed, shop.url("/one"), 20)
    two = orders_of(stack_seed, shop.url("/two"), 20)
    mixed = [order for pair in zip(one, two, strict=True) for order in pair]
    committed = cancel([*hanging, *mixed])
    waits = sorted(
        received.at - committed[data_of(received)["order_no"]]
        for path in ("/one", "/two")
        for received in shop.wait_for(path, 20)
    )
    shop.url("/hangs", Answer(410))
    print(f"median {waits[20]:.2f} s, 95 % {waits[37]:.2f} s, longest {waits[-1]:.2f} s")
    assert waits[37] < given_up_seconds


def start_all_workers(seed: StackSeed, shop: Shop) -> None:
    """Keep every worker busy at once, so that all of them run."""
    all_busy = threading.Barrier(QUEUE_WORKERS + 1)
    url = shop.url("/warm", Answer(meet=all_busy))
    for order in [orders_of(seed, url, 1) for _ in range(QUEUE_WORKERS)]:
        cancel(order)
    all_busy.wait()
    shop.url("/warm")
    all_busy.abort()  # frees what was sent again meanwhile


def orders_of(seed: StackSeed, url: str, count: int) -> list[tuple[MerchantClient, Reply]]:
    """Have a new merchant create orders; give each with who can cancel it."""
    _, client, _ = add_callback_merchant(seed, url)
    return [(client, client.create(buy())) for _ in range(count)]


def cancel(orders: list[tuple[MerchantClient, Reply]]) -> dict[str, float]:
    """Cancel orders one after the other; tell when each was answered (Unix seconds)."""
    answered = {}
    for client, created in orders:
        assert client.cancel(created).code == 1
        answered[created.data["order_no"]] = time.time()
    return answered
