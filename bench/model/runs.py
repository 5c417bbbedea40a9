"""All runs of the model, in as many processes as there are cores."""

import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench.model.contention import AlwaysHead, ContentionFigures, contention
from bench.model.reads import ReadFigures, match_reads
from bench.model.rotation import RotationFigures, rotation_sequential
from bench.model.timeline import US_PER_MS
from bench.model.timing import MEASURED_2020

TRADERS = (10, 100, 1_000, 10_000)


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """What the scenarios gave, each by a name for people."""

    contention: dict[str, ContentionFigures]
    rotation: dict[str, RotationFigures]
    reads: dict[str, ReadFigures]


def run_all(progress: Callable[[str], None]) -> ModelFigures:
    """Run every scenario, the longest first; the figures are the same on any machine."""
    parts: dict[str, Mapping[str, Callable[[], Any]]] = {
        "contention": _contention(),
        "rotation": _rotation(),
        "reads": _reads(),
    }
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        started = {
            part: {name: pool.submit(_timed, run) for name, run in runs.items()}
            for part, runs in parts.items()
        }
        done: dict[str, dict[str, Any]] = {part: {} for part in parts}
        for part, futures in started.items():
            for name, future in futures.items():
                seconds, done[part][name] = future.result()
                progress(f"{part}: {name} ({seconds:.0f} s)")
    return ModelFigures(**done)


def _contention() -> Mapping[str, Callable[[], ContentionFigures]]:
    naive = partial(contention, make_contention=AlwaysHead)
    return {
        "100/s": partial(contention, 100, seconds=60),
        "300/s": partial(contention, 300, seconds=20),
        "40/s": partial(contention, 40, seconds=60),
        "100/s, DynamoDB as slow as measured in 2020": partial(
            contention, 100, seconds=20, timing=MEASURED_2020
        ),
        "40/s, always the head": partial(naive, 40, seconds=10),
        "100/s, always the head": partial(naive, 100, seconds=5),
        "300/s, always the head": partial(naive, 300, seconds=2),
    }


def _rotation() -> Mapping[str, Callable[[], RotationFigures]]:
    return {
        "one container, without a pause": partial(rotation_sequential, gap_us=0),
        "one container, 5 ms between": rotation_sequential,
        "four containers in turn, without a pause": partial(
            rotation_sequential, containers=4, gap_us=0
        ),
        "four containers in turn, 100 ms between": partial(
            rotation_sequential, containers=4, gap_us=100 * US_PER_MS
        ),
    }


def _reads() -> Mapping[str, Callable[[], ReadFigures]]:
    by_chance = {
        f"{traders:,} traders, by chance": partial(match_reads, traders, 200) for traders in TRADERS
    }
    steady = {
        f"{traders:,} traders, always the same ones": partial(match_reads, traders, 20, steady=True)
        for traders in TRADERS
    }
    return by_chance | steady


def _timed[T](run: Callable[[], T]) -> tuple[float, T]:
    started = time.monotonic()
    figures = run()
    return time.monotonic() - started, figures
