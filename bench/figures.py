"""Everything that one run of the bench measured."""

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from bench.artifacts import BASELINE_AS_SHIPPED, OURS
from bench.buys import Measured
from bench.cold_imports import ColdImport
from bench.costs.sheet import CostSheet
from bench.model.runs import ModelFigures


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times as much the baseline takes: of the medians, and the least and most of a round.

    Both sides in milliseconds.
    """

    baseline_ms: float
    ours_ms: float
    least: float
    most: float

    @property
    def value(self) -> float:
        """The baseline's divided by ours."""
        return self.baseline_ms / self.ours_ms


@dataclass(frozen=True, slots=True)
class Figures:
    """One run's figures; `seconds` is what the run took, `day` when it was (ISO 8601)."""

    cold: tuple[ColdImport, ...]
    cpu: Mapping[str, Measured]
    end_to_end: Mapping[str, Measured]
    requests_a_sell: Mapping[str, float]
    model: ModelFigures
    costs: CostSheet
    layer_bytes: int
    day: str
    seconds: float

    def cold_of(self, contestant: str) -> ColdImport:
        """Give the import of createOrder by a contestant."""
        return next(each for each in self.cold if each.contestant == contestant)

    def cold_ratio(self, baseline: str) -> Ratio:
        """Compare createOrder's import: BASELINE_AS_SHIPPED or BASELINE_COMPILED with ours."""
        return _ratio(self.cold_of(baseline).cpu_us, self.cold_of(OURS).cpu_us)

    def cpu_ratio(self) -> Ratio:
        """Compare a buy's CPU time, the network stubbed."""
        return _ratio(self.cpu[BASELINE_AS_SHIPPED].medians_us, self.cpu[OURS].medians_us)

    def end_to_end_ratio(self) -> Ratio:
        """Compare a buy against DynamoDB Local."""
        theirs, ours = self.end_to_end[BASELINE_AS_SHIPPED], self.end_to_end[OURS]
        return _ratio(theirs.medians_us, ours.medians_us)


def _ratio(baseline_us: Sequence[float], ours_us: Sequence[float]) -> Ratio:
    each = [theirs / ours for theirs, ours in zip(baseline_us, ours_us, strict=True)]
    return Ratio(median(baseline_us) / 1000, median(ours_us) / 1000, min(each), max(each))


def machine() -> str:
    """Say what this was measured on, in words that name nobody's machine."""
    version = ".".join(map(str, sys.version_info[:3]))
    return f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, Python {version}"
