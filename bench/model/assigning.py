"""A run of the assigner over many waiting sells: its throughput and fairness."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple, cast

from bench.model import market
from bench.model.client import StoreClient
from bench.model.contention import Market
from bench.model.store import TABLES
from bench.model.timing import ASSUMED, Timing
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.dynamodb.orders.moves import OrderMoveStore
from orderdesk.adapters.dynamodb.orders.reads import OrderStore
from orderdesk.adapters.dynamodb.traders.items import ShardedRotation
from orderdesk.domain.orders.moves import OrderChange
from orderdesk.domain.orders.open_orders import WaitingSell
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_MS, US_PER_SECOND
from orderdesk.services.orders.assign_sells import AssignPorts, assign_waiting
from orderdesk.services.orders.move import MovePorts
from tests.support.chance import SeededChance, seeded

WORKERS = 16  # of functions/assign_sells
WORKING_SHARE = 40 / 60  # the function's timeout minus its reserve, of each minute
PAGE, PAGE_US = 250, 6 * US_PER_MS  # the assigner reads the index of waiting sells ahead
LOOK_US = 100
WAITING_PER_SECOND = 500  # more than the assigner can assign


class AssignFigures(NamedTuple):
    """A run's figures, those up to `lost` in the order of the report's columns.

    `sustained`: sells a second. `inversions`: meaningful only without buys. `lost`: refused writes.
    """

    assigned: int
    sustained: float
    inversions: int
    spread: int
    lost: int
    sells: tuple[str, ...]


class Assigner(OrderMoveStore):
    """The function's container; its threads share one vCPU."""

    def __init__(self, run: Market, sells: Sequence[Order], random: Random) -> None:
        self.client = StoreClient(run.store, random, is_shared=True)
        client, chance, timeline = cast("Any", self.client), SeededChance(random), run.timeline
        super().__init__(client, TABLES)
        self.taken: list[tuple[int, str, str]] = []
        self._run, self._numbers = run, [sell.order_no for sell in sells]
        self.ports = AssignPorts(
            waiting=self.waiting,
            orders=OrderStore(client, TABLES.orders).orders,
            rotation=ShardedRotation(client, TABLES.traders, 1, chance).line,
            moves=MovePorts(self, chance, lambda pause_ms: timeline.wait(pause_ms * US_PER_MS)),
            window_seconds=1800,
            run_all=self._run_all,
            report=self._report,
        )

    def waiting(self, mode: Mode, _until: int) -> Iterator[WaitingSell]:
        """Yield the sells; all are live."""
        for place, number in enumerate(self._numbers if mode is Mode.LIVE else ()):
            if place % PAGE == 0:
                self._run.timeline.wait(PAGE_US)
            yield WaitingSell(number, "m1")

    def commit(self, change: OrderChange, token: str) -> None:
        """Commit a change and schedule the order's end."""
        super().commit(change, token)
        assert change.claim is not None, "a trader fits every sell"
        claim, number = change.claim, change.after.order_no
        self.taken.append((claim.accepts_us, claim.trader.trader_id, number))
        self._run.accepts(change.after)

    def _run_all(self, commit: Callable[[Any], Any], steps: Sequence[Any]) -> list[Any]:
        timeline, coming, done = self._run.timeline, iter(enumerate(steps)), dict[int, Any]()

        def work() -> None:
            for number, step in coming:
                done[number] = commit(step)

        for _ in range(WORKERS):
            timeline.spawn(work)
        while len(done) < len(steps):
            timeline.wait(LOOK_US)
        return [done[number] for number in range(len(steps))]

    def _report(self, error: Exception) -> None:
        raise error


def assigning(
    buys_per_second: int = 0,
    traders: int = 100,
    seconds: int = 10,
    seed: int = 1,
    *,
    runs: int = 1,
    timing: Timing = ASSUMED,
    completes: bool = True,
) -> AssignFigures:
    """Run the assigner over more sells than it can assign, with concurrent buys and `runs`."""
    run = Market(traders, seed, timing=timing, completes=completes)
    numbers = range(WAITING_PER_SECOND * seconds)
    sells = [market.waiting_sell(number, run.timeline.now_us) for number in numbers]
    for sell in sells:
        run.store.put(TABLES.orders, order_item(sell))
    if buys_per_second:
        run.orders_arrive(buys_per_second, seconds)
    ends_us = run.timeline.now_us + seconds * US_PER_SECOND
    streams = (seeded(seed, f"assigner:{number}") for number in range(runs))
    assigners = [Assigner(run, sells, random) for random in streams]

    def assign(ports: AssignPorts) -> None:
        now, goes_on = lambda: run.timeline.now_us, lambda: run.timeline.now_us < ends_us
        assign_waiting(ports, now, goes_on, after_seconds=10)

    for each in assigners:
        run.timeline.spawn(partial(assign, each.ports))
    run.timeline.run()
    taken = sorted(one for each in assigners for one in each.taken)
    return AssignFigures(
        assigned=len(taken),
        sustained=len(taken) / seconds * WORKING_SHARE,
        inversions=_inversions([trader_id for _, trader_id, _ in taken], traders),
        spread=run.spread(),
        lost=sum(each.client.reasons.total() for each in assigners),
        sells=tuple(number for *_, number in taken),
    )


def _inversions(taken: Sequence[str], traders: int) -> int:
    """Count sells for which another trader had waited longer; all traders fit every sell."""
    line, inversions = deque(market.trader(number).trader_id for number in range(traders)), 0
    for trader_id in taken:
        inversions += line[0] != trader_id
        line.remove(trader_id)
        line.append(trader_id)
    return inversions
