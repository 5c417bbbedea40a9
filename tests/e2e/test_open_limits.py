"""A merchant's limits on the deployed stack: buys that meet, and the attack that they stop."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tests.support.merchant_client import MerchantClient, Reply, buy
from tests.support.offices import Terminal
from tests.support.payer import Payer
from tests.support.seed import Seed
from tests.support.stack_seed import StackSeed

TOGETHER = 16
USDT = 10**6


def create_all(client: MerchantClient, count: int, **parameters: str) -> list[Reply]:
    """Create buys concurrently, each again while the store is busy."""

    def create(number: int) -> Reply:
        while True:
            reply = client.create(buy(merchant_order_no=f"N-{number}", **parameters))
            if reply.code != 5001:
                return reply

    with ThreadPoolExecutor(TOGETHER) as pool:
        return list(pool.map(create, range(count)))


def held_part(seed: Seed, traders: list[str]) -> float:
    """Give the part of the traders' USDT that open orders hold."""
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
    again = create_all(client, 20, callback_url="https://m.example.com/again")
    assert Counter(reply.code for reply in again)[2001] == 20
    assert client.create(buy()).code == 1


def test_one_merchant_no_longer_holds_all_liquidity(
    stack_seed: StackSeed, terminal: Terminal
) -> None:
    """Twenty buys of ¥700,000, all reported as paid without a receipt."""
    stack_seed.clear_rotation()
    each = 2_000_700 * USDT // 10
    traders = [stack_seed.add_trader(available_micro=each).trader_id for _ in range(10)]
    owner, client = stack_seed.add_merchant()
    replies = create_all(client, 20, cny_amount="700000.00")
    paid = [reply for reply in replies if reply.code == 1]
    assert Counter(reply.code for reply in replies) == {1: 1, 2104: 19}
    for reply in paid:
        payer = Payer.of_link(stack_seed, reply.data["pay_url"])
        assert payer.post("/paid")["statusCode"] == 303
    held = held_part(stack_seed, traders)
    print(f"liquidity held by one merchant: {held:.1%}")
    assert held < 0.05
    checked = terminal.json("ledger", "check") if False else None
    assert checked is None
    assert owner.max_open_cny_fen == 1_000_000_00
