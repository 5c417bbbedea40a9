"""Randomness from a seed, so that a run can be repeated."""

from random import Random


def seeded(seed: int, stream: str) -> Random:
    """Return a stream of randomness that is independent of other streams."""
    return Random(f"{seed}:{stream}")


class SeededChance:
    """Fills the port `Chance`."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def below(self, bound: int) -> int:
        return self._random.randrange(bound)

    def token(self) -> str:
        return f"{self._random.getrandbits(128):032x}"


class NoJitter:
    """Fills the port `Chance` without randomness."""

    def below(self, bound: int) -> int:
        assert bound > 0
        return 0

    def token(self) -> str:
        return "0" * 32
