"""Retries of a commit: bounded, with growing random pauses, whatever was lost."""

from random import Random
from types import SimpleNamespace

import pytest

from orderdesk.domain.errors import ChangedMeanwhile, Contended, Throttled, TryAgain
from orderdesk.domain.orders.order_errors import OrderIdTaken
from orderdesk.domain.traders.trader import ClaimLost
from orderdesk.services.retrying import FIRST_PAUSE_MS, MAX_ATTEMPTS, MAX_PAUSE_MS, until_committed
from tests.support.chance import SeededChance


@pytest.mark.parametrize("lost", [ClaimLost, OrderIdTaken, ChangedMeanwhile, Contended, Throttled])
def test_each_retry_waits_for_a_random_bounded_time(lost: type[Exception]) -> None:
    longest = [0] * (MAX_ATTEMPTS - 1)
    for seed in range(200):
        pauses: list[int] = []
        attempts: list[int] = []

        def attempt(made: list[int] = attempts) -> None:
            made.append(1)
            raise lost(None) if lost is ClaimLost else lost()

        with pytest.raises(TryAgain):
            until_committed(
                attempt, SimpleNamespace(chance=SeededChance(Random(seed)), pause_ms=pauses.append)
            )
        assert (len(attempts), len(pauses)) == (MAX_ATTEMPTS, MAX_ATTEMPTS - 1)
        longest = list(map(max, longest, pauses))
    doubles = lost in {Contended, Throttled}
    bounds = [
        min(FIRST_PAUSE_MS * 2 ** (n if doubles else 0), MAX_PAUSE_MS)
        for n in range(MAX_ATTEMPTS - 1)
    ]
    assert all(bound / 2 < most <= bound for most, bound in zip(longest, bounds, strict=True))
