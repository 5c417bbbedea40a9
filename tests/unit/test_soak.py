"""The soak test detects growth, and ignores scatter and warm-up."""

import pytest

from local.progress import LocalError
from tests.soak.curves import cpu_a_call, growth_of, in_buckets, warm_containers
from tests.soak.traffic import LIVES, Traffic
from tests.soak.watch import Sample

SECONDS = range(0, 1800, 5)
CALLS_MS = 10


def sample(at: float, memory_mb: float, connections: int = 3, cpu_ms: float = CALLS_MS) -> Sample:
    """Return a sample of a container that serves one call between two samples."""
    return Sample(at, "create-order", 1, memory_mb, connections, cpu_seconds=at / 5 * cpu_ms / 1000)


def traffic() -> Traffic:
    """Return one call between two samples. Its latency grows, which is not judged."""
    return Traffic(calls=[(at, 20 + at) for at in SECONDS])


def grown(seen: list[Sample]) -> list[str]:
    return [row.what for row in growth_of(seen, traffic()) if row.has_grown]


def test_a_constant_curve_has_not_grown() -> None:
    assert grown([sample(at, 90 + at % 4) for at in SECONDS]) == []


def test_warming_up_is_no_growth() -> None:
    assert grown([sample(at, 60 + min(at, 300) / 10) for at in SECONDS]) == []


def test_rising_memory_has_grown() -> None:
    assert grown([sample(at, 90 + at / 60) for at in SECONDS]) == ["create-order: memory, MB"]


def test_connections_that_stay_open_have_grown() -> None:
    seen = [sample(at, 90, connections=3 + at // 300) for at in SECONDS]
    assert grown(seen) == ["create-order: connections"]


def test_rising_cpu_a_call_has_grown() -> None:
    seen = [sample(at, 90, cpu_ms=CALLS_MS * (1 + at / 3600)) for at in SECONDS]
    assert grown(seen) == ["createOrder: CPU a call, ms"]


def test_cpu_time_is_shared_by_the_calls_and_has_no_cold_start() -> None:
    second = [
        Sample(at, "create-order", 2, 90, 3, cpu_seconds=5 + at / 1000)
        for at in range(900, 1800, 5)
    ]
    values = [ms for _, ms in cpu_a_call([*map(warm, SECONDS), *second], traffic())]
    assert max(values[:14]) <= CALLS_MS
    assert max(values) <= CALLS_MS + 5.5


def warm(at: float) -> Sample:
    return sample(at, 90)


def test_a_run_that_is_too_short_raises() -> None:
    with pytest.raises(LocalError, match="too short to compare: create-order: memory"):
        growth_of([warm(0), warm(60)], traffic())


def test_the_oldest_container_counts_as_warm() -> None:
    short = [Sample(at, "create-order", 2, 500, 50, 0) for at in range(3)]
    kept = warm_containers([*short, *map(warm, SECONDS)])
    assert {each.pid for each in kept["create-order"]} == {1}


def test_a_curve_has_few_points() -> None:
    points = in_buckets([(at, 7.0) for at in SECONDS])
    assert len(points) == 30
    assert {value for _, value in points} == {7.0}


def test_the_shares_of_the_kinds_of_orders_add_up() -> None:
    assert sum(LIVES.values()) == 100
