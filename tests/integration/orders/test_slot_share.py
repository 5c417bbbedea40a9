"""One merchant's part of each trader's slots (contract section 6)."""

import pytest

from orderdesk.domain.traders.trader import slot_holder
from tests.support.merchant_client import buy, sell
from tests.support.world import World

FUNDS = 10**12


def slots(world: World, trader_id: str) -> dict[str, int]:
    return dict(world.trader(trader_id).counts.slots)


def test_a_merchant_takes_its_share_and_leaves_the_rest_to_others(world: World) -> None:
    one, client = world.add_merchant()
    two, other = world.add_merchant()
    trader = world.add_trader(max_open=5)
    codes = [client.create(buy()).code for _ in range(3)]
    assert codes == [1, 1, 2101]
    assert [other.create(buy()).code for _ in range(3)] == [1, 1, 2101]
    holders = slot_holder(one.merchant_id), slot_holder(two.merchant_id)
    assert slots(world, trader.trader_id) == dict.fromkeys(holders, 2)


@pytest.mark.parametrize(("share", "most"), [(1, 1), (34, 3), (100, 10)])
def test_a_share_is_at_least_one_slot(world: World, share: int, most: int) -> None:
    _, client = world.add_merchant(slot_share=share)
    world.add_trader(max_open=10)
    codes = [client.create(buy()).code for _ in range(most + 1)]
    assert codes == [1] * most + [2101]


def test_an_ended_order_gives_its_slot_back_and_the_next_claim_removes_the_count(
    world: World,
) -> None:
    one, client = world.add_merchant()
    two, other = world.add_merchant()
    trader = world.add_trader(max_open=2)
    reply = client.create(buy())
    assert client.create(buy()).code == 2101
    assert [client.cancel(reply).code for _ in range(2)] == [1, 1]
    assert slots(world, trader.trader_id) == {slot_holder(one.merchant_id): 0}
    assert other.create(buy()).code == 1
    assert slots(world, trader.trader_id) == {slot_holder(two.merchant_id): 1}
    assert client.create(buy()).code == 1


def test_dust_of_one_merchant_no_longer_fills_every_slot(world: World) -> None:
    """100 sells of ¥0.02 and 35 buys of ¥0.10 leave others half of the slots."""
    traders = [world.add_trader(max_open=20, min_cny_fen=1) for _ in range(3)]
    hostile, client = world.add_merchant(max_open_sells=100)
    _, victim = world.add_merchant()
    world.fund(hostile, FUNDS)
    assert [client.create(sell(cny_amount="0.02")).code for _ in range(101)] == [1] * 100 + [2105]
    world.assign_sells()
    for _ in range(35):
        client.create(buy(cny_amount="0.10"))
    for trader in traders:
        assert world.trader(trader.trader_id).counts.open_orders == 10
    assert [victim.create(buy()).code for _ in range(30)] == [1] * 30
