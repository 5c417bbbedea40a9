"""Which trader is tried next: the exact rotation without competitors, a random one among many."""

from collections.abc import Callable, Sequence

from orderdesk.domain.traders.trader import Demand, Trader, fits

# With competitors, an order draws from this many of the rotation's first traders.
CROWD_REACH = 64

# A process expects competitors for this long after the last conflict.
CROWD_MEMORY_US = 3_000_000

# Placing an order takes at least 10 ms, so an older acceptance was not concurrent.
OVERLAP_US = 10_000


def rotation(traders: Sequence[Trader], demand: Demand) -> list[Trader]:
    """Return the traders that fit, the one with the oldest last acceptance first."""
    eligible = (trader for trader in traders if fits(trader, demand))
    return sorted(eligible, key=lambda trader: (trader.counts.last_accepted_us, trader.trader_id))


def draw(eligible: Sequence[Trader], below: Callable[[int], int]) -> Trader:
    """Draw one of the first traders at random; `below(n)` returns a random int in [0, n)."""
    return eligible[below(min(CROWD_REACH, len(eligible)))]


def draw_fair(eligible: Sequence[Trader], day: int, below: Callable[[int], int]) -> Trader:
    """Draw two of the first traders and return the one with fewer orders on a trading day.

    Choosing the less-used of two keeps the traders' counts close; with single draws they diverge
    without bound. Of two equal ones, the one that waited longer is returned.
    """
    pair = draw(eligible, below), draw(eligible, below)
    return min(pair, key=lambda t: (t.accepted_on(day), t.counts.last_accepted_us, t.trader_id))
