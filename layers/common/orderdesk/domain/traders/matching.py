"""Which trader is tried next: exact rotation when alone, spread out when others compete."""

from collections.abc import Callable, Sequence

from orderdesk.domain.traders.trader import Demand, Trader, fits

# From how many of the rotation's first traders an order in a crowd draws.
CROWD_REACH = 64

# How long a crowd is remembered after the last competitor.
CROWD_MEMORY_US = 3_000_000

# No order is placed in less: who accepted longer ago than this before an order began did so for one
# that was over by then.
OVERLAP_US = 10_000


def rotation(traders: Sequence[Trader], demand: Demand) -> list[Trader]:
    """Give the traders that fit, the one who accepted longest ago first."""
    eligible = (trader for trader in traders if fits(trader, demand))
    return sorted(eligible, key=lambda trader: (trader.last_accepted_us, trader.trader_id))


def draw(eligible: Sequence[Trader], below: Callable[[int], int]) -> Trader:
    """Draw one of the first traders; `below(n)` gives a random int in [0, n)."""
    return eligible[below(min(CROWD_REACH, len(eligible)))]


def draw_fair(eligible: Sequence[Trader], day: int, below: Callable[[int], int]) -> Trader:
    """Draw two of the first traders and take the one that accepted fewer orders on a trading day.

    A plain draw lets the traders' counts drift apart without end; this keeps them together. If both
    accepted as many, it is the one who has waited longer.
    """
    pair = draw(eligible, below), draw(eligible, below)
    return min(pair, key=lambda t: (t.accepted_on(day), t.last_accepted_us, t.trader_id))
