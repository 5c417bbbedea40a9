"""The number of a property's examples, and whether a run draws the same ones as the run before.

`make test` has few examples, and the slow tier has many (`--hypothesis-profile full`). Both draw
the same examples in every run, so that a change fails only by its own fault. `make fuzz` draws new
ones (`--hypothesis-profile search`), of the fuzzers twice as many, because only these can find
what no run has found. The same holds for what the package draws in a test's own
process: shards, turns and ids. A test that is no property and calls `examples` is marked
`deep`. No example has a deadline, because the machine may be busy.
"""

from random import Random

from hypothesis import HealthCheck, settings

from orderdesk.adapters import system

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


def examples(*, budget: int, full: int, search: int | None = None) -> int:
    """Return the number for this run; `search` is that of `make fuzz`, by default `full`."""
    if settings.get_current_profile_name() == SEARCH and search is not None:
        return search
    return full if is_full() else budget


class Draws:
    """Random numbers from a test's name, in place of the package's `secrets`."""

    def __init__(self, name: str) -> None:
        self._random = Random(name)

    def randbelow(self, bound: int) -> int:
        return self._random.randrange(bound)

    def token_hex(self, size_bytes: int) -> str:
        return self._random.randbytes(size_bytes).hex()


def draw_by_name(name: str) -> None:
    """Draw the same in this test as in its last run, unless the run searches."""
    if settings.get_current_profile_name() != SEARCH:
        system.__dict__["secrets"] = Draws(name)
