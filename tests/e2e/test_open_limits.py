"""A merchant's limits on the deployed stack: concurrent buys, and the attack that they stop."""

from collections import Counter
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor

import pytest

from orderdesk.domain.merchants.merchant import DEFAULT_MAX_OPEN_BUYS, DEFAULT_MAX_OPEN_CNY_FEN
from tests.e2e.busy import create
from tests.support.merchant_client import MerchantClient, Reply, buy
from tests.support.payer import Payer
from tests.support.seed import Seed
from tests.support.stack_seed import StackSeed

TOGETHER = 16
USDT = 10**6


def create_all(
    client: MerchantClient,
    count: int,
    name: str = "N",
    *,
    again: Collection[int] = (5001,),
    **parameters: str,
) -> list[Reply]:
    """Create buys concurrently; retry each while its code is in `again`."""
    buys = [buy(merchant_order_no=f"{name}-{number}", **parameters) for number in range(count)]
    with ThreadPoolExecutor(TOGETHER) as pool:
        return list(pool.map(lambda params: create(client, params, again), buys))


def held_part(seed: Seed, traders: list[str]) -> float:
    """Return the share of the traders' USDT that open orders hold."""
    now = [seed.trader(trader_id) for trader_id in traders]
    held = sum(trader.held_micro for trader in now)
    return held / (held + sum(trader.available_micro for trader in now))


def test_fifty_buys_at_once_against_a_limit_of_twenty_are_twenty(stack_seed: StackSeed) -> None:
    stack_seed.clear_rotation()
    traders = [stack_seed.add_trader() for _ in range(8)]
    _, client = stack_seed.add_merchant(max_open_buys=20)
    replies = create_all(client, 50)
    codes = Counter(reply.code for reply in replies)
    assert codes == {1: 20, 2104: 30}, codes
    assert {r.data["limit"] for r in replies if r.code == 2104} == {"max_open_buys"}
    created = [reply for reply in replies if reply.code == 1]
    assert sum(stack_seed.trader(t.trader_id).open_orders for t in traders) == 20
    with ThreadPoolExecutor(TOGETHER) as pool:
        ended = list(pool.map(client.cancel, created))
    assert {reply.code for reply in ended} <= {1, 5001}
    for reply in created:
        assert client.cancel(reply).code == 1
    again = create_all(client, 21, "again")
    assert Counter(reply.code for reply in again) == {1: 20, 2104: 1}


USUAL = {"max_open_buys": DEFAULT_MAX_OPEN_BUYS, "max_open_cny_fen": DEFAULT_MAX_OPEN_CNY_FEN}
WIDE = {"max_open_buys": 10_000, "max_open_cny_fen": 10**12}


@pytest.mark.parametrize(
    ("limits", "created", "held_least", "held_most"),
    [(USUAL, 1, 0.04, 0.05), (WIDE, 20, 0.96, 0.97)],
    ids=["usual limits", "as before limits"],
)
def test_one_merchant_no_longer_holds_all_liquidity(
    stack_seed: StackSeed,
    limits: dict[str, int],
    created: int,
    held_least: float,
    held_most: float,
) -> None:
    """Twenty buys of ¥700,000, all reported as paid without a receipt."""
    stack_seed.clear_rotation()
    each = 200_070 * USDT
    traders = [stack_seed.add_trader(available_micro=each).trader_id for _ in range(10)]
    _, client = stack_seed.add_merchant(**limits)
    # Concurrent buys may get 2101 although a trader has enough for one more.
    replies = create_all(client, 20, again=(5001, 2101), cny_amount="700000.00")
    paid = [reply for reply in replies if reply.code == 1]
    assert Counter(reply.code for reply in replies) == Counter({1: created, 2104: 20 - created})
    for reply in paid:
        payer = Payer.of_link(stack_seed, reply.data["pay_url"])
        assert payer.post("/paid")["statusCode"] == 303
    held = held_part(stack_seed, traders)
    print(f"liquidity held by one merchant: {held:.1%}")
    assert held_least < held < held_most
