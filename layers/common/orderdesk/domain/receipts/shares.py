"""How many files of one owner are decoded at the same time.

Each file that is decoded takes a place. An owner has places of its own, for its usual receipts.
Half of all places are common: an owner whose own are taken uses them while they are free. So one
busy owner decodes three quarters of what the stack can, and a quarter is left for all others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

# The mean time of a file in the function, and the receipts of a call: half of the orders are buys.
DRAWING_MS = 480
_CALLS_A_RECEIPT = 2
_MS = 1000

_OWN_LEAST = 2
# Each try is a transaction. More tries find more free places, but files that find none then keep
# Lambda's containers from those of other owners (bench/model/drawings.py).
_TRIES = 2


@dataclass(frozen=True, slots=True)
class Place:
    """A place for decoding: of an owner, or a common one ("")."""

    owner: str
    number: int


def own_places(max_rps: int, concurrency: int) -> int:
    """Return how many places an owner with a rate of calls has, of `concurrency` in all."""
    usual = -(-max_rps * DRAWING_MS // (_CALLS_A_RECEIPT * _MS))
    return max(min(usual, concurrency // 4), _OWN_LEAST)


def common_places(concurrency: int) -> int:
    """Return how many of all places are common."""
    return concurrency // 2


def places_to_try(
    owner: str, max_rps: int, concurrency: int, below: Callable[[int], int]
) -> tuple[Place, ...]:
    """Return the places that a file tries in turn: some of its owner's, then common ones.

    `below` returns a random number below a bound: files that come together try different places.
    """
    return (
        *_some(owner, own_places(max_rps, concurrency), below),
        *_some("", common_places(concurrency), below),
    )


def _some(owner: str, count: int, below: Callable[[int], int]) -> Sequence[Place]:
    """Return different places by chance."""
    left = list(range(count))
    return [Place(owner, left.pop(below(len(left)))) for _ in range(min(count, _TRIES))]
