"""600 callbacks a second, dead endpoints, and killed processes, on a model of SQS."""

from collections import Counter
from itertools import pairwise

from orderdesk.domain.callbacks.delivery import DeliveryState
from orderdesk.domain.callbacks.endpoints import Endpoint
from orderdesk.domain.callbacks.schedule import GAPS_SECONDS
from tests.model.callback_fleet import SWEPT_MOST, Fleet, merchants, place, state

HOUR = 3600
IN_FLIGHT_MOST = 10_000
P99_MOST_MS = 5_000
BACKLOG = 10_000


def percentile_ms(ages: list[int], percent: int) -> int:
    return ages[len(ages) * percent // 100]


def test_600_a_second_with_a_tenth_of_the_merchants_dead() -> None:
    shops = merchants(50)
    dead = {f"m{number}" for number in range(5)}
    fleet = Fleet(shops, lambda name, _: name in dead)
    fleet.run(200)
    ages = fleet.ages_ms(set(shops) - dead)
    p99 = percentile_ms(ages, 99)
    print(f"in flight {fleet.queue.most}, p99 {p99} ms of {len(ages)}, {dict(fleet.outcomes)}")
    assert fleet.paused() == dead
    assert fleet.queue.most < IN_FLIGHT_MOST
    assert p99 < P99_MOST_MS


def test_one_merchants_lanes_grow_far_beyond_five() -> None:
    """It does not reach 600 a second: batches are not full while containers are free."""
    fleet = Fleet(merchants(1, max_callback_rps=600), lambda *_: False)
    fleet.run(30)
    began = len(fleet.arrived)
    fleet.run(10)
    rate, lanes = (len(fleet.arrived) - began) / 10, fleet.leases["m0"].width.lanes
    print(f"{rate:.0f} a second, {lanes} lanes")
    assert rate > 350
    assert lanes >= 20


def test_dead_for_a_day_nothing_is_lost() -> None:
    shops = merchants(20)
    dead = {"m0", "m1"}
    fleet = Fleet(
        shops, lambda name, ms: (name in dead and ms < 24 * HOUR * 1000) or name == "m2", rps=0.5
    )
    fleet.names.remove("m2")
    few = [fleet.add("m2") for _ in range(3)]
    fleet.run(24 * HOUR)
    waited = sum(each.waits is not None for each in fleet.deliveries.kept.values())
    fleet.run(4 * HOUR, events=False)
    ages = fleet.ages_ms(set(shops) - dead)
    print(f"waited {waited}, in flight {fleet.queue.most}, p99 {percentile_ms(ages, 99)} ms")
    assert waited > 3_000
    assert fleet.queue.most < IN_FLIGHT_MOST
    assert percentile_ms(ages, 99) < P99_MOST_MS
    states = {each.state for name, each in fleet.deliveries.kept.items() if name not in few}
    assert states == {DeliveryState.DELIVERED}
    assert fleet.paused() == set()
    for webhook_id in few:
        begun = [attempt.at_ms for attempt in fleet.deliveries.kept[webhook_id].attempts]
        gaps = [(after - before) / 1000 - 3 for before, after in pairwise(begun)]
        assert all(
            wanted - 1 <= gap <= wanted * 1.1 + 2
            for gap, wanted in zip(gaps, GAPS_SECONDS, strict=True)
        )


def test_killed_at_every_step_each_arrives_at_least_once() -> None:
    shops = merchants(10)
    dead = {"m0"}
    fleet = Fleet(shops, lambda name, ms: name in dead and ms < HOUR * 1000, rps=2.0, killed=0.01)
    fleet.run(2 * HOUR)
    fleet.killed = 0.0
    fleet.run(3 * HOUR, events=False)
    print(f"{fleet.deaths} killed, {len(fleet.made_ms)} callbacks, in flight {fleet.queue.most}")
    assert fleet.deaths > 1_000
    assert fleet.made_ms.keys() <= fleet.arrived.keys()
    assert {each.state for each in fleet.deliveries.kept.values()} == {DeliveryState.DELIVERED}


def test_a_large_backlog_drains_and_another_ends() -> None:
    """Two endpoints have waited: one answers again, the other one is given up after 72 h."""
    shops = merchants(20)
    fleet = Fleet(shops, lambda name, _: name == "m1", rps=10.0)
    fleet.names = [name for name in shops if name not in {"m0", "m1"}]
    for name, hours in (("m0", 24), ("m1", 72)):
        since_ms = fleet.now_ms - hours * HOUR * 1000
        paused = Endpoint(place(name), version=1, since_ms=since_ms, probe_ms=since_ms)
        fleet.add_waiting(paused, BACKLOG)
    minutes = 3 * BACKLOG // SWEPT_MOST + 10
    fleet.run(minutes * 60)
    ages = fleet.ages_ms(set(fleet.names))
    print(f"in flight {fleet.queue.most}, p99 {percentile_ms(ages, 99)} ms of {len(ages)}")
    of = {name: Counter[DeliveryState]() for name in ("m0", "m1")}
    for each in fleet.deliveries.kept.values():
        if (name := each.event.merchant_id) in of:
            of[name][each.state] += 1
    assert of["m0"] == {DeliveryState.DELIVERED: BACKLOG}
    assert of["m1"] == {DeliveryState.DEAD: BACKLOG}
    assert len(fleet.dead_letters) == BACKLOG
    assert state(fleet, "m0") is None
    assert fleet.queue.most < IN_FLIGHT_MOST
    assert percentile_ms(ages, 99) < P99_MOST_MS
