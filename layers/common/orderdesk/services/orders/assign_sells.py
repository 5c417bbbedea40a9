"""Sells find their trader: offered to the next one in rotation (contract section 6).

The same rotation as buys, and the same claim: a trader who takes a buy in this moment is not given
the sell on top of a full desk. Sells are offered one after the other, the one that waits longest
first, so that rotation stays exact.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from orderdesk.domain.errors import Refusal
from orderdesk.domain.orders.errors import NoTraderAvailable
from orderdesk.domain.orders.moves import Assignment, By, move
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.traders.errors import ClaimLost
from orderdesk.domain.traders.trader import Demand, Trader, trading_day
from orderdesk.services.orders.match import Candidates, Contention
from orderdesk.services.orders.move import MovePorts, OrderChange, change_of
from orderdesk.services.ports import Claim, Rotation
from orderdesk.services.retrying import until_committed

US_PER_SECOND = 1_000_000


class Offered(StrEnum):
    """What became of a waiting sell; LEFT: somebody else was faster."""

    ASSIGNED = "assigned"
    NOBODY_FITS = "nobody_fits"
    LEFT = "left"
    FAILED = "failed"


class WaitingSells(Protocol):
    """The sells that wait for a trader."""

    def waiting(self, until: int) -> Iterator[str]:
        """Give the order_no of each that waits since `until` or longer, longest first.

        May lag behind the orders.
        """


@dataclass(frozen=True, slots=True)
class AssignPorts:
    """What the assigner works with; `window_seconds` is how long a trader has to answer."""

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
    """Offer every sell that has waited `after_seconds`, while there is time left.

    The wait lets merchant and operator act first. One sell's failure stops no other.
    """
    tally: Counter[Offered] = Counter()
    for order_no in ports.waiting.waiting(now_us() // US_PER_SECOND - after_seconds):
        if not has_time():
            break
        try:
            tally[assign_next(order_no, ports, now_us())] += 1
        except Refusal:
            tally[Offered.FAILED] += 1
        except Exception as error:  # noqa: BLE001 - one broken item must not stop the assigner
            ports.report(error)
            tally[Offered.FAILED] += 1
    return tally


def assign_next(order_no: str, ports: AssignPorts, now_us: int) -> Offered:
    """Assign one sell to the next trader in rotation that it fits. Raises: TryAgain.

    Whoever gave it back is passed over; once everybody has, only who did so last is.
    """
    lost: set[str] = set()

    def attempt() -> Offered:
        order = ports.moves.moves.order(order_no)
        if order is None or order.status is not OrderStatus.MATCHING:
            return Offered.LEFT
        trader = _next_trader(order, ports, now_us, lost)
        change = assigned(order, trader, By(Actor.CLOCK), now_us, ports.window_seconds)
        assert change is not None, "a waiting sell is not assigned"
        try:
            ports.moves.moves.commit(change, ports.moves.chance.token())
        except ClaimLost:
            lost.add(trader.trader_id)
            raise
        return Offered.ASSIGNED

    try:
        return until_committed(attempt, ports.moves.chance, ports.moves.pause_ms)
    except NoTraderAvailable:
        return Offered.NOBODY_FITS


def demand_of(order: Order, now: int) -> Demand:
    """Say what a sell asks of its trader at a time (Unix seconds)."""
    assert order.payment_method is not None, "a sell has its customer's method"
    return Demand(
        mode=order.mode,
        method_type=order.payment_method.method_type,
        cny_fen=order.quote.cny_fen,
        usdt_micro=0,
        day=trading_day(now),
    )


def assigned(
    order: Order, trader: Trader, by: By, now_us: int, window_seconds: int
) -> OrderChange | None:
    """Give the change that assigns a sell to a trader; None where that was done before.

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


def _next_trader(order: Order, ports: AssignPorts, now_us: int, lost: set[str]) -> Trader:
    demand = demand_of(order, now_us // US_PER_SECOND)
    everybody, last = order.passed_over, order.passed_over[-1:]
    for passed_over in [everybody] if everybody == last else [everybody, last]:
        pages = ports.rotation.rotation_pages(demand)
        candidates = Candidates(pages, demand, Contention(), {*passed_over, *lost})
        try:
            return candidates.pick(ports.moves.chance, now_us)
        except NoTraderAvailable:
            continue
    raise NoTraderAvailable
