"""The curves of a soak, and whether they rise after the warm-up."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from local.progress import LocalError
from tests.soak.traffic import Traffic
from tests.soak.watch import Sample

CREATE_ORDER = "create-order"
# Parts of the run: before EARLY everything warms up.
EARLY, LATE = (0.2, 0.4), (0.8, 1.0)
BUCKETS = 30
# How far the late part may be above the early one: a share, and the scatter of the measurement.
MEMORY, CONNECTIONS, CPU = (0.05, 2.0), (0.0, 2.0), (0.2, 1.0)

type Points = Sequence[tuple[float, float]]
"""(seconds since the beginning, value)."""


@dataclass(frozen=True, slots=True)
class Growth:
    """A figure early and late in the run; without a tolerance it is shown but not judged."""

    what: str
    early: float
    late: float
    tolerance: tuple[float, float] | None = None

    @property
    def has_grown(self) -> bool:
        """Return whether the late figure exceeds the early one by more than the tolerance."""
        if self.tolerance is None:
            return False
        share, absolute = self.tolerance
        return self.late > self.early * (1 + share) + absolute


def growth_of(samples: Sequence[Sample], traffic: Traffic) -> list[Growth]:
    """Compare each function's memory and connections, and createOrder's CPU time and latency.

    Raises: LocalError if the run was too short to have early and late figures of each.
    """
    rows = []
    for function, warm in warm_containers(samples).items():
        rows += [
            _growth(f"{function}: memory, MB", memory_of(warm), MEMORY),
            _growth(f"{function}: connections", connections_of(warm), CONNECTIONS),
        ]
    return [
        *rows,
        _growth("createOrder: CPU a call, ms", cpu_a_call(samples, traffic), CPU),
        _growth("createOrder: latency, ms (shown only)", traffic.calls, None),
    ]


def warm_containers(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    """Return the samples of each function's most sampled container."""
    kept = defaultdict[tuple[str, int], list[Sample]](list)
    for each in samples:
        kept[each.function, each.pid].append(each)
    longest: dict[str, list[Sample]] = {}
    for (function, _), seen in kept.items():
        longest[function] = max(longest.get(function, []), seen, key=len)
    return dict(sorted(longest.items()))


def memory_of(container: Sequence[Sample]) -> Points:
    return [(each.at, each.memory_mb) for each in container]


def connections_of(container: Sequence[Sample]) -> Points:
    return [(each.at, each.connections) for each in container]


def cpu_a_call(samples: Iterable[Sample], traffic: Traffic) -> Points:
    """Return createOrder's CPU time per call over time, in ms, for BUCKETS parts of the run.

    It counts the CPU time between two samples of a container, so it excludes cold starts, and
    other work on the machine affects it little.
    """
    kept = [each for each in samples if each.function == CREATE_ORDER]
    by_container = defaultdict[int, list[Sample]](list)
    for each in kept:
        by_container[each.pid].append(each)
    end = max(each.at for each in kept)
    used, calls = Counter[int](), Counter[int]()
    for container in by_container.values():
        for before, after in pairwise(container):
            used[_bucket(after.at, end)] += round(1e6 * (after.cpu_seconds - before.cpu_seconds))
    for at, _ in traffic.calls:
        calls[_bucket(at, end)] += 1
    return [
        ((bucket + 0.5) * end / BUCKETS, used[bucket] / 1000 / calls[bucket])
        for bucket in sorted(calls)
    ]


def in_buckets(points: Points, of: Callable[[Sequence[float]], float] = median) -> Points:
    """Return one value for each of BUCKETS parts of the run."""
    end = max(at for at, _ in points)
    buckets = defaultdict[int, list[float]](list)
    for at, value in points:
        buckets[_bucket(at, end)].append(value)
    return [((n + 0.5) * end / BUCKETS, of(values)) for n, values in sorted(buckets.items())]


def _bucket(at: float, end: float) -> int:
    return min(int(at / end * BUCKETS), BUCKETS - 1)


def _growth(what: str, points: Points, tolerance: tuple[float, float] | None) -> Growth:
    begin, end = min(at for at, _ in points), max(at for at, _ in points)

    def middle(part: tuple[float, float]) -> float:
        low, high = (begin + share * (end - begin) for share in part)
        values = [value for at, value in points if low <= at <= high]
        if not values:
            raise LocalError(f"the run is too short to compare: {what}; take more MINUTES")
        return median(values)

    return Growth(what, middle(EARLY), middle(LATE), tolerance)
