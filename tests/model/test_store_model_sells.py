"""Sells of one merchant over its balance's shards: exactly as many as the sum covers."""

from collections import Counter
from functools import partial
from random import Random
from typing import Any, cast

import pytest

from bench.model import market
from bench.model.contention import contention
from bench.model.sells import Sells
from bench.model.store import TABLES
from bench.model.timeline import US_PER_MS
from orderdesk.adapters.dynamodb.balance_shards import BalanceShards, shard_hold_writes
from orderdesk.adapters.dynamodb.balance_writes import Shift
from orderdesk.adapters.dynamodb.transactions import transact
from orderdesk.domain.errors import Contended
from orderdesk.domain.ledger.accounts import Account, AccountKind, Gather, shard_key
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order_errors import HoldLost
from orderdesk.domain.pricing import OrderType, quote
from tests.model.reading_client import ReadingClient
from tests.support.chance import SeededChance
from tests.support.seed import WORKED_FEES

SHARDS = 8
SELL_MICRO = quote(OrderType.SELL, market.PLAIN_CNY_FEN, 7_2360, WORKED_FEES).merchant_actual_micro
ACCOUNT = Account(AccountKind.MERCHANT, "m000000000001", Mode.LIVE)


def stored(run: Sells) -> list[tuple[int, int]]:
    """Return each shard's available and held amounts."""
    table = run.store.tables[TABLES.ledger]
    rows = [table.item(f"{shard_key(ACCOUNT, n)}\0balance") or {} for n in range(SHARDS)]
    zero = {"N": "0"}
    return [
        (int(row.get("available_micro", zero)["N"]), int(row.get("held_micro", zero)["N"]))
        for row in rows
    ]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rest", [0, SELL_MICRO - 1])
def test_of_many_sells_at_once_as_many_as_the_sum_covers(
    monkeypatch: pytest.MonkeyPatch, seed: int, rest: int
) -> None:
    monkeypatch.setattr("bench.model.fleet.StoreClient", ReadingClient)
    covered = 25
    run = Sells(1, seed, balance_shards=SHARDS, sum_micro=covered * SELL_MICRO + rest)
    answers: Counter[str] = Counter()

    def sold(number: int) -> None:
        while True:
            answer = run.fleet.serve(market.sell(number))
            answers[answer.refusal] += 1
            if answer.refusal != "try_again":
                return

    for number in range(60):
        run.timeline.spawn(partial(sold, number), run.timeline.now_us + number * US_PER_MS)
    run.timeline.run()
    del answers["try_again"]
    assert answers == {"": covered, "insufficient_balance": 60 - covered}
    shards = stored(run)
    assert sum(available for available, _ in shards) == rest
    assert sum(held for _, held in shards) == covered * SELL_MICRO
    assert all(available >= 0 for available, _ in shards)


@pytest.mark.parametrize("seed", range(4))
def test_money_that_moves_between_shards_is_never_too_little(seed: int) -> None:
    """All money moves repeatedly; each transactional read sees all of it, or a conflict."""
    run = Sells(1, seed, balance_shards=SHARDS, sum_micro=SELL_MICRO)
    random = Random(seed)
    client = cast("Any", ReadingClient(run.store, random))
    chance = SeededChance(random)
    found: Counter[str] = Counter()

    def move() -> None:
        for target in range(1, 200):
            moved = Gather(target % SHARDS, {(target - 1) % SHARDS: SELL_MICRO})
            writes = shard_hold_writes(
                *(TABLES.ledger, ACCOUNT, moved, Shift(0, 0, 0)),
                lambda _: HoldLost(is_whole=False),
            )
            transact(client, writes, chance.token())

    def look() -> None:
        reader = BalanceShards(client, TABLES.ledger)
        for _ in range(200):
            try:
                items = reader._all(ACCOUNT, SHARDS, reader._read_together)
            except Contended:
                found["conflict"] += 1
            else:
                found[str(sum(cast("int", i.get("available_micro", 0)) for i in items))] += 1

    run.timeline.spawn(move)
    run.timeline.spawn(look)
    run.timeline.run()
    assert found.keys() == {"conflict", str(SELL_MICRO)}


def test_a_busy_merchants_sells_are_served_with_shards_only() -> None:
    split = contention(300, seconds=4, orders=Sells, balance_shards=SHARDS)
    assert split.refused == 0
    assert split.requests_mean < 3
    one = contention(100, seconds=4, orders=Sells)
    assert one.refusals.get("try_again", 0) > 0
