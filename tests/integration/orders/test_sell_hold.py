"""A live sell signed with a secret that a rotation just made is not assigned yet (section 2)."""

import time
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.domain.merchants.merchant import Merchant, MerchantSecrets
from orderdesk.domain.operators import OperatorRefusal
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.orders.assign_sells import Offered
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.money_world import SELL_HOLD_SECONDS, MoneyWorld, Step
from tests.support.world import World

HOUR = 3600
FEN = 1000_00


def rotate(world: World, *ages: int) -> tuple[list[MerchantClient], Merchant]:
    """Add a merchant whose secret was rotated so many seconds ago, the oldest rotation first.

    Return a client for each secret, the first one included.
    """
    merchant, first = world.add_merchant()
    secrets = MerchantSecrets((first.api_secret,), link_secret=b"k" * 32)
    for age in ages:
        secrets = secrets.rotated(f"sk_{age}", int(time.time()) - age)
    sealed = world.kms.seal(merchant.merchant_id, secrets)
    world.change_merchant(merchant, sealed_secrets=sealed)
    for mode in Mode:
        world.fund(merchant, 10**9, mode)
    return [first, *(replace(first, api_secret=f"sk_{age}") for age in ages)], merchant


def held_until(world: World, order_no: str) -> object:
    item = world.get(world.tables.orders, {"pk": order_no})
    assert item is not None
    return item.get("assignable_from")


def test_only_live_sells_by_the_new_secret_wait(world: World) -> None:
    before = int(time.time())
    (old, new), _ = rotate(world, HOUR)
    rotated: Any = time.time()
    world.add_trader()
    world.add_trader(mode=Mode.TEST)
    until: Any = held_until(world, new.create(sell()).data["order_no"])
    assert before <= until - SELL_HOLD_SECONDS + HOUR <= rotated
    for client, params in ((old, sell()), (new, sell(is_test=1)), (new, buy())):
        assert held_until(world, client.create(params).data["order_no"]) is None


def test_each_secret_has_its_own_time(world: World) -> None:
    """Two rotations in a row do not make the first of them old."""
    (_, older, newer), _ = rotate(world, 2 * HOUR, HOUR)
    untils = [held_until(world, c.create(sell()).data["order_no"]) for c in (older, newer)]
    assert all(isinstance(until, int) and until > time.time() for until in untils)
    (_, old_enough, _), _ = rotate(world, SELL_HOLD_SECONDS, HOUR)
    assert held_until(world, old_enough.create(sell()).data["order_no"]) is None


def test_neither_the_assigner_nor_an_operator_assigns_it_before(money: MoneyWorld) -> None:
    money.secret_rotated_at = money.now - HOUR
    number = money.create(OrderType.SELL, FEN)
    ends = money.secret_rotated_at + SELL_HOLD_SECONDS
    trader_id = money.traders[0].trader_id
    assign = Step(number, Actor.OPERATOR, Move.ASSIGN, trader_id)
    for now in (money.now, ends - 1):
        money.now = now
        assert money.assign_waiting() == {}
        with pytest.raises(OperatorRefusal, match=f"in {(ends - now) // 60 + 1} minutes"):
            money.do(assign)
    money.now = ends
    assert money.assign_waiting() == {Offered.ASSIGNED: 1}
    money.do(Step(number, Actor.TRADER, Move.DECLINE, money.order(number).trader_id))
    assert money.do(assign).status is OrderStatus.ASSIGNED
    money.check()
