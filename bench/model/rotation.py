"""Orders one after the other: is each given to who has waited longest?"""

from dataclasses import dataclass

from bench.model import market
from bench.model.chance import seeded
from bench.model.fleet import Answered, Container
from bench.model.store import TABLES, Store
from bench.model.timeline import US_PER_MS, Timeline
from bench.model.timing import ASSUMED, Timing
from orderdesk.adapters.dynamodb.marshal import from_item
from orderdesk.adapters.dynamodb.traders.items import trader_of
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.traders.trader import Demand, Trader, fits, trading_day
from orderdesk.services.orders.match import Contention

AMOUNTS_CNY = (1, 50, 150, 1_500, 6_000, 90_000)


@dataclass(frozen=True, slots=True)
class RotationFigures:
    """A run's figures: `inversions` counts the orders for which somebody fitting had waited longer.

    `missed` counts refusals though somebody fitted, `lost_claims` reads that the index gave late.
    """

    orders: int
    accepted: int
    missed: int
    inversions: int
    lost_claims: int


class Sequence:
    """Orders of mixed amounts and methods over traders of mixed ranges and methods, one by one."""

    def __init__(self, traders: int, containers: int, seed: int, timing: Timing) -> None:
        self._random = seeded(seed, "orders")
        self._timeline = Timeline()
        self._store = Store(self._timeline, timing, seeded(seed, "store"))
        for number in range(traders):
            market.put_trader(self._store, market.mixed_trader(number, self._random))
        self._containers = [
            Container(
                self._timeline,
                timing,
                self._store,
                seeded(seed, f"container:{number}"),
                Contention(),
            )
            for number in range(containers)
        ]
        self.accepted = self.missed = self.inversions = 0

    def run(self, orders: int, gap_us: int) -> None:
        """Place orders, each a gap after the last answer, on the containers in turn."""
        for number in range(orders):
            container = self._containers[number % len(self._containers)]
            fen = self._random.choice(AMOUNTS_CNY) * 100
            request = market.buy(number, fen, self._random.choice(list(market.METHODS)))
            waiting = self._fitting(request)
            self._judge(container.serve(request), waiting)
            self._timeline.wait(gap_us)

    def lost_claims(self) -> int:
        """Count the cancelled claims."""
        return sum(container.client.reasons.total() for container in self._containers)

    def _fitting(self, request: OrderRequest) -> list[Trader]:
        """Give those who fit, the longest waiting first, as the table has them, not the index."""
        day = trading_day(self._timeline.now_us // 1_000_000)
        demand = Demand(Mode.LIVE, request.method_type, request.cny_fen, 0, day)
        items = self._store.tables[TABLES.traders].items()
        traders = [trader_of(from_item(item)) for item in items]
        fitting = [trader for trader in traders if fits(trader, demand)]
        return sorted(fitting, key=lambda t: (t.last_accepted_us, t.trader_id))

    def _judge(self, answer: Answered, waiting: list[Trader]) -> None:
        if answer.placed is None:
            self.missed += bool(waiting)
            return
        self.accepted += 1
        self.inversions += answer.placed.order.trader_id != waiting[0].trader_id


def rotation_sequential(
    orders: int = 300,
    traders: int = 200,
    seed: int = 1,
    *,
    containers: int = 1,
    gap_us: int = 5 * US_PER_MS,
    timing: Timing = ASSUMED,
) -> RotationFigures:
    """Place orders one after the other and compare each choice with the table itself."""
    sequence = Sequence(traders, containers, seed, timing)
    sequence.run(orders, gap_us)
    return RotationFigures(
        orders, sequence.accepted, sequence.missed, sequence.inversions, sequence.lost_claims()
    )
