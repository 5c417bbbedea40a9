"""The number of a property's examples: few in `make test`, many in the slow tier.

The slow tier runs every property with `--hypothesis-profile full`. A test that is no property and
calls `examples` is marked `deep`. No example has a deadline, because the machine may be busy.
"""

from hypothesis import HealthCheck, settings

BUDGET, FULL = "budget", "full"


def register_profiles() -> None:
    """Register both profiles, and load the small one."""
    unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile(BUDGET, unhurried, max_examples=25)
    settings.register_profile(FULL, unhurried)
    settings.load_profile(BUDGET)


def is_full() -> bool:
    """Return whether this run has the full number of examples."""
    return settings.get_current_profile_name() == FULL


def examples(*, budget: int, full: int) -> int:
    return full if is_full() else budget
