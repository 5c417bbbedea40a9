"""The number of containers that send to one merchant at the same time."""

import pytest

from orderdesk.adapters.callback_http.wire import DEFAULT_LIMITS
from orderdesk.adapters.dynamodb.callback_lanes import LANE_SECONDS, LaneStore, SharedLanes
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.callbacks.delivery import Attempt
from orderdesk.domain.callbacks.lanes import lanes_for
from orderdesk.domain.callbacks.schedule import crowded_seconds
from orderdesk.domain.errors import TryAgain
from tests.support.world import World

LANES = 3
ATTEMPT_SECONDS = int(DEFAULT_LIMITS.whole_seconds)
WAIT_SECONDS_MAX = 16


class Clock:
    now_ms = 1_790_000_000_000


class Lanes(SharedLanes):
    """Lanes of merchants whose rate is far away."""

    def enter(self, merchant_id: str, max_rps: int = 1_000) -> bool:
        return super().enter(merchant_id, max_rps)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def container(world: World, clock: Clock) -> Lanes:
    store = LaneStore(world.client, "Callbacks", LANES, SystemChance())
    return Lanes(store, lambda: clock.now_ms)


def test_so_many_containers_and_no_more(world: World, clock: Clock) -> None:
    containers = [container(world, clock) for _ in range(LANES + 2)]
    assert [each.enter("m1") for each in containers] == [True] * LANES + [False] * 2
    assert containers[-1].enter("m2")
    containers[1].leave("m1")
    assert containers[-1].enter("m1")
    assert not containers[-2].enter("m1")


def test_the_threads_of_a_container_share_one(world: World, clock: Clock) -> None:
    first, *others = (container(world, clock) for _ in range(LANES + 1))
    assert all(first.enter("m1") for _ in range(10))
    assert [each.enter("m1") for each in others] == [True] * (LANES - 1) + [False]
    for _ in range(9):
        first.leave("m1")
    assert not others[-1].enter("m1")
    first.leave("m1")
    assert others[-1].enter("m1")


def test_the_lane_of_a_container_that_died_runs_out(world: World, clock: Clock) -> None:
    dead = [container(world, clock) for _ in range(LANES)]
    assert all(each.enter("m1") for each in dead)
    clock.now_ms += LANE_SECONDS * 1000
    other = container(world, clock)
    assert not other.enter("m1")
    clock.now_ms += 1
    assert other.enter("m1")
    for each in dead:  # they only slept
        each.leave("m1")
    late = [container(world, clock) for _ in range(LANES)]
    assert [each.enter("m1") for each in late].count(True) == LANES - 1


def test_a_lane_that_cannot_be_given_back_runs_out(
    world: World, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unanswered(*_: object) -> None:
        raise TryAgain

    busy = [container(world, clock) for _ in range(LANES)]
    assert all(each.enter("m1") for each in busy)
    with monkeypatch.context() as patch:
        patch.setattr(LaneStore, "give_back", unanswered)
        busy[0].leave("m1")
    assert not container(world, clock).enter("m1")
    clock.now_ms += LANE_SECONDS * 1000 + 1
    assert busy[0].enter("m1")


def test_a_callback_waits_little_for_lanes_that_nobody_gives_back(
    world: World, clock: Clock
) -> None:
    """Each wait is the longest possible; the callback is new."""
    dead = [container(world, clock) for _ in range(LANES)]
    assert all(each.enter("m1") for each in dead)
    came_ms, visits, other = clock.now_ms, 0, container(world, clock)
    while not other.enter("m1"):
        visits += 1
        clock.now_ms += crowded_seconds(visits, lambda bound: bound - 1) * 1000
    assert clock.now_ms - came_ms <= WAIT_SECONDS_MAX * 1000


def test_a_lane_outlives_the_attempt_of_a_thread_that_came_late(world: World, clock: Clock) -> None:
    """A second attempt begins when the first one ends, in the same lane."""
    busy = [container(world, clock) for _ in range(LANES)]
    assert all(each.enter("m1") for each in busy)
    clock.now_ms += ATTEMPT_SECONDS * 1000
    assert busy[0].enter("m1")
    busy[0].leave("m1")
    clock.now_ms += ATTEMPT_SECONDS * 1000
    others = [container(world, clock) for _ in range(LANES)]
    assert [each.enter("m1") for each in others].count(True) == LANES - 1, "two lanes expired"
    busy[0].leave("m1")
    assert container(world, clock).enter("m1")


def test_a_lane_that_ran_out_and_was_taken_is_not_shared_any_more(
    world: World, clock: Clock
) -> None:
    slow = container(world, clock)
    assert slow.enter("m1")
    clock.now_ms += LANE_SECONDS * 1000 + 1
    others = [container(world, clock) for _ in range(LANES)]
    assert all(each.enter("m1") for each in others)
    assert not slow.enter("m1")
    slow.leave("m1")
    assert not slow.enter("m1"), "it released no lane of another container"
    others[0].leave("m1")
    assert slow.enter("m1")


RPS = 250
QUICK, BUSY, REFUSES = Attempt(200, 200), Attempt(503, 20), Attempt(500, 20)


def used_at_most(world: World, clock: Clock, attempt: Attempt, seconds: int = 6) -> int:
    """Return how many of 10 containers send at a time at last, if each attempt ends like this."""
    containers, most = [container(world, clock) for _ in range(10)], 0
    for _ in range(seconds):
        inside = [each for each in containers if each.enter("m1", RPS)]
        most = len(inside)
        for each in inside:
            each.leave("m1", attempt)
        clock.now_ms += 1000
    return most


def test_lanes_grow_by_one_with_what_a_quick_endpoint_takes(world: World, clock: Clock) -> None:
    assert used_at_most(world, clock, QUICK, 4) == LANES + 3
    assert used_at_most(world, clock, QUICK) == lanes_for(RPS, 200) == 9


def test_congestion_halves_them_and_a_refusal_does_not(world: World, clock: Clock) -> None:
    assert used_at_most(world, clock, QUICK, 4) == LANES + 3
    one = container(world, clock)
    assert one.enter("m1")
    one.leave("m1", REFUSES)
    assert used_at_most(world, clock, QUICK, 1) == LANES + 4
    assert one.enter("m1")
    one.leave("m1", BUSY)
    assert used_at_most(world, clock, BUSY, 2) == LANES


def test_without_a_quick_success_they_do_not_grow(world: World, clock: Clock) -> None:
    for attempt in (REFUSES, Attempt(200, 1_001)):
        assert used_at_most(world, clock, attempt) == LANES


def test_a_merchants_rate_bounds_what_is_sent_in_a_second(world: World, clock: Clock) -> None:
    containers = [container(world, clock) for _ in range(2)]
    sent = 0
    for _ in range(100):
        for each in containers:
            if each.enter("m1", 5):
                sent += 1
                each.leave("m1", QUICK)
        clock.now_ms += 100
    assert 10 * 5 <= sent <= 10 * 5 + 2 * 5 * len(containers)
