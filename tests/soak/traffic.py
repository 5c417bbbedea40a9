"""The traffic of a soak: so many orders a minute, each taken to its end."""

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from local.demo.merchant import Merchant, Parameter
from local.demo.people import pay, pay_with_receipt, verify_identity
from local.demo.steps import FAILURES
from local.demo.walks import BUY, CUSTOMER_METHOD, SELL
from orderdesk_cli.api import Refused
from tests.soak.people import People

ORDERS_A_MINUTE = 24
AT_ONCE = 3
SEED = 1


@dataclass
class Traffic:
    """The results: calls of createOrder as (seconds since the beginning, milliseconds)."""

    began: float = field(default_factory=time.monotonic)
    calls: list[tuple[float, float]] = field(default_factory=list)
    orders: int = 0
    failures: list[str] = field(default_factory=list)

    @contextmanager
    def timed(self) -> Iterator[None]:
        at = time.monotonic()
        yield
        self.calls.append((at - self.began, (time.monotonic() - at) * 1000))


type Life = Callable[[People, Traffic, random.Random], None]


def run(people: People, minutes: int) -> Traffic:
    """Start ORDERS_A_MINUTE orders a minute, evenly; a late one starts at once."""
    traffic, chance = Traffic(), random.Random(SEED)
    lives = chance.choices(list(LIVES), list(LIVES.values()), k=minutes * ORDERS_A_MINUTE)

    def live(life: Life, seed: int) -> None:
        try:
            life(people, traffic, random.Random(seed))
        except (*FAILURES, AssertionError) as error:
            traffic.failures.append(f"{life.__name__}: {error or type(error).__name__}")

    begun = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for number, life in enumerate(lives):
            due = traffic.began + number * 60 / ORDERS_A_MINUTE
            time.sleep(max(0.0, due - time.monotonic()))
            begun.append(pool.submit(live, life, chance.randrange(2**32)))
    for each in begun:
        each.result()
    traffic.orders = len(lives)
    return traffic


def bought(people: People, traffic: Traffic, chance: random.Random) -> None:
    merchant = chance.choice(people.merchants)
    created = _created(merchant, traffic, BUY, chance)
    pay(created["pay_url"])
    _confirmed(people, merchant, created["order_no"])


def bought_with_receipt(people: People, traffic: Traffic, chance: random.Random) -> None:
    merchant = chance.choice(people.merchants)
    created = _created(merchant, traffic, BUY, chance)
    pay_with_receipt(created["pay_url"])
    _confirmed(people, merchant, created["order_no"])


def cancelled(people: People, traffic: Traffic, chance: random.Random) -> None:
    """Create a buy and cancel it; read the merchant's books."""
    merchant = chance.choice(people.merchants)
    order_no = _created(merchant, traffic, BUY, chance)["order_no"]
    merchant.call("cancelOrder", {"order_no": order_no})
    merchant.require(order_no, "cancelled")
    for name in ("listOrders", "statement", "balance", "listCallbacks"):
        merchant.call(name, {})


def sold(people: People, traffic: Traffic, chance: random.Random) -> None:
    """Create a sell, assign it unless the assigner was first, prove and confirm it."""
    merchant = chance.choice(people.merchants)
    order_no = _created(merchant, traffic, SELL, chance)["order_no"]
    trader_id = chance.choice(list(people.desks))
    with suppress(Refused):
        people.api.write("order.assign", alone=True, order_no=order_no, trader_id=trader_id)
    people.desk_of(order_no).upload_proof(order_no)
    _confirmed(people, merchant, order_no)


def verified(people: People, traffic: Traffic, chance: random.Random) -> None:
    """Create a buy with an agreement, verify the customer, pay and confirm."""
    merchant = chance.choice(people.verifying)
    held = _created(merchant, traffic, BUY, chance)
    pay(verify_identity(held["identity_url"]))
    _confirmed(people, merchant, merchant.draft(held["pending_no"])["order_no"])


LIVES: dict[Life, int] = {
    bought: 30,
    bought_with_receipt: 15,
    cancelled: 20,
    sold: 20,
    verified: 15,
}
"""How often each is drawn, of 100."""


def _created(
    merchant: Merchant, traffic: Traffic, side: int, chance: random.Random
) -> dict[str, Any]:
    cny = f"{chance.randrange(10, 2_000)}.00"
    parameters: dict[str, Parameter] = {"order_type": side, "cny_amount": cny}
    if side == SELL:
        parameters["payment_method"] = dict(CUSTOMER_METHOD)
    with traffic.timed():
        return merchant.create(**parameters)


def _confirmed(people: People, merchant: Merchant, order_no: str) -> None:
    desk = people.desk_of(order_no)
    desk.look()
    desk.confirm(order_no)
    merchant.require(order_no, "completed")
