"""Finding an order's trader: the rotation, page by page, as others compete for it."""

from collections.abc import Collection, Iterator, Sequence

from orderdesk.domain import matching
from orderdesk.domain.errors import NoTraderAvailable
from orderdesk.domain.matching import Window
from orderdesk.domain.traders import Demand, Trader, fits
from orderdesk.services.ports import Chance


class Contention:
    """How much this process met others on the rotation of late; lives as long as the process."""

    def __init__(self) -> None:
        self._window = Window()

    def window(self, now_us: int) -> Window:
        """Give the window to draw from at a time (Unix us)."""
        return self._window.at(now_us)

    def conflicted(self, now_us: int) -> None:
        """Note a lost claim or a conflict."""
        self._window = self._window.conflicted(now_us)

    def succeeded(self) -> None:
        """Note a commit."""
        self._window = self._window.succeeded()


class Candidates:
    """The traders still to be tried for one order."""

    def __init__(
        self,
        pages: Iterator[Sequence[Trader]],
        demand: Demand,
        passed_over: Collection[str] = (),
    ) -> None:
        self._pages = pages
        self._demand = demand
        self._passed_over = passed_over
        self._eligible: list[Trader] = []

    def pick(self, window: Window, chance: Chance) -> Trader:
        """Choose the next trader; reads a further page only when the last one is used up.

        Raises: NoTraderAvailable.
        """
        while not self._eligible:
            page = next(self._pages, None)
            if page is None:
                raise NoTraderAvailable
            others = [t for t in page if t.trader_id not in self._passed_over]
            self._eligible = matching.rotation(others, self._demand)
        return matching.choose(self._eligible, window, chance.below)

    def lost(self, trader: Trader, now: Trader | None) -> None:
        """Replace a trader whose claim was lost by its present state, where that still fits."""
        others = [t for t in self._eligible if t.trader_id != trader.trader_id]
        if now is not None and fits(now, self._demand):
            others.append(now)
        self._eligible = matching.rotation(others, self._demand)

    def has(self, trader: Trader) -> bool:
        """Tell whether a trader is still to be tried."""
        return any(other.trader_id == trader.trader_id for other in self._eligible)
