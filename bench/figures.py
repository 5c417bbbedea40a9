"""All figures of one run of the bench."""

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from bench.artifacts import BASELINE_AS_SHIPPED, CREATE_ORDER, OURS
from bench.buys import Measured
from bench.cold_imports import ColdImport
from bench.costs.sheet import CostSheet
from bench.model.runs import ModelFigures


@dataclass(frozen=True, slots=True)
class Ratio:
    """The baseline's time divided by ours: of the medians, and the least and most of a round.

    Both times are in milliseconds.
    """

    baseline_ms: float
    ours_ms: float
    least: float
    most: float

    @property
    def value(self) -> float:
        """The ratio of the medians."""
        return self.baseline_ms / self.ours_ms


@dataclass(frozen=True, slots=True)
class Figures:
    """One run's figures; `seconds` is its duration, `day` its date (ISO 8601)."""

    cold: tuple[ColdImport, ...]
    cpu: Mapping[str, Measured]
    end_to_end: Mapping[str, Measured]
    requests_a_sell: Mapping[str, float]
    model: ModelFigures
    costs: CostSheet
    layer_bytes: int
    day: str
    seconds: float

    def cold_ratio(self, baseline: str, function: str = CREATE_ORDER) -> Ratio:
        """Compare the baseline's createOrder (as shipped or compiled) with one of our functions."""
        theirs = next(each for each in self.cold if each.contestant == baseline)
        ours = next(e for e in self.cold if (e.contestant, e.function) == (OURS, function))
        return _ratio(theirs.cpu_us, ours.cpu_us)

    def cpu_ratio(self) -> Ratio:
        """Compare the CPU time of a buy with the network stubbed."""
        return _ratio(self.cpu[BASELINE_AS_SHIPPED].medians_us, self.cpu[OURS].medians_us)

    def end_to_end_ratio(self) -> Ratio:
        """Compare a buy against DynamoDB Local."""
        theirs, ours = self.end_to_end[BASELINE_AS_SHIPPED], self.end_to_end[OURS]
        return _ratio(theirs.medians_us, ours.medians_us)


def _ratio(baseline_us: Sequence[float], ours_us: Sequence[float]) -> Ratio:
    each = [theirs / ours for theirs, ours in zip(baseline_us, ours_us, strict=True)]
    return Ratio(median(baseline_us) / 1000, median(ours_us) / 1000, min(each), max(each))


def machine() -> str:
    """Describe this machine without its name."""
    version = ".".join(map(str, sys.version_info[:3]))
    return f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, Python {version}"
