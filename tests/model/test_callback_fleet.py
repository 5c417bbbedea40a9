"""600 callbacks a second, dead endpoints, and killed processes, on a model of SQS."""

from itertools import pairwise

from orderdesk.domain.callbacks.delivery import DeliveryState
from orderdesk.domain.callbacks.schedule import GAPS_SECONDS
from tests.model.callback_fleet import Fleet, merchants

HOUR = 3600
IN_FLIGHT_MOST = 10_000
P99_MOST_MS = 5_000


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


def test_one_merchant_takes_600_a_second() -> None:
    shops = merchants(1, max_callback_rps=600)
    fleet = Fleet(shops, lambda *_: False)
    fleet.run(30)
    began, made = len(fleet.arrived), len(fleet.made_ms)
    fleet.run(60)
    rate = (len(fleet.arrived) - began) / 60
    late = [fleet.arrived[each] - at for each, at in list(fleet.made_ms.items())[made:-600]]
    lanes = fleet.leases["m0"].width.lanes
    print(f"{rate:.0f} a second, {lanes} lanes, p99 {percentile_ms(sorted(late), 99)} ms")
    assert rate > 570
    assert percentile_ms(sorted(late), 99) < P99_MOST_MS


def test_dead_for_a_day_nothing_is_lost() -> None:
    shops = merchants(20)
    dead = {"m0", "m1"}
    fleet = Fleet(
        shops,
        lambda name, ms: (name in dead and ms < 24 * HOUR * 1000) or name == "m2",
        rps=0.5,
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
    assert fleet.deaths > 200
    assert fleet.made_ms.keys() <= fleet.arrived.keys()
    assert {each.state for each in fleet.deliveries.kept.values()} == {DeliveryState.DELIVERED}
