"""What finding a trader reads, from ten traders to ten thousand."""

from dataclasses import dataclass, replace
from random import Random

from bench.model import market
from bench.model.chance import seeded
from bench.model.fleet import Answered, Container
from bench.model.store import Store
from bench.model.timeline import US_PER_MS, US_PER_SECOND, Timeline
from bench.model.timing import ASSUMED
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.match import Contention

CLASS_FEN = 100_00  # an amount of class n is n times this and fits the traders of class n alone


@dataclass(frozen=True, slots=True)
class ReadFigures:
    """What a match read: index queries and their read units.

    `fitting` of the `traders` could take each order. `requests_max` and `buy_p50_ms` are of the
    whole buy.
    """

    traders: int
    fitting: int
    orders: int
    queries_mean: float
    queries_max: int
    read_units_mean: float
    requests_max: int
    buy_p50_ms: int


def match_reads(
    traders: int, orders: int, seed: int = 1, *, fitting_percent: int = 5, steady: bool = False
) -> ReadFigures:
    """Place orders one by one, each of which a few percent of the traders can take, at least one.

    Usually other traders fit each order, by chance. `steady` is the hard case: it is always the
    same ones who fit, for so long that all of them have gone to the end of the rotation.
    """
    random = seeded(seed, "orders")
    timeline = Timeline()
    store = Store(timeline, ASSUMED, seeded(seed, "store"))
    fitting = max(1, traders * fitting_percent // 100)
    classes = _classes(traders, fitting, random, steady=steady)
    for number, class_number in enumerate(classes):
        market.put_trader(store, _trader_of_class(number, class_number))
    container = Container(timeline, ASSUMED, store, seeded(seed, "container"), Contention())
    asked = sorted(set(classes))[-1:] if steady else sorted(set(classes))
    answers = []
    for number in range(orders):
        answers.append(container.serve(market.buy(number, random.choice(asked) * CLASS_FEN)))
        timeline.wait(US_PER_SECOND)  # the index has caught up
    return _figures(traders, fitting, answers)


def _classes(traders: int, fitting: int, random: Random, *, steady: bool) -> list[int]:
    """Give each trader, the longest waiting first, the class of amounts that it takes."""
    many = traders // fitting
    if steady:
        # As it is once each of those who fit has had an order: class `many` has accepted last.
        return [1 + number % max(1, many - 1) for number in range(traders - fitting)] + [
            many
        ] * fitting
    dealt = [1 + number % many for number in range(traders)]
    random.shuffle(dealt)
    return dealt


def _trader_of_class(number: int, class_number: int) -> Trader:
    amount_fen = class_number * CLASS_FEN
    return replace(market.trader(number), min_cny_fen=amount_fen, max_cny_fen=amount_fen)


def _figures(traders: int, fitting: int, answers: list[Answered]) -> ReadFigures:
    assert all(answer.placed for answer in answers), "somebody fits every order"
    queries = [answer.queries for answer in answers]
    spans_us = sorted(answer.left_us - answer.came_us for answer in answers)
    return ReadFigures(
        traders=traders,
        fitting=fitting,
        orders=len(answers),
        queries_mean=sum(queries) / len(queries),
        queries_max=max(queries),
        read_units_mean=sum(answer.read_units for answer in answers) / len(answers),
        requests_max=max(answer.requests for answer in answers),
        buy_p50_ms=round(spans_us[len(spans_us) // 2] / US_PER_MS),
    )
