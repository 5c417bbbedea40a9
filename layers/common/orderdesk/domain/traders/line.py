"""Plan many sells in memory by the rotation.

Each sell goes to the longest-waiting trader that fits, and the trader moves to the end. Planning
many sells together has the same result as planning them one by one, unless another process takes a
trader meanwhile.
"""

import heapq
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum

from orderdesk.domain.traders.matching import Demand, fits
from orderdesk.domain.traders.trader import Trader, with_slot_taken


class Learned:
    """Later states of traders than the index returns, because the index lags behind the table."""

    def __init__(self) -> None:
        self._traders: dict[str, Trader] = {}

    def note(self, trader: Trader) -> None:
        """Remember a trader's state."""
        self._traders[trader.trader_id] = trader

    def latest(self, read: Trader) -> Trader:
        """Return the later of two states.

        Claims and operators only increase the compared values.
        """
        known = self._traders.get(read.trader_id, read)
        return max(read, known, key=lambda trader: (trader.counts.last_accepted_us, trader.version))


class Line:
    """The traders, longest-waiting first. Each is read once, when it is first needed."""

    def __init__(self, read: Iterable[Trader], learned: Learned) -> None:
        """`read` yields the traders as the index returns them, in its order."""
        self._coming = _in_order(read, learned)
        self._seen: list[Trader] = []

    def __iter__(self) -> Iterator[Trader]:
        yield from self._seen
        for trader in self._coming:
            self._seen.append(trader)
            yield trader


def _in_order(read: Iterable[Trader], learned: Learned) -> Iterator[Trader]:
    """Move each trader with an outdated entry to the place of its latest state."""
    moved: list[tuple[tuple[int, str], Trader]] = []
    for trader in read:
        while moved and moved[0][0] < _place(trader):
            yield heapq.heappop(moved)[1]
        now = learned.latest(trader)
        if now.counts.last_accepted_us == trader.counts.last_accepted_us:
            yield now
        else:
            heapq.heappush(moved, (_place(now), now))
    yield from (heapq.heappop(moved)[1] for _ in range(len(moved)))


def _place(trader: Trader) -> tuple[int, str]:
    return trader.counts.last_accepted_us, trader.trader_id


class Turn(Enum):
    """Why no trader is taken for a sell."""

    NOBODY_FITS = "nobody_fits"
    LATER = "later"
    """Only traders of this plan fit. The sell is for the next plan."""


class LinePlan:
    """A plan for many sells. A trader has one of them, because two writes of it would conflict."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._taken: dict[str, Trader] = {}

    def next_for(self, demand: Demand, passed_over: Sequence[str]) -> Trader | Turn:
        """Return the next trader in the rotation for a sell.

        Traders that declined the sell are skipped. If all that fit declined, only the latest is.
        """
        for skipped in (passed_over, passed_over[-1:]):
            others = {*skipped, *self._taken}
            first = next(_fitting(self._line, demand, others), None)
            if first is not None:
                return first
            if any(_fitting(self._taken.values(), demand, skipped)):
                return Turn.LATER
        return Turn.NOBODY_FITS

    def take(self, trader: Trader, demand: Demand, accepts_us: int) -> Trader:
        """Assign a trader at a time (Unix us); return its state after the claim."""
        taken = with_slot_taken(trader, demand.merchant_id)
        counts = replace(
            taken.counts,
            last_accepted_us=accepts_us,
            open_orders=trader.counts.open_orders + 1,
            daily_day=demand.day,
            daily_used_fen=trader.used_on(demand.day) + demand.cny_fen,
            daily_orders=trader.accepted_on(demand.day) + 1,
            daily_kept=trader.kept_on(demand.day) + 1,
        )
        after = replace(taken, counts=counts)
        self._taken[trader.trader_id] = after
        return after


def _fitting(
    traders: Iterable[Trader], demand: Demand, skipped: Collection[str]
) -> Iterator[Trader]:
    return (t for t in traders if t.trader_id not in skipped and fits(t, demand))
