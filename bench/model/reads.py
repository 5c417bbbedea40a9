"""What finding a trader reads, from ten traders to ten thousand."""

from dataclasses import replace
from random import Random
from typing import NamedTuple

from bench.model import market
from bench.model.figures import percentile
from bench.model.fleet import Container
from bench.model.store import Store
from bench.model.timeline import US_PER_MS, US_PER_SECOND, Timeline
from bench.model.timing import ASSUMED
from orderdesk.services.orders.match import Contention
from tests.support.chance import seeded

CLASS_FEN = 100_00  # an amount of class n is n times this and fits the traders of class n alone


class ReadFigures(NamedTuple):
    """What a match read, index queries and their units: up to `buy_p50_ms` the report's columns.

    `fitting` traders could take each order. `buy_p50_ms` and `requests_max` are of the whole buy.
    """

    fitting: int
    queries_mean: float
    queries_max: int
    read_units_mean: float
    buy_p50_ms: int
    requests_max: int
    traders: int


def match_reads(
    traders: int, orders: int, seed: int = 1, *, fitting_percent: int = 5, steady: bool = False
) -> ReadFigures:
    """Place orders one by one, each of which a few percent of the traders can take, at least one.

    Usually other traders fit each order, by chance. `steady` is the hard case: it is always the
    same ones who fit, for so long that all of them have gone to the end of the rotation.
    """
    random, timeline = seeded(seed, "orders"), Timeline()
    store = Store(timeline, ASSUMED, seeded(seed, "store"))
    fitting = max(1, traders * fitting_percent // 100)
    classes = _classes(traders, fitting, random, steady=steady)
    for number, class_number in enumerate(classes):
        fen = class_number * CLASS_FEN
        one = replace(market.trader(number), min_cny_fen=fen, max_cny_fen=fen)
        market.put_trader(store, one)
    container = Container(timeline, ASSUMED, store, seeded(seed, "container"), Contention())
    asked = sorted(set(classes))[-1:] if steady else sorted(set(classes))
    answers = []
    for number in range(orders):
        answers.append(container.serve(market.buy(number, random.choice(asked) * CLASS_FEN)))
        timeline.wait(US_PER_SECOND)  # the index has caught up
    assert all(answer.placed for answer in answers), "somebody fits every order"
    queries = [answer.queries for answer in answers]
    spans_us = [answer.left_us - answer.came_us for answer in answers]
    return ReadFigures(
        traders=traders,
        fitting=fitting,
        queries_mean=sum(queries) / orders,
        queries_max=max(queries),
        read_units_mean=sum(answer.read_units for answer in answers) / orders,
        requests_max=max(answer.requests for answer in answers),
        buy_p50_ms=round(percentile(spans_us, 50) / US_PER_MS),
    )


def _classes(traders: int, fitting: int, random: Random, *, steady: bool) -> list[int]:
    """Give each trader, the longest waiting first, the class of amounts that it takes."""
    many = traders // fitting
    if steady:
        # As it is once each of those who fit has had an order: class `many` has accepted last.
        others = [1 + number % max(1, many - 1) for number in range(traders - fitting)]
        return others + [many] * fitting
    dealt = [1 + number % many for number in range(traders)]
    random.shuffle(dealt)
    return dealt
