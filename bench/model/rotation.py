"""Sequential orders: whether each goes to the trader that has waited longest."""

from typing import NamedTuple

from bench.model import market
from bench.model.fleet import Container
from bench.model.store import TABLES, Store
from bench.model.timeline import US_PER_SECOND
from bench.model.timing import ASSUMED, Timing
from orderdesk.adapters.dynamodb.marshal import from_item
from orderdesk.adapters.dynamodb.traders.items import trader_of
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.matching import Demand, fits
from orderdesk.services.orders.match import Contention
from tests.support.chance import seeded

AMOUNTS_CNY = (1, 50, 150, 1_500, 6_000, 90_000)


class RotationFigures(NamedTuple):
    """A run's figures, those up to `lost_claims` in the order of the report's columns.

    `missed` counts refusals although a trader fitted, `inversions` orders for which a fitting
    trader had waited longer, `lost_claims` claims that failed because the index lagged.
    """

    orders: int
    missed: int
    inversions: int
    lost_claims: int
    accepted: int


def rotation_sequential(
    orders: int = 300,
    traders: int = 200,
    seed: int = 1,
    *,
    containers: int = 1,
    gap_us: int = 5_000,
    timing: Timing = ASSUMED,
) -> RotationFigures:
    """Place orders of mixed amounts and methods over traders of mixed ranges and methods.

    Each order arrives `gap_us` after the last answer, at the next container. Each choice is
    compared with the table itself, not with the index.
    """
    random = seeded(seed, "orders")
    mixed = [market.mixed_trader(number, random) for number in range(traders)]
    store = market.store_of(mixed, seed, timing)
    streams = (seeded(seed, f"container:{number}") for number in range(containers))
    fleet = [Container(store, each, Contention()) for each in streams]
    accepted = missed = inversions = 0
    for number in range(orders):
        fen = random.choice(AMOUNTS_CNY) * 100
        request = market.buy(number, fen, random.choice(list(market.METHODS)))
        waiting = _fitting(store, request)
        answer = fleet[number % containers].serve(request)
        if answer.placed is None:
            missed += bool(waiting)
        else:
            accepted += 1
            inversions += answer.placed.order.trader_id != waiting[0]
        store.timeline.wait(gap_us)
    lost_claims = sum(container.client.reasons.total() for container in fleet)
    return RotationFigures(orders, missed, inversions, lost_claims, accepted)


def _fitting(store: Store, request: OrderRequest) -> list[str]:
    """Return the ids of the traders in the table that fit, longest waiting first."""
    wanted = request.order_type, Mode.LIVE, request.method_type, request.cny_fen
    day = trading_day(store.timeline.now_us // US_PER_SECOND)
    demand = Demand(*wanted, 0, day, "m1", slot_share=100)
    traders = (trader_of(from_item(item)) for item in store.tables[TABLES.traders].items())
    fitting = [trader for trader in traders if fits(trader, demand)]
    fitting.sort(key=lambda trader: (trader.counts.last_accepted_us, trader.trader_id))
    return [trader.trader_id for trader in fitting]
