"""`order.assign`, `.unassign`, `.cancel`, `.dispute`, `.resolve`, `.ask` (contract section 6)."""

from collections.abc import Callable
from typing import Literal

from orderdesk.domain.operators import OperatorRefusal, TraderDoesNotFit
from orderdesk.domain.orders.notes import AskedSide
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.services.operator import moves
from orderdesk.services.operator.traders import known_trader
from orderdesk.web.operator.order_views import last_effect, lines_of, note_data, order_data
from orderdesk.web.operator.parameters import FreeText, Id, WriteParameters
from orderdesk.web.operator.parties import Json, Row, with_names
from orderdesk.web.operator.ports import OperatorPorts
from orderdesk.web.operator.refusals import explained_conflicts, misfit_text, order_to_move


class AssignParameters(WriteParameters):
    """Parameters of `order.assign`."""

    order_no: Id
    trader_id: Id
    reason: FreeText = ""


class MoveParameters(WriteParameters):
    """An order and why it is moved; the use case requires the reason."""

    order_no: Id
    reason: FreeText = ""


class ResolveParameters(MoveParameters):
    """Parameters of `order.resolve`."""

    outcome: Literal[OrderStatus.COMPLETED, OrderStatus.CANCELLED]


class AskParameters(WriteParameters):
    """Parameters of `order.ask`."""

    order_no: Id
    text: FreeText
    to: AskedSide = AskedSide.BOTH


def assign(ports: OperatorPorts, asked: AssignParameters) -> Json:
    """Assign a sell that waits to a trader that fits it, online or not."""
    order = order_to_move(ports.orders, asked.order_no, ports.operator.now())
    with explained_conflicts(order):
        try:
            moved = moves.assign(
                order.order_no,
                asked.trader_id,
                ports.order_moves,
                window_seconds=ports.assignment_seconds,
                reason=asked.reason,
            )
        except TraderDoesNotFit as error:
            trader = known_trader(ports.traders, asked.trader_id)
            text = misfit_text(error.misfits, trader, order, ports.operator.now())
            raise OperatorRefusal(text) from None
    data = _moved(ports, moved)
    if not known_trader(ports.traders, asked.trader_id).online:
        data["warnings"] = ["trader_offline"]
    return data


def unassign(ports: OperatorPorts, asked: MoveParameters) -> Json:
    """Return an assigned sell to matching; its trader is passed over from now on."""
    return _make(ports, asked, moves.unassign)


def cancel(ports: OperatorPorts, asked: MoveParameters) -> Json:
    """Cancel a sell that waits for a trader; its merchant's USDT is released."""
    return _make(ports, asked, moves.cancel)


def dispute(ports: OperatorPorts, asked: MoveParameters) -> Json:
    """Dispute an assigned sell, a paid buy, or one paid after it expired or was cancelled."""
    return _make(ports, asked, moves.dispute)


def resolve(ports: OperatorPorts, asked: ResolveParameters) -> Json:
    """End a dispute: completed pays out what the order holds, cancelled releases it."""

    def move(order_no: str, of: moves.OperatorMovePorts, *, reason: str) -> Order:
        return moves.resolve(order_no, asked.outcome, of, reason=reason)

    return _make(ports, asked, move)


def ask(ports: OperatorPorts, asked: AskParameters) -> Json:
    """Ask about a disputed order; payer and trader both read the question."""
    order = order_to_move(ports.orders, asked.order_no, ports.operator.now())
    with explained_conflicts(order):
        after = moves.ask(order.order_no, asked.to, asked.text, ports.order_moves)
    notes = ports.orders.notes(after.order_no)
    return {"order_no": after.order_no, "notes": [note_data(note) for note in notes]}


def _make(ports: OperatorPorts, asked: MoveParameters, move: Callable[..., Order]) -> Row:
    order = order_to_move(ports.orders, asked.order_no, ports.operator.now())
    with explained_conflicts(order):
        return _moved(ports, move(order.order_no, ports.order_moves, reason=asked.reason))


def _moved(ports: OperatorPorts, order: Order) -> Row:
    data, effect = order_data(order, ports.operator.now()), last_effect(order)
    with_names(ports.reads, [data, *lines_of(effect)])
    return {**data, "effect": effect}
