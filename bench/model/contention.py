"""Many concurrent orders over few traders: requests, latency, and fairness of the rotation."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from bench.model import market, refusals
from bench.model.client import StoreClient
from bench.model.fleet import Answered, Container, Fleet
from bench.model.store import TABLES
from bench.model.timing import ASSUMED, Span, Timing, percentile
from orderdesk.adapters.dynamodb.ledger import credit_write, debit_held_write, posting_writes
from orderdesk.adapters.dynamodb.open_orders import moved_writes
from orderdesk.adapters.dynamodb.traders.claims import settle_write
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.domain.accounts import AccountKind
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ledger.settlement import settlement
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import US_PER_MS, US_PER_SECOND
from orderdesk.services.orders.match import Contention
from orderdesk.services.retrying import until_committed
from tests.support.chance import SeededChance, seeded

ORDER_LIFE = Span(5 * US_PER_SECOND, 0.5)  # short, so that most orders of a run end in it
MERCHANTS = 20  # orders alternate between them; each has several counters of open buys


class ContentionFigures(NamedTuple):
    """A run's figures, those up to `spread` in the order of the report's columns.

    Requests are to DynamoDB, per buy; latencies are of the container, in ms. `conflicts` and
    `lost_claims` count cancelled transactions. `spread` is the most orders that a trader accepted
    minus the fewest. `refusals` counts the refused orders by reason.
    """

    orders: int
    requests_mean: float
    requests_p50: int
    requests_p99: int
    latency_p50_ms: int
    latency_p99_ms: int
    conflicts: int
    lost_claims: int
    refused: int
    spread: int
    refusals: Mapping[str, int]
    containers: int


class AlwaysHead(Contention):
    """The naive choice for comparison: always the head of the rotation."""

    def conflicted(self, now_us: int) -> None:
        """Do nothing."""


class Market:
    """A run: the store, its traders, the fleet, and orders that arrive and end."""

    def __init__(
        self,
        traders: int,
        seed: int,
        *,
        timing: Timing = ASSUMED,
        make_contention: Callable[[], Contention] = Contention,
        completes: bool = True,
        merchants: int = MERCHANTS,
        balance_shards: int = 1,
    ) -> None:
        """Create equal traders; their orders end if `completes`."""
        self._merchants, self.balance_shards = merchants, balance_shards
        self._seed = seed
        self._make_contention, self._completes = make_contention, completes
        self._ends = seeded(seed, "ends")
        self._traders = traders
        self.store = market.store_of(map(market.trader, range(traders)), seed, timing)
        self.timeline = self.store.timeline
        self.fleet = Fleet(self._start_container)
        self._completer = StoreClient(self.store, self._ends)
        self.answers: list[Answered] = []
        self.accepted: Counter[str] = Counter()

    def order(self, number: int) -> None:
        """Serve one order and schedule its end."""
        answer = self.fleet.serve(self.new_request(number), number % self._merchants)
        self.answers.append(answer)
        if answer.placed is not None:
            self.accepts(answer.placed.order)

    def accepts(self, order: Order) -> None:
        """Count an order for its trader, if it has one, and schedule its end."""
        self.accepted.update(filter(None, [order.trader_id]))
        if self._completes:
            ends_us = self.timeline.now_us + ORDER_LIFE.draw(self._ends)
            self.timeline.spawn(lambda: self._complete(order), ends_us)

    def new_request(self, number: int) -> OrderRequest:
        return market.buy(number)

    def orders_arrive(self, rate_per_second: int, seconds: int) -> None:
        """Schedule orders at a rate (a Poisson process)."""
        random = seeded(self._seed, "arrivals")
        arrives_us, number = float(self.timeline.now_us), 0
        ends_us = arrives_us + seconds * US_PER_SECOND
        while True:
            arrives_us += random.expovariate(rate_per_second) * US_PER_SECOND
            if arrives_us >= ends_us:
                return
            self.timeline.spawn(partial(self.order, number), round(arrives_us))
            number += 1

    def spread(self) -> int:
        """Return the most orders that a trader accepted minus the fewest."""
        counts = [self.accepted[market.trader(number).trader_id] for number in range(self._traders)]
        return max(counts) - min(counts)

    def _start_container(self) -> Container:
        random = seeded(self._seed, f"container:{len(self.fleet.containers)}")
        contention = self._make_contention()
        return Container(self.store, random, contention, balance_shards=self.balance_shards)

    def _complete(self, order: Order) -> None:
        """Commit the end of an order, as a confirmation does, with retries."""
        chance = SeededChance(self._ends)

        def attempt() -> None:
            transact(cast("Any", self._completer), self.ending(order), chance.token())

        def pause(ms: int) -> None:
            self.timeline.wait(ms * US_PER_MS)

        try:
            until_committed(attempt, SimpleNamespace(chance=chance, pause_ms=pause))
        except TryAgain:
            self.timeline.wait(US_PER_SECOND)  # the trader presses the button again
            self._complete(order)

    def ending(self, order: Order) -> list[Write]:
        """Settle on the trader's item and decrement the count of open buys."""
        is_buy = order.order_type is OrderType.BUY
        moved_micro = -order.quote.usdt_micro if is_buy else order.quote.usdt_micro
        settled = settle_write(TABLES.traders, order, moved_micro, order.updatetime)
        freed = moved_writes(TABLES.orders, order, replace(order, status=OrderStatus.COMPLETED))
        return [settled, *freed]


class Sells(Market):
    """Sells of one merchant, whose initial balance is on shard 0; they need no trader."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named | {"merchants": 1})
        merchant = market.open_directory(0, self.balance_shards).merchant
        market.fund(self.store, merchant, market.AMPLE_MICRO)

    def new_request(self, number: int) -> OrderRequest:
        return market.sell(number)

    def ending(self, order: Order) -> list[Write]:
        """Debit the hold and credit the fee; the traders' items have no contention here."""
        transfer = settlement(replace(order, trader_id="t"), order.createtime)
        own = [each for each in transfer.changes if each.account.kind is not AccountKind.TRADER]
        held, *others = own
        credited = [credit_write(TABLES.ledger, p, order.createtime, order.shard) for p in others]
        moved = [debit_held_write(TABLES.ledger, held, order, order.createtime), *credited]
        return [*moved, *posting_writes(TABLES.ledger, transfer)]


def contention(
    rate_per_second: int,
    traders: int = 100,
    seconds: int = 60,
    seed: int = 1,
    *,
    orders: type[Market] = Market,
    **options: Any,
) -> ContentionFigures:
    """Run orders at a rate, buys by default, over traders who all fit any order.

    `options` are those of a Market.
    """
    run = orders(traders, seed, **options)
    run.orders_arrive(rate_per_second, seconds)
    run.timeline.run()
    requests = [answer.requests for answer in run.answers]
    latencies_us = [answer.latency_us for answer in run.answers]
    reasons = sum((each.client.reasons for each in run.fleet.containers), Counter[str]())
    refused = Counter(answer.refusal for answer in run.answers if answer.refusal)
    return ContentionFigures(
        orders=len(requests),
        refused=refused.total(),
        refusals=refused,
        requests_mean=sum(requests) / len(requests),
        requests_p50=percentile(requests, 50),
        requests_p99=percentile(requests, 99),
        latency_p50_ms=round(percentile(latencies_us, 50) / US_PER_MS),
        latency_p99_ms=round(percentile(latencies_us, 99) / US_PER_MS),
        conflicts=reasons[refusals.CONFLICT],
        lost_claims=reasons[refusals.CONDITION],
        spread=run.spread(),
        containers=len(run.fleet.containers),
    )
