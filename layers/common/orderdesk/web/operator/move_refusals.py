"""Why an order cannot be moved, in English that says what is possible instead."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.operators import OperatorRefusal
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.errors import StateConflict
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import TRANSITIONS, Actor
from orderdesk.domain.traders.trader import Misfit, Trader, trading_day
from orderdesk.services.operator.orders import find_order
from orderdesk.services.ports import Orders
from orderdesk.web.operator.order_views import command_of


class MoveConflict(OperatorRefusal):
    """The status of an order or draft does not allow the move."""

    def __init__(self, text: str, status: OrderStatus | DraftStatus) -> None:
        super().__init__(text)
        self.status = status


def order_to_move(orders: Orders, number: str, now: int) -> Order:
    """Find an order (`now` in Unix seconds). Raises: UnknownId, MoveConflict for a draft."""
    found = find_order(orders, number)
    if isinstance(found, Draft):
        raise MoveConflict(draft_text(found, now), found.status_at(now))
    return found


@contextmanager
def explained_conflicts(order: Order) -> Iterator[None]:
    """Add the moves that are possible to a conflict with the order's status.

    Raises: MoveConflict.
    """
    try:
        yield
    except StateConflict as error:
        status = OrderStatus(error.status)
        raise MoveConflict(conflict_text(order, status), status) from None


def conflict_text(order: Order, status: OrderStatus) -> str:
    """Return an order's status and the moves that an operator can make from there."""
    possible = [
        _written(*command_of(row.move))
        for row in TRANSITIONS
        if row.order_type is order.order_type
        and status in row.sources
        and Actor.OPERATOR in row.actors
    ]
    is_its = status is OrderStatus.ASSIGNED and order.status is status
    whose = f" to trader {order.trader_id}" if is_its else ""
    which = f"possible now: {', '.join(possible)}" if possible else "operators cannot move it now"
    return f"{order.order_type.name.lower()} {order.order_no} is {status.value}{whose}; {which}"


def _written(command: str, parameters: dict[str, object]) -> str:
    return " ".join([command.replace(".", " "), *map(str, parameters.values())])


def draft_text(draft: Draft, now: int) -> str:
    """Return that a draft is no order, and which order it became (`now` in Unix seconds)."""
    status = draft.status_at(now).value
    became = f"; its order is {draft.order_no}" if draft.order_no else ""
    return f"{draft.pending_no} is a draft ({status}), not an order{became}"


def misfit_text(misfits: Sequence[str], trader: Trader, order: Order, now: int) -> str:
    """Return every rule that excludes a trader from an order (`now` in Unix seconds)."""
    reasons = "; ".join(_misfit_words(Misfit(name), trader, order, now) for name in misfits)
    return f"trader {trader.trader_id} cannot take {order.order_no}: {reasons}"


def _misfit_words(misfit: Misfit, trader: Trader, order: Order, now: int) -> str:  # noqa: PLR0911
    assert order.payment_method is not None, "every order has a payment method"
    this_is = f"this is {format_cny(order.quote.cny_fen)}"
    match misfit:
        case Misfit.MODE:
            return f"a {order.mode.value} order goes to a {order.mode.value} trader only"
        case Misfit.SUSPENDED:
            return "it is suspended (`trader online` lifts that)"
        case Misfit.METHOD:
            return f"it has no {order.payment_method.method_type.value} method"
        case Misfit.RANGE:
            smallest, largest = format_cny(trader.smallest_fen), format_cny(trader.largest_fen)
            return f"it takes {smallest} to {largest} CNY, {this_is}"
        case Misfit.BALANCE:
            return f"it has {format_usdt(trader.available_micro)} USDT available"
        case Misfit.OPEN_ORDERS:
            return f"it has {trader.open_orders} open orders of {trader.most_open} allowed"
        case Misfit.DAILY_CAP:
            used = format_cny(trader.used_on(trading_day(now)))
            cap = format_cny(trader.most_a_day_fen or 0)
            return f"it has used {used} of its {cap} CNY a day, {this_is}"
