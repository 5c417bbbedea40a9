"""Retry a commit: limited in number, with backoff and jitter, and with a new token each time."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from orderdesk.domain.errors import ChangedMeanwhile, Contended, Refusal, Throttled, TryAgain
from orderdesk.domain.orders.order_errors import OrderIdTaken
from orderdesk.domain.traders.trader import ClaimLost, Trader
from orderdesk.services.ports import Chance

if TYPE_CHECKING:
    from orderdesk.domain.merchants.merchant import Merchant
    from orderdesk.domain.merchants.team import Team

MAX_ATTEMPTS = 12
FIRST_PAUSE_MS = 4
MAX_PAUSE_MS = 250

type PauseMs = Callable[[int], None]


class Retries(Protocol):
    """The part of a use case's ports that a retry needs."""

    @property
    def chance(self) -> Chance: ...
    @property
    def pause_ms(self) -> PauseMs: ...


def until_committed[T](attempt: Callable[[], T], ports: Retries) -> T:
    """Retry a commit until it succeeds, is refused, or the attempts are used up.

    A lost claim, a number drawn twice or a changed item is retried after a short random pause: with
    another trader or number, or with the item's present state. The pause after a conflict or a
    throttle has an upper bound that doubles each time.
    Raises: TryAgain.
    """
    bound_ms, below = FIRST_PAUSE_MS, ports.chance.below
    for left in reversed(range(MAX_ATTEMPTS)):
        try:
            return attempt()
        except (ClaimLost, OrderIdTaken, ChangedMeanwhile):
            if left:
                ports.pause_ms(below(FIRST_PAUSE_MS) + 1)
        except (Contended, Throttled):
            if left:
                ports.pause_ms(below(bound_ms) + 1)
                bound_ms = min(bound_ms * 2, MAX_PAUSE_MS)
    raise TryAgain


def each_apart[T, R](
    failed: R, report: Callable[[Exception], None], expected: type[Exception] | None = Refusal
) -> Callable[[Callable[[T], R]], Callable[[T], R]]:
    """Decorate a function for one of many items, of which a broken one must not stop the others.

    Its result is `failed` after a refusal or an error; one that is not `expected` is also reported.
    """

    def decorated(settle: Callable[[T], R]) -> Callable[[T], R]:
        def settled(item: T) -> R:
            try:
                return settle(item)
            except Exception as error:  # noqa: BLE001 - reported; the others go on
                if expected is None or not isinstance(error, expected):
                    report(error)
                return failed

        return settled

    return decorated


def change_until_committed[T: (Merchant, Trader, Team)](
    read: Callable[[], T], changed: Callable[[T], T], write: Callable[[T, T], None], ports: Retries
) -> T:
    """Read, change and write; start again if another process changed it. No change writes nothing.

    Return the changed state, with the next version. Raises: TryAgain, and whatever the steps raise.
    """

    def attempt() -> T:
        before = read()
        after = changed(before)
        if after == before:
            return before
        after = replace(after, version=before.version + 1)
        write(before, after)
        return after

    return until_committed(attempt, ports)
