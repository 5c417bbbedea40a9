"""How a commit is tried again: bounded, with jitter, and each try with a token of its own."""

from collections.abc import Callable

from orderdesk.domain.errors import ChangedMeanwhile, Contended, Throttled, TryAgain
from orderdesk.domain.orders.errors import OrderIdTaken
from orderdesk.domain.traders.errors import ClaimLost
from orderdesk.services.ports import Chance

MAX_ATTEMPTS = 12
FIRST_PAUSE_MS = 4
MAX_PAUSE_MS = 250

type PauseMs = Callable[[int], None]


def until_committed[T](attempt: Callable[[], T], chance: Chance, pause_ms: PauseMs) -> T:
    """Try a commit until it succeeds, is refused, or the attempts are used up.

    A lost claim, a number drawn twice or an item changed meanwhile is tried again at once, with
    another trader or number, or the item as it is now; a conflict or a throttle after a random
    pause that doubles its bound. Raises: TryAgain.
    """
    bound_ms = FIRST_PAUSE_MS
    for _ in range(MAX_ATTEMPTS):
        try:
            return attempt()
        except (ClaimLost, OrderIdTaken, ChangedMeanwhile):
            continue
        except (Contended, Throttled):
            pause_ms(chance.below(bound_ms) + 1)
            bound_ms = min(bound_ms * 2, MAX_PAUSE_MS)
    raise TryAgain
