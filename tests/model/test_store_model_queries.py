"""The store model's queries and limits for a client."""

import pytest

from bench.model import market
from bench.model.store import TABLES
from bench.model.throughput import Bucket, Partition
from bench.model.timeline import US_PER_SECOND
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.sending import persistently
from orderdesk.domain.errors import Throttled
from tests.model.store_world import ANSWERED_US, Sent, StoreWorld, claim, put, rotation_query


@pytest.fixture
def world() -> StoreWorld:
    return StoreWorld()


def test_a_query_is_paged_and_filters_only_what_the_limit_let_it_read(world: StoreWorld) -> None:
    for number in range(2, 11):
        world.put(market.trader(number))
    values = to_item({":key": "live#0", ":from": 4})
    query = rotation_query(
        FilterExpression="last_accepted_at >= :from", ExpressionAttributeValues=values, Limit=4
    )
    first = world.client.query(**query)
    assert [item["trader_id"]["S"][-2:] for item in first["Items"]] == ["03", "04"]
    assert (first["Count"], first["ScannedCount"]) == (2, 4)
    rest = world.client.query(
        **query | {"Limit": 64, "ExclusiveStartKey": first["LastEvaluatedKey"]}
    )
    assert [item["trader_id"]["S"][-2:] for item in rest["Items"]] == [
        f"{number:02d}" for number in range(5, 11)
    ]
    assert "LastEvaluatedKey" not in rest


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
