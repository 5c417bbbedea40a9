"""Measures the import of a function's module, which a cold start does before the first request.

Each sample is a fresh, bare interpreter. The contestants alternate, so that other work affects all.
CPU time counts, because a function has a share of a core on Lambda.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bench.artifacts import Artifact, Artifacts, Progress, run_alone
from local.places import REPOSITORY

PROBE = REPOSITORY / "bench" / "import_alone.py"
ROUNDS = 15


@dataclass(frozen=True, slots=True)
class ColdImport:
    """A function's import: samples of CPU time (us), the number of all modules, and of ours."""

    contestant: str
    function: str
    cpu_us: tuple[int, ...]
    modules: int
    own_modules: int


def measure(artifacts: Artifacts, progress: Progress) -> list[ColdImport]:
    """Import create_order, both baselines, the other functions and the unaided desk alternately."""
    first, *others = artifacts.ours
    everyone = [first, artifacts.baseline, artifacts.baseline_compiled, *others, artifacts.unaided]
    progress(f"cold imports: {len(everyone)} functions, {ROUNDS} rounds")
    samples = [[import_alone(each) for each in everyone] for _ in range(1 + ROUNDS)]
    # The first round warms the page cache and is not a sample.
    return list(map(_cold_import, everyone, zip(*samples[1:], strict=True)))


def _cold_import(artifact: Artifact, samples: Sequence[dict[str, Any]]) -> ColdImport:
    cpu_us, modules = tuple(each["cpu_us"] for each in samples), samples[-1]["modules"]
    counts = len(modules), len(own_modules(modules))
    return ColdImport(artifact.contestant, artifact.function, cpu_us, *counts)


def own_modules(names: Iterable[str]) -> list[str]:
    """Return the imported modules of our package, without the packages that contain them."""
    own = {name for name in names if name.split(".")[0] == "orderdesk"}
    return sorted(own - {name.rpartition(".")[0] for name in own})


def import_alone(artifact: Artifact) -> dict[str, Any]:
    """Import one function in a new interpreter. Raises: LocalError."""
    job = {"path": [str(p) for p in artifact.path], "environment": dict(artifact.environment)}
    return run_alone(PROBE, job, f"{artifact.contestant} {artifact.function} does not import")
