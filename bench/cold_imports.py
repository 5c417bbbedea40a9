"""What a cold start pays before the first request: the import of a function's module.

A fresh, bare interpreter for each sample, contestants in turn, so that what else the machine does
meets all alike. CPU time decides: it is what Lambda's share of a core stretches.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bench.artifacts import Artifact, Artifacts, Progress, run_alone
from local.places import REPOSITORY
from local.progress import LocalError

PROBE = REPOSITORY / "bench" / "import_alone.py"
COMPARED_ROUNDS = 21
OTHER_ROUNDS = 7
LARGEST = 3
STANDARD_LIBRARY = "standard library"


@dataclass(frozen=True, slots=True)
class Samples:
    """Repeated measurements in microseconds."""

    values_us: tuple[int, ...]

    @property
    def median_ms(self) -> float:
        """The middle one."""
        return median(self.values_us) / 1000

    @property
    def spread_ms(self) -> tuple[float, float]:
        """The quartiles."""
        low, _, high = quantiles(self.values_us, n=4)
        return low / 1000, high / 1000


@dataclass(frozen=True, slots=True)
class ColdImport:
    """A function's import: CPU and wall time, modules, and the packages that take most of it."""

    contestant: str
    function: str
    cpu: Samples
    wall: Samples
    modules: int
    largest: tuple[tuple[str, float], ...]
    """Package and its milliseconds, with the standard library's modules that it was first to ask
    for; measured under `-X importtime`, which itself takes time."""


def measure(artifacts: Artifacts, progress: Progress) -> list[ColdImport]:
    """Import everything cold: create_order and both baselines first, the other functions then."""
    compared = [artifacts.create_order, artifacts.baseline, artifacts.baseline_compiled]
    others = list(artifacts.ours[1:])
    measured = []
    for group, rounds in ((compared, COMPARED_ROUNDS), (others, OTHER_ROUNDS)):
        progress(f"cold imports: {len(group)} functions, {rounds} rounds")
        measured += _interleaved(group, rounds)
    return measured


def _interleaved(group: Sequence[Artifact], rounds: int) -> list[ColdImport]:
    cpu: dict[int, list[int]] = defaultdict(list)
    wall: dict[int, list[int]] = defaultdict(list)
    modules: dict[int, int] = {}
    for turn in range(-1, rounds):  # the first turn warms the page cache and does not count
        for number, artifact in enumerate(group):
            answer = import_alone(artifact)
            modules[number] = len(answer["modules"])
            if turn >= 0:
                cpu[number].append(answer["cpu_us"])
                wall[number].append(answer["wall_us"])
    return [
        ColdImport(
            artifact.contestant,
            artifact.function,
            Samples(tuple(cpu[number])),
            Samples(tuple(wall[number])),
            modules[number],
            largest_imports(artifact),
        )
        for number, artifact in enumerate(group)
    ]


def import_alone(artifact: Artifact, *options: str) -> dict[str, Any]:
    """Import one function in an interpreter of its own. Raises: LocalError."""
    answer: dict[str, Any] = json.loads(_run(artifact, *options)[0])
    return answer


def _run(artifact: Artifact, *options: str) -> tuple[str, str]:
    job = {"path": [str(p) for p in artifact.path], "environment": dict(artifact.environment)}
    try:
        return run_alone(PROBE, job, *options)
    except LocalError as error:
        named = f"{artifact.contestant} {artifact.function}"
        raise LocalError(f"{named} does not import: {error}") from None


def largest_imports(artifact: Artifact) -> tuple[tuple[str, float], ...]:
    """Name the packages that an import spends most in."""
    spent = spent_by_package(_run(artifact, "-X", "importtime")[1], third_party(artifact.path))
    ranked = sorted(spent.items(), key=lambda entry: -entry[1])
    return tuple((name, us / 1000) for name, us in ranked[:LARGEST])


def third_party(path: Sequence[Path]) -> set[str]:
    """Name the top-level modules that an artifact brings."""
    return {entry.name.split(".")[0] for root in path for entry in root.iterdir()}


def spent_by_package(report: str, packages: set[str]) -> dict[str, int]:
    """Add up `-X importtime` (us) by the package that a module belongs to or was asked for by.

    The report names a module after all that it imported, indented by depth; read backwards, each
    line's parent is the last line seen that is less deep.
    """
    spent: dict[str, int] = defaultdict(int)
    parents: list[tuple[int, str]] = []
    for line in reversed(report.splitlines()):
        own_us, depth, module = _row(line)
        if module is None:
            continue
        while parents and parents[-1][0] >= depth:
            parents.pop()
        top = module.split(".")[0]
        asked_by = parents[-1][1] if parents else STANDARD_LIBRARY
        owner = top if top in packages else asked_by
        parents.append((depth, owner))
        spent[owner] += own_us
    return spent


def _row(line: str) -> tuple[int, int, str | None]:
    head, _, rest = line.removeprefix("import time:").partition("|")
    _, bar, module = rest.partition("|")
    if not bar or not head.strip().isdigit():
        return 0, 0, None
    name = module.strip()
    return int(head), len(module) - len(module.lstrip()), name
