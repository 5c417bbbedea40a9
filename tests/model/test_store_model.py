"""The store model for a client: locks, conditions, reasons by position, limits, a lagging index."""

from collections.abc import Callable
from typing import Any

import pytest

from bench.model import market
from bench.model.capacity import Bucket, Partition
from bench.model.expressions import Write
from bench.model.store import TABLES
from bench.model.timeline import US_PER_SECOND
from orderdesk.adapters.dynamodb.transactions import Write as Action
from orderdesk.adapters.dynamodb.transactions import transact
from orderdesk.adapters.sending import persistently
from orderdesk.domain.errors import Contended, Throttled
from orderdesk.domain.traders.trader_errors import ClaimLost
from tests.model.store_world import (
    ANSWERED_US,
    COMMITTED_US,
    INDEX_LAG_US,
    PREPARED_US,
    Sent,
    StoreWorld,
    claim,
    put,
    rotation_query,
)


@pytest.fixture
def world() -> StoreWorld:
    return StoreWorld()


def test_a_transaction_takes_its_time_and_writes_everything(world: StoreWorld) -> None:
    send = Sent(world, put("a"), claim(world.trader, 99))
    world.at(0, send)
    world.timeline.run()
    assert (send.codes, send.answered_us) == ([], ANSWERED_US)
    assert world.stored(TABLES.orders, "a") == {"pk": "a"}
    assert world.stored(TABLES.traders, world.trader.trader_id)["open_orders"] == 1


def test_a_prepared_item_is_a_conflict_for_another_transaction_at_its_position(
    world: StoreWorld,
) -> None:
    first = Sent(world, put("a"), claim(world.trader, 99))
    second = Sent(world, put("b"), put("c"), claim(world.trader, 98))
    world.at(0, first)
    world.at(10, second)
    world.timeline.run()
    assert first.codes == []
    assert second.codes == ["None", "None", "TransactionConflict"]
    assert second.error["Code"] == "TransactionCanceledException"
    assert second.error["Message"].endswith("[None, None, TransactionConflict]")
    assert world.stored(TABLES.orders, "b") is None
    assert world.stored(TABLES.traders, world.trader.trader_id)["last_accepted_at"] == 99


def test_a_cancelled_transaction_gives_its_locks_back(world: StoreWorld) -> None:
    lost = Sent(world, put("a"), claim(world.trader, 98, read=12345))
    next_one = Sent(world, put("a"), claim(world.trader, 99))
    world.at(0, lost)
    world.at(COMMITTED_US, next_one)
    world.timeline.run()
    assert lost.codes == ["None", "ConditionalCheckFailed"]
    assert next_one.codes == []


def test_queries_are_not_held_up_by_a_lock_and_see_what_is_committed(world: StoreWorld) -> None:
    seen: list[tuple[int, int]] = []

    def read() -> None:
        answer = world.client.query(**rotation_query())
        seen.append((world.now(), int(answer["Items"][0]["last_accepted_at"]["N"])))

    world.at(0, Sent(world, claim(world.trader, 99)))
    world.at(PREPARED_US, read)
    world.at(COMMITTED_US + INDEX_LAG_US, read)
    world.timeline.run()
    assert seen == [(350, world.trader.counts.last_accepted_us), (1_550, 99)]


def test_a_transaction_stamped_before_the_last_write_comes_too_late(world: StoreWorld) -> None:
    old = world.store.tables[TABLES.traders]
    write = Write(claim(world.trader, 99))
    old.apply(write, (50, 1), 60)
    late = Write(claim(world.trader, 100, read=99))
    reason = old.refusal(late, (49, 2), 70)
    assert reason is not None
    assert reason["Code"] == "TransactionConflict"
    assert old.refusal(late, (51, 3), 70) is None


def test_the_projects_own_code_reads_the_errors(world: StoreWorld) -> None:
    met: list[type[Exception]] = []

    def send(*statements: dict[str, Any]) -> Callable[[], None]:
        def run() -> None:
            made = [Action(one, lambda _: ClaimLost(None)) for one in statements]
            try:
                transact(world.client, made, "token")  # type: ignore[arg-type]
            except Exception as error:  # noqa: BLE001 -- its type is the point
                met.append(type(error))

        return run

    world.at(0, send(put("a"), claim(world.trader, 99)))
    world.at(10, send(put("b"), claim(world.trader, 98)))
    world.at(2_000, send(put("c"), claim(world.trader, 97)))
    world.timeline.run()
    assert met == [Contended, ClaimLost]


def test_a_query_sees_a_claim_only_after_the_lag(world: StoreWorld) -> None:
    seen: dict[int, str] = {}

    def look() -> None:
        at = world.now()
        seen[at] = world.client.query(**rotation_query())["Items"][0]["last_accepted_at"]["N"]

    world.at(0, Sent(world, claim(world.trader, 99)))
    for after_us in (ANSWERED_US, 1_249, 1_250):
        world.at(after_us, look)
    world.timeline.run()
    before = str(world.trader.counts.last_accepted_us)
    assert seen == {ANSWERED_US: before, 1_249: before, 1_250: "99"}


def index_partition(world: StoreWorld) -> Partition:
    index = world.store.tables[TABLES.traders].indexes["rotation"]
    return index.partition("live#0", world.start_us)


def drain(bucket: Bucket, world: StoreWorld, units: int) -> None:
    """Use up the capacity left from before the run, so that only the rate remains."""
    assert bucket.admits(world.start_us)
    bucket.take(units)


def claims_in_a_second(world: StoreWorld, claims: int, drained_units: int) -> list[list[str]]:
    """Claim so many traders, evenly over a second; return each claim's codes."""
    traders = [market.trader(number) for number in range(claims)]
    for one in traders:
        world.put(one)
    drain(index_partition(world).writes, world, drained_units)
    sends = [Sent(world, claim(one, 10**9)) for one in traders]
    for number, send in enumerate(sends):
        world.at(number * US_PER_SECOND // claims, send)
    world.timeline.run()
    return [send.codes for send in sends]


def test_the_index_partition_takes_five_hundred_moves_a_second(world: StoreWorld) -> None:
    told = claims_in_a_second(world, 800, drained_units=1_000)
    assert 480 <= told.count([]) <= 520
    assert told.count(["ThrottlingError"]) == 800 - told.count([])


def test_below_the_limit_nothing_is_throttled(world: StoreWorld) -> None:
    assert claims_in_a_second(world, 450, drained_units=900) == [[]] * 450


def test_a_throttled_item_cancels_the_transaction_at_its_position(world: StoreWorld) -> None:
    key = world.trader.trader_id
    own = world.store.tables[TABLES.traders].partition(key, world.start_us)
    drain(own.writes, world, 1_001)
    send = Sent(world, put("a"), claim(world.trader, 99))
    world.at(0, send)
    world.timeline.run()
    assert send.codes == ["None", "ThrottlingError"]
    assert world.stored(TABLES.orders, "a") is None


def test_reads_beyond_the_limit_are_throttled_and_the_project_knows_the_code(
    world: StoreWorld,
) -> None:
    drain(index_partition(world).reads, world, 4_000)
    with pytest.raises(Throttled):
        persistently(lambda: world.client.query(**rotation_query()))
    assert world.client.reasons == {"ProvisionedThroughputExceededException": 1}
