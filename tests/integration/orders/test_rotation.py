"""Exact rotation by last acceptance (contract section 4, matching)."""

from random import Random

import pytest

from orderdesk.domain.traders.trader import Trader
from tests.support.depth import examples
from tests.support.merchant_client import buy
from tests.support.seed import ALIPAY_METHOD, BANK_METHOD, WECHAT_METHOD
from tests.support.world import World

METHODS = {"bank": BANK_METHOD, "wechat": WECHAT_METHOD, "alipay": ALIPAY_METHOD}


@pytest.mark.deep
def test_sequential_orders_follow_last_acceptance_without_an_inversion(world: World) -> None:
    random = Random(20261121)
    _, client = world.add_merchant()
    traders: dict[str, Trader] = {}
    last_accepted: dict[str, int] = {}
    for number in range(examples(full=100)):
        kinds = random.sample(list(METHODS.values()), random.randint(1, 3))
        low = random.choice([1, 100, 1000, 5000])
        trader = world.add_trader(
            methods=tuple(kinds),
            min_cny_fen=low * 100,
            max_cny_fen=low * random.choice([2, 20, 200]) * 100,
            last_accepted_us=number + 1,
        )
        traders[trader.trader_id] = trader
        last_accepted[trader.trader_id] = number + 1
    inversions = 0
    for turn in range(examples(full=150)):
        kind, cny = random.choice(list(METHODS)), random.choice([1, 50, 150, 1500, 6000, 90_000])
        fitting = [
            trader_id
            for trader_id, trader in traders.items()
            if METHODS[kind] in trader.methods
            and trader.terms.min_cny_fen <= cny * 100 <= trader.terms.max_cny_fen
        ]
        reply = client.create(buy(method_type=kind, cny_amount=str(cny)))
        if not fitting:
            assert reply.code == 2101
            continue
        assert reply.code == 1
        order = world.get(world.tables.orders, {"pk": reply.data["order_no"]})
        assert order is not None
        chosen = str(order["trader_id"])
        assert chosen in fitting
        inversions += chosen != min(fitting, key=last_accepted.__getitem__)
        last_accepted[chosen] = 10**6 + turn
    assert inversions == 0
