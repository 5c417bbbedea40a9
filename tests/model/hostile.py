"""One hostile merchant of ten for an hour: how often the other nine get no trader.

`python -m tests.model.hostile` prints the table of docs/capacity.md.

The run uses the domain's rules of matching and limits, and virtual time. It has no store, because
an hour of orders would take too long; `contention` covers the store's conflicts.

The hostile merchant has default limits and almost no money. Every second it creates unpaid buys
and sells of ¥0.02 until it is refused. Nobody answers its sells before a trader's window is over.
"""

import heapq
import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from bench.model import market
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.traders.matching import Demand, fits
from orderdesk.domain.traders.trader import Trader, slot_holder, with_slot_taken
from tests.support.chance import seeded
from tests.support.seed import a_merchant, with_changes
from tools.markdown import table

TRADERS, SLOTS = 100, 20
MERCHANTS, RATE_PER_SECOND = 10, 20
ORDER_SECONDS = (30, 90)  # from a buy's creation to the trader's confirmation
PAY_WINDOW, TRADER_WINDOW, ASSIGN_EVERY = 900, 1800, 60
SELLS_OF_ITS_MONEY = 3_500  # sells of ¥0.02 that 10 USDT cover
DUST_FEN, USUAL_FEN = 2, 1_000_37


class HostileFigures(NamedTuple):
    """The calls of the other merchants, those refused for lack of a trader, and their percentage.

    `slots` are those that the hostile merchant has at the end.
    """

    calls: int
    refused: int
    percent: float
    slots: int


@dataclass(slots=True)
class _Pool:
    """Traders by id, the one with the oldest last acceptance first."""

    traders: dict[str, Trader]
    taken: Counter[str] = field(default_factory=Counter)

    def take(self, merchant: Merchant, order_type: OrderType, cny_fen: int) -> str | None:
        """Claim the next trader in rotation that fits an order; return its id."""
        wanted = merchant.merchant_id, merchant.terms.slot_share
        demand = Demand(order_type, Mode.LIVE, MethodType.BANK, cny_fen, 0, 0, *wanted)
        found = next((each for each in self.traders.values() if fits(each, demand)), None)
        if found is None:
            return None
        del self.traders[found.trader_id]
        counted = with_slot_taken(found, merchant.merchant_id)
        opened = found.counts.open_orders + 1
        self.traders[found.trader_id] = with_changes(counted, open_orders=opened)
        self.taken[merchant.merchant_id] += 1
        return found.trader_id

    def free(self, trader_id: str, merchant: Merchant) -> None:
        """End an order of a merchant on its trader."""
        trader, holder = self.traders[trader_id], slot_holder(merchant.merchant_id)
        opened, slots = trader.counts.open_orders - 1, {**trader.counts.slots}
        slots[holder] -= 1
        self.traders[trader_id] = with_changes(trader, open_orders=opened, slots=slots)
        self.taken[merchant.merchant_id] -= 1


class _Run:
    def __init__(self, seconds: int, seed: int, terms: Mapping[str, Any]) -> None:
        self.random, self.seconds = seeded(seed, "hostile"), seconds
        traders = (
            with_changes(market.trader(number), max_open=SLOTS, min_cny_fen=1)
            for number in range(TRADERS)
        )
        self.pool = _Pool({trader.trader_id: trader for trader in traders})
        self.hostile = a_merchant("mhostile", **terms)
        share = {"slot_share": self.hostile.terms.slot_share}
        self.others = [a_merchant(f"mother{number}", **share) for number in range(MERCHANTS - 1)]
        self.open: Counter[OrderType] = Counter()
        self.waiting = self.calls = self.refused = 0
        self._due: list[tuple[float, int, Callable[[float], None]]] = []
        self._turns = itertools.count()

    def at(self, when: float, what: Callable[[float], None]) -> None:
        """Schedule an event at a time in seconds."""
        if when < self.seconds:
            heapq.heappush(self._due, (when, next(self._turns), what))

    def go(self) -> HostileFigures:
        """Run the hour."""
        self.at(0, self.attacks)
        self.at(ASSIGN_EVERY, self.assigns)
        self.at(self.random.expovariate(RATE_PER_SECOND), self.buys)
        while self._due:
            now, _, what = heapq.heappop(self._due)
            what(now)
        percent = round(100 * self.refused / self.calls, 2)
        taken = self.pool.taken[self.hostile.merchant_id]
        return HostileFigures(self.calls, self.refused, percent, taken)

    def buys(self, now: float) -> None:
        """Create a buy of one of the others; it ends when its trader has confirmed it."""
        self.at(now + self.random.expovariate(RATE_PER_SECOND), self.buys)
        self.calls += 1
        other = self.random.choice(self.others)
        taken = self.pool.take(other, OrderType.BUY, USUAL_FEN)
        if taken is None:
            self.refused += 1
            return
        ends = now + self.random.uniform(*ORDER_SECONDS)
        self.at(ends, lambda _: self.pool.free(taken, other))

    def attacks(self, now: float) -> None:
        """Create sells and buys of the hostile merchant until it is refused."""
        self.at(now + 1, self.attacks)
        most, _ = self.hostile.terms.open_limits(OrderType.SELL)
        most = min(most, SELLS_OF_ITS_MONEY)
        self.waiting += most - self.open[OrderType.SELL]
        self.open[OrderType.SELL] = most
        while self.open[OrderType.BUY] < self.hostile.terms.max_open_buys:
            taken = self.pool.take(self.hostile, OrderType.BUY, DUST_FEN)
            if taken is None:
                return
            self.open[OrderType.BUY] += 1
            self.at(now + PAY_WINDOW, partial(self.expires, taken))

    def expires(self, trader_id: str, _now: float) -> None:
        """Expire an unpaid buy of the hostile merchant."""
        self.pool.free(trader_id, self.hostile)
        self.open[OrderType.BUY] -= 1

    def assigns(self, now: float) -> None:
        """Assign the hostile merchant's waiting sells, as the assigner does every minute."""
        self.at(now + ASSIGN_EVERY, self.assigns)
        while self.waiting:
            taken = self.pool.take(self.hostile, OrderType.SELL, DUST_FEN)
            if taken is None:
                return
            self.waiting -= 1
            self.at(now + TRADER_WINDOW, partial(self.lapses, taken))

    def lapses(self, trader_id: str, _now: float) -> None:
        """Return a sell to matching; its trader did not answer."""
        self.pool.free(trader_id, self.hostile)
        self.waiting += 1


UNLIMITED_SELLS: Mapping[str, Any] = {"max_open_sells": 10**9, "max_open_sell_cny_fen": 10**15}


def hostile_hour(seconds: int = 3600, seed: int = 1, **terms: Any) -> HostileFigures:
    """Run the hour; `terms` are those of the hostile merchant that differ from the defaults."""
    return _Run(seconds, seed, terms).go()


def before_and_after() -> Mapping[str, HostileFigures]:
    """Return the figures without limits of sells and slots, with each of them, and with both."""
    return {
        "before: no limit of open sells, no share": hostile_hour(slot_share=100, **UNLIMITED_SELLS),
        "the share alone": hostile_hour(**UNLIMITED_SELLS),
        "the limit of open sells alone": hostile_hour(slot_share=100),
        "after: both, by default": hostile_hour(),
    }


def main() -> None:
    """Print the table."""
    heads = ("limits of the hostile merchant", "calls of the others", "no trader", "%", "its slots")
    print(table(heads, [(name, *map(str, run)) for name, run in before_and_after().items()]))


if __name__ == "__main__":
    main()
