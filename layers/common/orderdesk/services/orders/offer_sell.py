"""Assign a sell to a trader: the choice, and the change of the order (contract section 6).

Sells use the same rotation and the same claim as buys, so a trader that takes a buy at the same
time cannot exceed its caps.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from orderdesk.domain.orders.moves import Assignment, By, OrderChange, move
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import NoTraderAvailable
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_SECOND, trading_day
from orderdesk.domain.traders.line import Learned, Line, LinePlan
from orderdesk.domain.traders.matching import Demand
from orderdesk.domain.traders.trader import Claim, Trader

type RotationOfMode = Callable[[Mode, int], Iterator[Trader]]
"""Yields a mode's traders, longest-waiting first; the first page has so many. Raises: TryAgain."""


def demand_of(order: Order, now: int) -> Demand:
    """Return what a sell needs of its trader at a time (Unix seconds)."""
    return Demand(
        order_type=order.order_type,
        mode=order.mode,
        method_type=order.payment_method.method_type,
        cny_fen=order.quote.cny_fen,
        usdt_micro=0,
        day=trading_day(now),
        merchant_id=order.merchant_id,
        slot_share=order.counted.slot_share,
    )


def assigned(
    order: Order, trader: Trader, by: By, now_us: int, window_seconds: int
) -> OrderChange | None:
    """Return the change that assigns a sell to a trader; None if it was already made.

    Raises: StateConflict.
    """
    now = now_us // US_PER_SECOND
    has_cap = trader.most_open is not None
    assignment = Assignment(trader.trader_id, now + window_seconds, in_slot=has_cap)
    change = move(order, Move.ASSIGN, by, now, assignment)
    if change is None:
        return None
    in_rotation = by.actor is Actor.CLOCK
    claim = Claim(trader, trading_day(now), now_us, in_rotation)
    return replace(change, claim=claim)


def next_trader(order: Order, rotation: RotationOfMode, learned: Learned, now_us: int) -> Trader:
    """Return the next trader in rotation that fits a sell. Raises: NoTraderAvailable, TryAgain."""
    plan = LinePlan(Line(rotation(order.mode, 1), learned))
    found = plan.next_for(demand_of(order, now_us // US_PER_SECOND), order.offers.passed_over)
    if not isinstance(found, Trader):
        raise NoTraderAvailable
    return found
