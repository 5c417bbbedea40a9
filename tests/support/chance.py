"""Randomness that a seed decides, so that every run can be had again."""

from random import Random


def seeded(seed: int, stream: str) -> Random:
    """Make a stream of randomness; streams of other names do not disturb it."""
    return Random(f"{seed}:{stream}")


class SeededChance:
    """Fills the port `Chance`."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def below(self, bound: int) -> int:
        """Give a random int in [0, bound)."""
        return self._random.randrange(bound)

    def token(self) -> str:
        """Give 32 hex digits."""
        return f"{self._random.getrandbits(128):032x}"
