"""The reads of a match, with ten to ten thousand traders."""

from random import Random
from typing import NamedTuple

from bench.model import market
from bench.model.fleet import Container
from bench.model.timeline import US_PER_MS, US_PER_SECOND
from bench.model.timing import percentile
from orderdesk.services.orders.match import Contention
from tests.support.chance import seeded

CLASS_FEN = 100_00  # an amount of class n is n times this and fits only the traders of class n


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
    traders: int


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
    """Return the class of amounts of each trader, longest waiting first."""
    many = traders // fitting
    if steady:
        # The state after each fitting trader has had an order: class `many` has accepted last.
        others = [1 + number % max(1, many - 1) for number in range(traders - fitting)]
        return others + [many] * fitting
    dealt = [1 + number % many for number in range(traders)]
    random.shuffle(dealt)
    return dealt
