"""The deployed functions, with all of their AWS calls behind the proxy; callers use HTTP.

Nothing is lost and nothing is done twice: afterwards the books balance, every order has its claim,
every event has reached its merchant, and no dead-letter queue has a message of it.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http import HTTPStatus
from typing import Any, cast

import pytest

from local.stack import Stack
from orderdesk.domain.merchants.merchant import Merchant
from tests.faults.proxy import Fault, FaultProxy
from tests.faults.stack import (
    PersistentSeed,
    fund,
    no_dead_letters,
    nothing_unexpected,
    routed,
    submit_persistently,
)
from tests.support.books import assert_books
from tests.support.depth import examples
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.merchant_receiver import Receiver, add_callback_merchant, data_of, open_receiver
from tests.support.payer import Payer
from tests.support.receipt_samples import png
from tests.support.stack_seed import let_wait
from tests.support.stack_settings import hidden_for
from tests.support.trader import ORDER, TraderVisit
from tests.support.visitors import OWN_PAGE, Answer, hidden_fields
from tests.support.waiting import wait_until

CALLERS = 6
# Longer than a delivery takes with faults, so that no message reappears during one.
HIDDEN_SECONDS = 10
MERCHANTS_MAX, ORDERS_A_MERCHANT = 24, 2
SEED = int(os.environ.get("ORDERDESK_FAULT_SEED", "1"))
# An order's merchant is notified of each of these statuses (contract section 7).
TOLD = {"paid", "assigned", "completed", "cancelled", "expired", "disputed"}


@pytest.fixture
def seed(stack: Stack, proxy: FaultProxy) -> Iterator[PersistentSeed]:
    """Route the functions through the proxy; remove other tests' traders from the rotation."""
    print(f"ORDERDESK_FAULT_SEED={SEED}")
    proxy.reseed(SEED)
    with closing(PersistentSeed(stack)) as seed, routed(stack, proxy.endpoint_url):
        seed.clear_rotation()
        with hidden_for(stack, HIDDEN_SECONDS), nothing_unexpected(stack), no_dead_letters(seed):
            yield seed


@pytest.fixture
def shop() -> Iterator[Receiver]:
    with open_receiver() as shop:
        yield shop


@pytest.mark.deep
def test_a_burst_is_all_told(seed: PersistentSeed, proxy: FaultProxy, shop: Receiver) -> None:
    count = examples(budget=8, full=MERCHANTS_MAX * ORDERS_A_MERCHANT)
    merchants, clients = merchants_of(seed, shop, count)
    trader = seed.add_trader(available_micro=0)
    fund(seed, merchants, [trader])

    def create_and_cancel(number: int) -> None:
        client = clients[number % len(clients)]
        made = client.create(buy(cny_amount="10.00", merchant_order_no=f"burst-{number}"))
        assert made.code == 1, made
        assert client.cancel(made).code == 1

    with proxy.faults():
        with ThreadPoolExecutor(CALLERS) as pool:
            list(pool.map(create_and_cancel, range(count)))
        await_told(shop, told_of(seed, merchants), count // 2)
    await_told(shop, told_of(seed, merchants))
    assert orders_of(seed, merchants) == {"cancelled": count}
    assert_books(seed, ids(merchants), {trader.trader_id})
    assert proxy.faulted >= examples(budget=60, full=500)
    assert {fault for _, fault in proxy.counts} == {*Fault}


@pytest.mark.deep
def test_lives_are_completed(seed: PersistentSeed, proxy: FaultProxy, shop: Receiver) -> None:
    lives = examples(budget=1, full=2)
    merchants, clients = merchants_of(seed, shop, lives)
    verified, verified_client, _ = add_callback_merchant(
        seed, shop.url("/told"), identity_required=True
    )
    desk = TraderVisit.of_new_trader(seed, available_micro=0)
    fund(seed, [*merchants, verified], [desk.trader])
    drafts = []
    with proxy.faults():
        for number, client in enumerate(clients):
            buy_with_receipt(client, desk, f"buy-{number}")
            sell_with_proof(client, desk, f"sell-{number}")
            held = verified_client.create(buy(merchant_order_no=f"draft-{number}")).data
            submit_persistently(held["identity_url"])
            drafts.append(held["pending_no"])
            assert client.listed()["orders"]
            assert client.balance()
    await_told(shop, told_of(seed, [*merchants, verified]))
    assert orders_of(seed, merchants) == {"completed": 2 * lives}
    made = [order["pending_no"] for order in items_of(seed, [verified])]
    held = [seed.get(seed.tables.orders, {"pk": pending_no}) or {} for pending_no in drafts]
    assert sorted(made) == sorted(d["pending_no"] for d in held if d["status"] == "completed")
    assert_books(seed, ids([*merchants, verified]), {desk.trader.trader_id})
    assert proxy.faulted >= examples(budget=60, full=100)


def merchants_of(
    seed: PersistentSeed, shop: Receiver, count: int
) -> tuple[list[Merchant], list[MerchantClient]]:
    number = min(count, MERCHANTS_MAX)
    added = [add_callback_merchant(seed, shop.url("/told")) for _ in range(number)]
    return [merchant for merchant, _, _ in added], [client for _, client, _ in added]


def buy_with_receipt(client: MerchantClient, desk: TraderVisit, number: str) -> None:
    made = client.create(buy(merchant_order_no=number)).data
    payer = Payer.of_link(desk.seed, made["pay_url"])
    sent = taken(payer.upload(png()), lambda form: payer.post("/receipt", form=form, again="1"))
    assert sent["statusCode"] == 303, sent["body"]
    assert desk.move(made["order_no"], "confirm") == 303
    assert client.query(merchant_order_no=number).data["status"] == "completed"


def sell_with_proof(client: MerchantClient, desk: TraderVisit, number: str) -> None:
    order_no = client.create(sell(merchant_order_no=number)).data["order_no"]
    let_wait(desk.seed, order_no)  # type: ignore[arg-type]
    while desk.order(order_no).status.value == "matching":
        desk.seed.assign_sells()
    path = f"{ORDER}/proof"
    sent = taken(
        desk.upload(order_no, png()),
        lambda form: desk.post(path, order_no, OWN_PAGE, form, again="1"),
    )
    assert sent["statusCode"] == 303, sent["body"]
    assert desk.move(order_no, "confirm") == 303
    assert client.query(merchant_order_no=number).data["status"] == "completed"


def taken(sent: Answer, press: Callable[[Mapping[str, str]], Answer]) -> Answer:
    """Press the button again until faults no longer keep the file's claim; return the answer.

    The page may refuse so many presses for a while.
    """
    if sent["statusCode"] != HTTPStatus.ACCEPTED:
        return sent
    form, waits = hidden_fields(sent["body"]), {HTTPStatus.ACCEPTED, HTTPStatus.TOO_MANY_REQUESTS}

    def answered() -> Answer | None:
        answer = press(form)
        return None if answer["statusCode"] in waits else answer

    return cast("Answer", wait_until(answered))


def ids(merchants: list[Merchant]) -> set[str]:
    return {merchant.merchant_id for merchant in merchants}


def items_of(seed: PersistentSeed, merchants: list[Merchant]) -> list[Any]:
    rows: list[Any] = seed.items(seed.tables.orders, "order")
    return [row for row in rows if row["merchant_id"] in ids(merchants)]


def orders_of(seed: PersistentSeed, merchants: list[Merchant]) -> dict[str, int]:
    statuses = [row["status"] for row in items_of(seed, merchants)]
    return {status: statuses.count(status) for status in set(statuses)}


def told_of(seed: PersistentSeed, merchants: list[Merchant]) -> set[tuple[str, int]]:
    """Return the events that merchants must receive, as order_no and sequence."""
    return {
        (row["order_no"], number)
        for row in items_of(seed, merchants)
        for number, entry in enumerate(row["timeline"], start=1)
        if entry["status"] in TOLD
    }


def await_told(shop: Receiver, events: set[tuple[str, int]], count: int | None = None) -> None:
    """Wait until so many of these events, or all, have reached their merchants."""

    def is_told() -> bool:
        came = [data_of(received) for received in shop.of("/told")]
        told = events & {(data["order_no"], data["sequence"]) for data in came}
        return len(told) >= (len(events) if count is None else count)

    wait_until(is_told)
