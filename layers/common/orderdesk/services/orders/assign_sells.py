"""The automatic assigner: it gives waiting sells to the next traders (contract section 6).

It uses the same rotation and the same claim as buys, so a trader that takes a buy at the same time
cannot exceed its caps by the sell. Sells are assigned one after the other, the longest-waiting
first, so that the rotation stays exact.
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
    """The result for a waiting sell; LEFT: another actor moved the order first."""

    ASSIGNED = "assigned"
    NOBODY_FITS = "nobody_fits"
    LEFT = "left"
    FAILED = "failed"


class WaitingSells(Protocol):
    """Reads the sells that wait for a trader."""

    def waiting(self, until: int) -> Iterator[str]:
        """Give the order_no of each sell that waits since `until` (Unix seconds) or longer.

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
    others.
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
    """Assign one sell to the next trader in rotation that fits. Raises: TryAgain.

    Skip traders who declined. Once all have declined, skip only the latest.
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
    """Give what a sell needs of its trader at a time (Unix seconds)."""
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
