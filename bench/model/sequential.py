"""Orders one after the other: who gets each, and what a match reads."""

from random import Random
from typing import NamedTuple

from bench.model import market
from bench.model.fleet import Container
from bench.model.store import TABLES, Store
from bench.model.timing import ASSUMED, Timing, percentile
from orderdesk.adapters.dynamodb.marshal import from_item
from orderdesk.adapters.dynamodb.traders.items import trader_of
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_MS, US_PER_SECOND, trading_day
from orderdesk.domain.traders.matching import Demand, fits
from orderdesk.services.orders.match import Contention
from tests.support.chance import seeded

AMOUNTS_CNY = (1, 50, 150, 1_500, 6_000, 90_000)
CLASS_FEN = 100_00  # an amount of class n is n times this and fits only the traders of class n


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


class ReadFigures(NamedTuple):
    """The index queries of a match and their units, up to `buy_p50_ms` in the order of the columns.

    `fitting` traders fit each order. `buy_p50_ms` and `requests_max` are of the whole buy.
    """

    fitting: int
    queries_mean: float
    queries_max: int
    read_units_mean: float
    buy_p50_ms: int
    requests_max: int


def match_reads(traders: int, orders: int, seed: int = 1, *, steady: bool = False) -> ReadFigures:
    """Place orders one at a time; 5 % of the traders, at least one, fit each.

    By default random traders fit each order. `steady` is the hard case: always the same traders
    fit, and all of them are at the end of the rotation.
    """
    random = seeded(seed, "orders")
    fitting = max(1, traders * 5 // 100)
    classes = _classes(traders, fitting, random, steady=steady)
    amounts = enumerate(class_number * CLASS_FEN for class_number in classes)
    traders_of = (market.trader(n, fen, fen) for n, fen in amounts)
    store = market.store_of(traders_of, seed)
    container = Container(store, seeded(seed, "container"), Contention())
    asked = sorted(set(classes))[-1:] if steady else sorted(set(classes))
    answers = []
    for number in range(orders):
        answers.append(container.serve(market.buy(number, random.choice(asked) * CLASS_FEN)))
        store.timeline.wait(US_PER_SECOND)  # so that the index is up to date
    assert all(answer.placed for answer in answers), "a trader fits every order"
    queries = [answer.queries for answer in answers]
    latencies_us = [answer.latency_us for answer in answers]
    return ReadFigures(
        fitting=fitting,
        queries_mean=sum(queries) / orders,
        queries_max=max(queries),
        read_units_mean=sum(answer.read_units for answer in answers) / orders,
        requests_max=max(answer.requests for answer in answers),
        buy_p50_ms=round(percentile(latencies_us, 50) / US_PER_MS),
    )


def _classes(traders: int, fitting: int, random: Random, *, steady: bool) -> list[int]:
    """Return the class of amounts of each trader, longest waiting first."""
    many = traders // fitting
    if steady:
        # The state after each fitting trader has had an order: class `many` has accepted last.
        others = [1 + number % max(1, many - 1) for number in range(traders - fitting)]
        return others + [many] * fitting
    dealt = [1 + number % many for number in range(traders)]
    random.shuffle(dealt)
    return dealt
