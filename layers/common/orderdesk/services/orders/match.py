"""Matching: choose an order's trader from the rotation, page by page."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from orderdesk.domain.orders.order_errors import NoTraderAvailable
from orderdesk.domain.traders import matching
from orderdesk.domain.traders.matching import Demand, fits
from orderdesk.domain.traders.trader import Trader, without_account
from orderdesk.services.ports import Chance, Claim

MAX_REMEMBERED = 1_000


class Contention:
    """Recent conflicts, and acceptances that the index may not show yet.

    There is one object for each process. It outlives an order, so it stores only times; `Learned`
    (domain/traders/line.py) stores whole traders during one run of the assigner.
    """

    def __init__(self) -> None:
        self._met_us: int | None = None
        self._accepted_us: dict[str, int] = {}

    def crowded(self, now_us: int) -> bool:
        """Return whether other orders competed recently, as of a time (Unix us)."""
        return self._met_us is not None and now_us - self._met_us <= matching.CROWD_MEMORY_US

    def refreshed(self, trader: Trader) -> Trader:
        """Return a trader with its last acceptance, if that is later than the one read."""
        known_us = self._accepted_us.get(trader.trader_id, 0)
        if known_us <= trader.counts.last_accepted_us:
            return trader
        return replace(trader, counts=replace(trader.counts, last_accepted_us=known_us))

    def conflicted(self, now_us: int) -> None:
        """Record that another order was writing the same trader."""
        self._met_us = now_us

    def lost(self, trader: Trader | None, now_us: int) -> None:
        """Record a lost claim of an order that began at `now_us`, and the trader's present state.

        If the other acceptance ended before this order began, the two were not concurrent: the
        index lagged. This is no conflict, and the rotation stays exact.
        """
        if trader is None:
            return
        self._remember(trader.trader_id, trader.counts.last_accepted_us)
        if now_us - trader.counts.last_accepted_us < matching.OVERLAP_US:
            self.conflicted(now_us)

    def succeeded(self, claim: Claim) -> None:
        """Record a committed claim."""
        self._remember(claim.trader.trader_id, claim.accepts_us)

    def _remember(self, trader_id: str, accepted_us: int) -> None:
        self._accepted_us.pop(trader_id, None)
        if len(self._accepted_us) >= MAX_REMEMBERED:
            self._accepted_us.pop(next(iter(self._accepted_us)))
        self._accepted_us[trader_id] = accepted_us


class Candidates:
    """The traders that are still to be tried for one order.

    Traders that accepted an order after the index entry was written go last.
    """

    def __init__(
        self,
        pages: Iterator[Iterable[Trader]],
        demand: Demand,
        contention: Contention,
        *,
        is_deep: bool = False,
    ) -> None:
        """Read nothing yet; `is_deep`: the first page is long enough for competing orders."""
        self._pages = pages
        self._page: Iterator[Trader] = iter(())
        self._demand = demand
        self._contention = contention
        self._eligible: list[Trader] = []
        self._behind: dict[str, Trader] = {}
        self._drew = False
        self._is_deep = is_deep

    def pick(self, chance: Chance, now_us: int) -> Trader:
        """Choose the next trader at a time (Unix us). Raises: NoTraderAvailable.

        Without competitors it is the first: the exact rotation. With competitors all orders would
        claim the first, so the trader is drawn at random: first the less-used of two, then a plain
        draw, because the least used are probably taken by then.

        Each page is read only as far as needed, and the next page only when the last one is used
        up.
        """
        crowded = self._contention.crowded(now_us)
        wanted = matching.CROWD_REACH if crowded else 1
        if self._look(wanted) < wanted and crowded and not self._is_deep:
            self._is_deep = True
            self._turn_page()  # the competitors were met after the first page, which is short
        while not self._look(wanted):
            if not self._turn_page():
                raise NoTraderAvailable
        if not crowded:
            return self._eligible[0]
        if self._drew:
            return matching.draw(self._eligible, chance.below)
        self._drew = True
        return matching.draw_fair(self._eligible, self._demand.day, chance.below)

    def in_view(self, count: int) -> list[Trader]:
        """Return up to `count` traders that can be picked without a further request."""
        self._look(count)
        return self._eligible[:count]

    def drop(self, trader_id: str, account_key: str) -> None:
        """Drop an account that cannot take the order's amount; its trader may have another one."""
        narrowed = (
            without_account(t, account_key) if t.trader_id == trader_id else t
            for t in self._eligible
        )
        self._eligible = [t for t in narrowed if fits(t, self._demand)]

    def lost(self, trader: Trader, now: Trader | None) -> None:
        """Replace a trader whose claim was lost by its present state, if that still fits."""
        others = [t for t in self._eligible if t.trader_id != trader.trader_id]
        if now is not None and fits(now, self._demand):
            if now.counts.last_accepted_us > trader.counts.last_accepted_us:
                self._behind[now.trader_id] = now
            else:
                others.append(now)
        self._eligible = matching.rotation(others, self._demand)

    def has(self, trader: Trader) -> bool:
        """Return whether a trader whose claim was lost is still to be tried."""
        return trader.trader_id in self._behind or any(
            other.trader_id == trader.trader_id for other in self._eligible
        )

    def _turn_page(self) -> bool:
        page = next(self._pages, None)
        if page is not None:
            self._page = iter(page)
            return True
        self._eligible += matching.rotation(list(self._behind.values()), self._demand)
        self._behind = {}
        return bool(self._eligible)

    def _look(self, width: int) -> int:
        """Collect up to `width` of the page's traders that fit; return their number."""
        missing = max(0, width - len(self._eligible))
        self._eligible.extend(islice(self._still_in_place(), missing))
        return len(self._eligible)

    def _still_in_place(self) -> Iterator[Trader]:
        for trader in self._page:
            now = self._contention.refreshed(trader)
            if now is trader:
                self._behind.pop(trader.trader_id, None)  # the index has caught up
                if fits(trader, self._demand):
                    yield trader
            elif fits(now, self._demand):
                self._behind[trader.trader_id] = now
