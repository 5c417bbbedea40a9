"""The automatic assigner: assign waiting sells to the next traders (contract section 6).

A merchant's longest-waiting sell comes first; merchants take turns, and so do live and test. Sells
are assigned in waves, each sell to another trader. A wave is planned in memory as if its sells came
one after the other. Then its transactions are sent at the same time. The rotation is therefore
exact unless another process takes traders. A sell whose transaction failed is in the next wave
again; after two waves it is assigned alone.

Two runs may overlap: each assignment is one conditional transaction, and the later one fails. If
the process dies, committed sells stay assigned, and the next run finds the rest.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from orderdesk.domain.errors import ChangedMeanwhile, Contended, Refusal, Throttled, TryAgain
from orderdesk.domain.orders.moves import By, OrderChange, postpone_offer
from orderdesk.domain.orders.open_orders import WaitingSell, in_turns, merchants_in_turns
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.line import Learned, Line, LinePlan, Turn
from orderdesk.domain.traders.trader import ClaimLost, Trader
from orderdesk.services.orders.move import MovePorts
from orderdesk.services.orders.offer_sell import RotationOfMode, assigned, demand_of
from orderdesk.services.retrying import until_committed

# The larger a wave, the older its view of the traders.
WAVE = 32
LOST_MAX = 2


type WaitingSells = Callable[[Mode, int], Iterator[WaitingSell]]


class Offered(StrEnum):
    """The result for a waiting sell; LEFT: another actor moved or postponed the order first.

    UNREACHED: the run had no time for it. PAGE_UNREAD is the result for a page of sells that could
    not be read.
    """

    ASSIGNED = "assigned"
    NOBODY_FITS = "nobody_fits"
    LEFT = "left"
    FAILED = "failed"
    UNREACHED = "unreached"
    PAGE_UNREAD = "pages_unread"


@dataclass(frozen=True, slots=True)
class Step:
    """A change of a wave; `taken` is its trader after the claim, None if the sell is postponed."""

    change: OrderChange
    taken: Trader | None = None


@dataclass(frozen=True, slots=True)
class AssignPorts:
    """The ports of the assigner; a trader has `window_seconds` to answer.

    `waiting` yields a mode's sells that could be offered at a time (Unix seconds) or before, the
    longest-waiting first; it may lag behind the orders. `orders` returns the present state of those
    that exist. Both raise TryAgain. `run_all` maps over a wave's steps, concurrently or not. A wave
    has at most `wave` sells.
    """

    waiting: WaitingSells
    orders: Callable[[Sequence[str]], Mapping[str, Order]]
    rotation: RotationOfMode
    moves: MovePorts
    window_seconds: int
    run_all: Callable[
        [Callable[[Step], Exception | None], Sequence[Step]], Iterable[Exception | None]
    ]
    report: Callable[[Exception], None]
    wave: int = WAVE


class Run:
    """One run of the assigner: its results, and its later states of traders."""

    def __init__(self, ports: AssignPorts, now_us: Callable[[], int], until: int) -> None:
        self.tally: Counter[Offered] = Counter()
        self.until = until
        self._ports, self._now_us = ports, now_us
        self._learned = Learned()
        self._lost: Counter[str] = Counter()
        self._last_us = 0

    def assign(self, order_nos: Sequence[str]) -> tuple[list[str], list[str]]:
        """Assign a wave; return the sells of the next wave, and those to assign alone."""
        try:
            steps, later = self._plan(order_nos)
        except Exception:  # noqa: BLE001 - one broken item must not stop the others
            return [], list(order_nos)  # assigned alone, only the broken one fails
        errors = self._ports.run_all(self._commit, steps)
        lost = [
            step.change.before.order_no
            for step, error in zip(steps, errors, strict=True)
            if not self._is_over(step, error)
        ]
        self._lost.update(lost)
        again = [order_no for order_no in lost if self._lost[order_no] < LOST_MAX]
        return [*later, *again], [each for each in lost if each not in again]

    def assign_alone(self, order_no: str) -> None:
        """Assign one sell; count a failure."""
        try:
            self.offer(order_no)
        except Exception as error:  # noqa: BLE001 - one broken item must not stop the assigner
            self._failed(error)

    def offer(self, order_no: str) -> None:
        """Assign or postpone one sell, and retry until that is committed. Raises: TryAgain."""

        def attempt() -> None:
            steps, _ = self._plan([order_no])
            for step in steps:
                error = self._commit(step)
                if not self._is_over(step, error):
                    self._lost[order_no] += 1
                    assert error is not None, "what is committed is over"
                    raise error

        until_committed(attempt, self._ports.moves)

    def _plan(self, order_nos: Sequence[str]) -> tuple[list[Step], list[str]]:
        """Return the steps of a wave, and the sells for a later one."""
        orders = self._ports.orders(order_nos)
        at_least = 2 * len(order_nos)
        rotation = self._ports.rotation
        plans = {m: LinePlan(Line(rotation(m, at_least), self._learned)) for m in Mode}
        steps: list[Step] = []
        later: list[str] = []
        done: Counter[Offered] = Counter()
        for order_no in order_nos:
            order = orders.get(order_no)
            if order is None or not _waits(order, self.until):
                done[Offered.LEFT] += 1
                continue
            step = self._step(order, plans[order.mode])
            if step is None:
                later.append(order_no)
            elif step.taken is None and self._lost[order_no]:
                done[Offered.NOBODY_FITS] += 1  # other traders may fit in the next run
            else:
                steps.append(step)
        self.tally += done
        return steps, later

    def _step(self, order: Order, plan: LinePlan) -> Step | None:
        """Assign a sell to the next trader, or postpone it; None if a later wave must decide."""
        now_us = self._next_us()
        demand = demand_of(order, now_us // US_PER_SECOND)
        trader = plan.next_for(demand, order.offers.passed_over)
        if trader is Turn.LATER:
            return None
        if trader is Turn.NOBODY_FITS:
            return Step(OrderChange(order, postpone_offer(order, self.until)))
        change = assigned(order, trader, By(Actor.CLOCK), now_us, self._ports.window_seconds)
        assert change is not None, "a waiting sell is not assigned"
        assert change.claim is not None, "an assignment claims its trader"
        self._last_us = change.claim.accepts_us
        return Step(change, plan.take(trader, demand, self._last_us))

    def _commit(self, step: Step) -> Exception | None:
        """Write a step; return its error. Called from several threads."""
        moves = self._ports.moves
        try:
            moves.moves.commit(step.change, moves.chance.token())
        except Exception as error:  # noqa: BLE001 - the run handles it
            return error
        return None

    def _is_over(self, step: Step, error: Exception | None) -> bool:
        """Count a step's result, and learn from it.

        Return False if the sell must be planned again.
        """
        match error:
            case None:
                if step.taken is not None:
                    self._learned.note(step.taken)
                self.tally[Offered.ASSIGNED if step.taken else Offered.NOBODY_FITS] += 1
            case ClaimLost():
                if error.trader is not None:
                    self._learned.note(error.trader)
                return False
            case ChangedMeanwhile() | Contended() | Throttled():
                return False
            case _:
                self._failed(error)
        return True

    def _failed(self, error: Exception) -> None:
        self.tally[Offered.FAILED] += 1
        if not isinstance(error, Refusal):
            self._ports.report(error)

    def _next_us(self) -> int:
        """Return the time, never the same twice, so that acceptances are in the plan's order."""
        self._last_us = max(self._now_us(), self._last_us + 1)
        return self._last_us


def _waits(order: Order, until: int) -> bool:
    """Return whether an order still waits for an offer; the index may lag."""
    is_matching = order.status is OrderStatus.MATCHING
    return is_matching and order.due_time is not None and order.due_time <= until


# The longest-waiting sells of each mode that take turns in a run. They need some 3 MB of memory.
READ_AHEAD = 15_000


def assign_waiting(
    ports: AssignPorts,
    now_us: Callable[[], int],
    has_time: Callable[[], bool],
    *,
    after_seconds: int,
) -> Counter[Offered]:
    """Assign every sell that has waited `after_seconds`, while there is time left.

    The wait allows merchant and operator to act first. One sell's failure does not stop the others.
    A page that cannot be read ends its mode for this run, and not the other one.
    Raises: TryAgain if no page at all could be read.
    """
    run = Run(ports, now_us, now_us() // US_PER_SECOND - after_seconds)
    tally = run.tally
    waiting = (sell.order_no for sell in _in_turns(ports.waiting, run.until, tally))
    again: list[str] = []
    alone: list[str] = []
    while has_time():
        if alone:
            run.assign_alone(alone.pop(0))
            continue
        wave = [*again, *islice(waiting, ports.wave - len(again))]
        if not wave:
            break
        again, alone = run.assign(wave)
    tally[Offered.UNREACHED] = len(alone) + len(again) + sum(1 for _ in waiting)
    if +tally == {Offered.PAGE_UNREAD: len(Mode)}:
        raise TryAgain  # the run counts as failed and raises an alarm
    return +tally


def _in_turns(waiting: WaitingSells, until: int, tally: Counter[Offered]) -> Iterator[WaitingSell]:
    """Read ahead, and yield one sell of each mode in turn, within a mode one of each merchant."""
    ahead = (_given(islice(waiting(mode, until), READ_AHEAD), tally) for mode in Mode)
    return in_turns([merchants_in_turns(sells) for sells in ahead])


def _given(sells: Iterator[WaitingSell], tally: Counter[Offered]) -> Iterator[WaitingSell]:
    """Yield a mode's sells up to a page that cannot be read; count that page."""
    try:
        yield from sells
    except TryAgain:
        tally[Offered.PAGE_UNREAD] += 1
