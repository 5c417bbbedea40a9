"""Concurrent sells of a split balance on the deployed stack: as many as the sum covers."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from tests.e2e.busy import create
from tests.support.merchant_client import sell
from tests.support.stack_seed import StackSeed

SELL_MICRO = 140_424_345  # the contract's worked sell
TOGETHER, COVERED = 16, 12


def test_of_thirty_sells_at_once_as_many_as_the_sum_covers(stack_seed: StackSeed) -> None:
    merchant, client = stack_seed.add_merchant(balance_shards=8)
    rest = SELL_MICRO - 1
    stack_seed.fund(merchant, COVERED * SELL_MICRO + rest)
    with ThreadPoolExecutor(TOGETHER) as pool:
        sells = [sell(merchant_order_no=f"N-{number}") for number in range(30)]
        replies = list(pool.map(lambda params: create(client, params), sells))
    assert Counter(reply.code for reply in replies) == {1: COVERED, 2102: 30 - COVERED}
    assert stack_seed.balance(merchant) == (rest, COVERED * SELL_MICRO)
    account = Account(AccountKind.MERCHANT, merchant.merchant_id, Mode.LIVE)
    shards = stack_seed.shards(account)
    assert all(available >= 0 and held % SELL_MICRO == 0 for available, held in shards)
    assert len([held for _, held in shards if held]) > 1
    for reply in [each for each in replies if each.code == 1]:
        assert client.cancel(reply).code == 1
    assert stack_seed.balance(merchant) == (COVERED * SELL_MICRO + rest, 0)
    shown = client.post("/merchant/balance", {}).data["live"]["available"]
    assert shown == format_usdt(COVERED * SELL_MICRO + rest)
