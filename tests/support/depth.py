"""The number of a property's examples, and whether they are the same in every run.

`make test` has few examples, and the slow tier has many (`--hypothesis-profile full`). Both draw
the same examples in every run, so that a change fails only by its own fault. `make fuzz` draws new
ones (`--hypothesis-profile search`). A test that is no property and calls `examples` is marked
`deep`. No example has a deadline, because the machine may be busy.
"""

from hypothesis import HealthCheck, settings

BUDGET, FULL, SEARCH = "budget", "full", "search"


def register_profiles() -> None:
    """Register the profiles, and load the small one."""
    unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile(BUDGET, unhurried, max_examples=25, derandomize=True)
    settings.register_profile(FULL, unhurried, derandomize=True)
    settings.register_profile(SEARCH, unhurried)
    settings.load_profile(BUDGET)


def is_full() -> bool:
    """Return whether this run has the full number of examples."""
    return settings.get_current_profile_name() in {FULL, SEARCH}


def examples(*, budget: int, full: int) -> int:
    return full if is_full() else budget
