"""How many examples a property is tried on: few in `make test`, many in the slow tier.

The slow tier runs with `--hypothesis-profile full`; a test that asks here is marked `deep`.
No example has a deadline: how long it takes says how busy the machine is.
"""

from hypothesis import HealthCheck, settings

BUDGET, FULL = "budget", "full"


def register_profiles() -> None:
    """Make both depths known to hypothesis, the small one in force."""
    unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile(BUDGET, unhurried)
    settings.register_profile(FULL, unhurried)
    settings.load_profile(BUDGET)


def is_full() -> bool:
    """Tell whether this run goes to full depth."""
    return settings.get_current_profile_name() == FULL


def examples(*, budget: int, full: int) -> int:
    """Give the number of examples for this run."""
    return full if is_full() else budget
