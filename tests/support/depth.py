"""The number of a property's examples, and whether a run draws the same ones as the run before.

`make test` has a twentieth of the slow tier's examples (`--hypothesis-profile full`). Both draw
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
_FULL_EXAMPLES = 100
_SHARE = 20


def register_profiles() -> None:
    """Register the profiles, and load the small one."""
    unhurried = settings(
        deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=_FULL_EXAMPLES
    )
    few = _FULL_EXAMPLES // _SHARE
    settings.register_profile(BUDGET, unhurried, max_examples=few, derandomize=True)
    settings.register_profile(FULL, unhurried, derandomize=True)
    settings.register_profile(SEARCH, unhurried)
    settings.load_profile(BUDGET)


def is_full() -> bool:
    """Return whether this run has the full number of examples."""
    return settings.get_current_profile_name() in {FULL, SEARCH}


def examples(*, full: int, budget: int | None = None, search: int | None = None) -> int:
    """Return the number for this run.

    `budget` is that of `make test`, by default a twentieth of `full`; `search` is that of
    `make fuzz`, by default `full`.
    """
    if settings.get_current_profile_name() == SEARCH and search is not None:
        return search
    few = max(1, full // _SHARE) if budget is None else budget
    return full if is_full() else few


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
