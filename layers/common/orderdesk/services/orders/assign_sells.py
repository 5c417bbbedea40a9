"""The automatic assigner: it gives waiting sells to the next traders (contract section 6).

It uses the same rotation and the same claim as buys, so a trader that takes a buy at the same time
cannot exceed its caps by the sell. Sells are assigned one after the other, so that the rotation
stays exact. A merchant's longest-waiting sell comes first; merchants take turns, and so do live
and test. A sell that nobody fits is offered again after a pause, which grows to 5 minutes.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Protocol

from orderdesk.domain.errors import Refusal, TryAgain
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.errors import NoTraderAvailable
from orderdesk.domain.orders.moves import Assignment, By, move, put_off
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.orders.turns import WaitingSell, in_turns, merchants_in_turns
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.errors import ClaimLost
from orderdesk.domain.traders.trader import Demand, Trader, trading_day
from orderdesk.services.orders.match import Candidates, Contention
from orderdesk.services.orders.move import MovePorts, OrderChange, change_of
from orderdesk.services.ports import Chance, Claim, Rotation
from orderdesk.services.retrying import until_committed

# Of each mode, the longest-waiting this many take turns in a run. They fill some 2 MB of memory.
READ_AHEAD = 10_000


class Offered(StrEnum):
    """The result for a waiting sell; LEFT: another actor moved the order or put it off first.

    PAGE_UNREAD is the result for a page of sells that the index did not give.
    """

    ASSIGNED = "assigned"
    NOBODY_FITS = "nobody_fits"
    LEFT = "left"
    FAILED = "failed"
    PAGE_UNREAD = "pages_unread"


class WaitingSells(Protocol):
    """Reads the sells that wait for a trader."""

    def waiting(self, mode: Mode, until: int) -> Iterator[WaitingSell]:
        """Give a mode's sells that could be offered at `until` (Unix seconds) or before.

        The longest-waiting comes first. The index may lag behind the orders.
        Raises: TryAgain.
        """


@dataclass(frozen=True, slots=True)
class AssignPorts:
    """The ports of the assigner; a trader has `window_seconds` to answer."""

    waiting: WaitingSells
    rotation: Rotation
    moves: MovePorts
    window_seconds: int
    report: Callable[[Exception], None]


def assign_waiting(
    ports: AssignPorts,
    now_us: Callable[[], int],
    has_time: Callable[[], bool],
    *,
    after_seconds: int,
) -> Counter[Offered]:
    """Assign every sell that has waited `after_seconds`, while there is time left.

    The wait gives merchant and operator time to act first. One sell's failure does not stop the
    others. A page that cannot be read ends its mode for this run, and not the other one.
    Raises: TryAgain if no page at all could be read.
    """
    tally: Counter[Offered] = Counter()
    until = now_us() // US_PER_SECOND - after_seconds
    for sell in _in_turns(ports.waiting, until, tally):
        if not has_time():
            break
        try:
            tally[offer(sell.order_no, ports, now_us(), until)] += 1
        except Refusal:
            tally[Offered.FAILED] += 1
        except Exception as error:  # noqa: BLE001 - one broken item must not stop the assigner
            ports.report(error)
            tally[Offered.FAILED] += 1
    if tally == {Offered.PAGE_UNREAD: len(Mode)}:
        raise TryAgain  # the run counts as failed, which raises an alarm
    return tally


def _in_turns(waiting: WaitingSells, until: int, tally: Counter[Offered]) -> Iterator[WaitingSell]:
    """Read ahead, and give one sell of each mode in turn, and in a mode one of each merchant."""
    ahead = (_given(islice(waiting.waiting(mode, until), READ_AHEAD), tally) for mode in Mode)
    return in_turns([merchants_in_turns(sells) for sells in ahead])


def _given(sells: Iterator[WaitingSell], tally: Counter[Offered]) -> Iterator[WaitingSell]:
    """Give a mode's sells up to a page that cannot be read; count that page."""
    try:
        yield from sells
    except TryAgain:
        tally[Offered.PAGE_UNREAD] += 1


def offer(order_no: str, ports: AssignPorts, now_us: int, until: int) -> Offered:
    """Assign one sell to the next trader in rotation that fits; if nobody does, put it off.

    Skip traders who declined. Once all have declined, skip only the latest. A pause begins at
    `until` (Unix seconds), up to which this run reads the sells. Raises: TryAgain.
    """
    lost: set[str] = set()

    def attempt() -> Offered:
        order = ports.moves.moves.order(order_no)
        if order is None or not _waits(order, until):
            return Offered.LEFT
        try:
            trader = next_trader(order, ports.rotation, ports.moves.chance, now_us, lost)
        except NoTraderAvailable:
            if not lost:  # a trader that took another order meanwhile may fit in the next run
                pause = OrderChange(order, put_off(order, until))
                ports.moves.moves.commit(pause, ports.moves.chance.token())
            return Offered.NOBODY_FITS
        change = assigned(order, trader, By(Actor.CLOCK), now_us, ports.window_seconds)
        assert change is not None, "a waiting sell is not assigned"
        try:
            ports.moves.moves.commit(change, ports.moves.chance.token())
        except ClaimLost:
            lost.add(trader.trader_id)
            raise
        return Offered.ASSIGNED

    return until_committed(attempt, ports.moves.chance, ports.moves.pause_ms)


def _waits(order: Order, until: int) -> bool:
    """Tell whether an order waits for an offer, as the index said: it may lag."""
    is_matching = order.status is OrderStatus.MATCHING
    return is_matching and order.due_time is not None and order.due_time <= until


def demand_of(order: Order, now: int) -> Demand:
    """Give what a sell needs of its trader at a time (Unix seconds)."""
    assert order.payment_method is not None, "a sell has its customer's method"
    return Demand(
        order_type=order.order_type,
        mode=order.mode,
        method_type=order.payment_method.method_type,
        cny_fen=order.quote.cny_fen,
        usdt_micro=0,
        day=trading_day(now),
    )


def assigned(
    order: Order, trader: Trader, by: By, now_us: int, window_seconds: int
) -> OrderChange | None:
    """Give the change that assigns a sell to a trader; None if it was already made.

    Raises: StateConflict.
    """
    now = now_us // US_PER_SECOND
    change = change_of(
        move(order, Move.ASSIGN, by, now, Assignment(trader.trader_id, now + window_seconds))
    )
    if change is None:
        return None
    in_rotation = by.actor is Actor.CLOCK
    claim = Claim(trader, trading_day(now), now_us, in_rotation)
    return OrderChange(change.before, change.after, change.row, claim)


def next_trader(
    order: Order, rotation: Rotation, chance: Chance, now_us: int, lost: set[str]
) -> Trader:
    """Give the next trader in rotation that fits a sell; `lost` are those that were taken.

    Raises: NoTraderAvailable, TryAgain.
    """
    demand = demand_of(order, now_us // US_PER_SECOND)
    everybody, last = order.passed_over, order.passed_over[-1:]
    for passed_over in [everybody] if everybody == last else [everybody, last]:
        pages = rotation.rotation_pages(demand)
        candidates = Candidates(pages, demand, Contention(), {*passed_over, *lost})
        try:
            return candidates.pick(chance, now_us)
        except NoTraderAvailable:
            continue
    raise NoTraderAvailable
