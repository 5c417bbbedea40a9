"""Hypothesis' settings for the fuzzer's properties."""

from hypothesis import HealthCheck, Phase, settings, target

from tests.fuzz.watch import Seen
from tests.support.depth import SEARCH, examples

_SUPPRESSED = (
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
    HealthCheck.filter_too_much,
)
_PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.target, Phase.shrink)


def fuzzing(*, full: int) -> settings:
    """Return the settings of a property: all phases, without a deadline.

    `make fuzz` has twice as many examples as the slow tier, which has the same ones in every run.
    """
    return settings(
        max_examples=examples(full=full, search=2 * full),
        deadline=None,
        suppress_health_check=_SUPPRESSED,
        phases=_PHASES,
        print_blob=True,
    )


def aim(seen: Seen) -> None:
    """Set hypothesis' targets: the CPU time, which differs from run to run, only in a search."""
    target(len(seen.answer["body"]), label="length of the answer")
    if settings.get_current_profile_name() == SEARCH:
        target(seen.cpu_ms, label="ms of CPU")
