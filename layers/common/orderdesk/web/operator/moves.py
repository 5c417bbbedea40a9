"""`order.assign`, `.unassign`, `.cancel`, `.dispute`, `.resolve`, `.reverse`, `.ask`."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from orderdesk.domain.authority import Power
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.money import USDT_DECIMALS, format_usdt
from orderdesk.domain.operators import OperatorRefusal, TraderDoesNotFit, UnacceptableTerms
from orderdesk.domain.orders.notes import AskedSide
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Move
from orderdesk.services.operator import moves
from orderdesk.services.operator.order_lists import LIST_MAX, OrderList, move_list
from orderdesk.services.operator.ports import CommandPorts
from orderdesk.services.operator.reversals import Reversed, Verdict, decide_claim, reverse_order
from orderdesk.services.operator.traders import known_trader
from orderdesk.web.operator import parameters as wire
from orderdesk.web.operator.declare import Json, OperatorPorts, Role, Row, command, powers
from orderdesk.web.operator.order_views import (
    last_effect,
    lines_of,
    note_data,
    order_data,
    reversals_data,
    transfer_lines,
)
from orderdesk.web.operator.parameters import WriteParameters, told
from orderdesk.web.operator.parties import with_names
from orderdesk.web.operator.proposals import results_data
from orderdesk.web.operator.refusals import misfit_text, moving


class AssignParameters(WriteParameters):
    order_no: wire.OrderNo
    trader_id: wire.TraderId
    reason: wire.Reason = ""


class MoveParameters(WriteParameters):
    """An order and why it is moved; the use case requires the reason."""

    order_no: wire.OrderNo
    reason: wire.NeededReason = ""


class ListedParameters(WriteParameters):
    """One order, or a list of orders of one merchant or trader, and why they are moved."""

    order_no: wire.OrderNo | None = None
    order_nos: Annotated[list[wire.Id], Field(min_length=1, max_length=LIST_MAX)] | None = told(
        f"Which orders, repeatable; {LIST_MAX} at most.", None
    )
    reason: wire.NeededReason = ""


class ResolveParameters(ListedParameters):
    """Parameters of `order.resolve`; `amount` is for one order only."""

    outcome: Literal[OrderStatus.COMPLETED, OrderStatus.CANCELLED] = told("How it ends.")
    amount: wire.CnyFen | None = told("The different sum that arrived; only with completed.", None)


class ReverseParameters(MoveParameters):
    """Parameters of `order.reverse`; `usdt` counts in `usdt_amount`, or is `all` that is left."""

    usdt: Annotated[
        int | None,
        BeforeValidator(wire.or_word("all", None, wire.usdt_micro)),
        wire.decimal_text(USDT_DECIMALS, "all"),
    ] = told("Of its usdt_amount, or all that is left.")


class ClaimParameters(MoveParameters):
    """Parameters of `order.claim`; `trader_id` is whose late proof is decided."""

    trader_id: wire.TraderId
    verdict: Verdict = told("Whether the former trader has paid.")


class AskParameters(WriteParameters):
    order_no: wire.OrderNo
    text: wire.FreeText = told("The question; both sides read it.", minLength=1)
    to: AskedSide = told("Who is asked to answer.", AskedSide.BOTH)


@command("order.assign", Role.SUPPORT, powers(Power.ORDER, "order_no trader_id"))
def assign(ports: OperatorPorts, asked: AssignParameters) -> Json:
    """Assign a sell that waits to a trader that fits it, online or not."""
    with moving(ports.orders, asked.order_no, ports.operator.now()) as order:
        try:
            moved = moves.assign(order.order_no, asked.trader_id, ports, reason=asked.reason)
        except TraderDoesNotFit as error:
            trader = known_trader(ports.traders, asked.trader_id)
            text = misfit_text(error.misfits, trader, order, ports.operator.now())
            raise OperatorRefusal(text) from None
    data = _moved(ports, moved)
    if not known_trader(ports.traders, asked.trader_id).online:
        data["warnings"] = ["trader_offline"]
    return data


@command("order.unassign", Role.SUPPORT, powers(Power.ORDER, "order_no"))
def unassign(ports: OperatorPorts, asked: MoveParameters) -> Json:
    """Return an assigned sell to matching; its trader is passed over from now on."""
    return _make(ports, asked, Move.UNASSIGN)


@command("order.cancel", Role.SUPPORT, powers(Power.ORDER, "order_no"))
def cancel(ports: OperatorPorts, asked: MoveParameters) -> Json:
    """Cancel a sell that waits for a trader; its merchant's USDT is released."""
    return _make(ports, asked, Move.CANCEL)


@command("order.dispute", Role.SUPPORT, powers(Power.ORDER, "order_no order_nos"))
def dispute(ports: OperatorPorts, asked: ListedParameters) -> Json:
    """Dispute an assigned sell, a paid buy, or one paid after it expired or was cancelled."""
    return _make_listed(ports, asked, moves.cause_of(Move.DISPUTE, asked.reason))


@command("order.resolve", Role.SUPPORT, powers(Power.ORDER, "order_no order_nos outcome amount"))
def resolve(ports: OperatorPorts, asked: ResolveParameters) -> Json:
    """End a dispute: completed pays out what the order holds, cancelled releases it."""
    if asked.order_nos is not None and asked.amount is not None:
        raise UnacceptableTerms([FieldProblem("amount", "only with order_no")])
    what = moves.resolution(asked.outcome)
    return _make_listed(ports, asked, moves.cause_of(what, asked.reason, asked.amount))


@command("order.reverse", Role.FINANCE, powers(Power.MONEY, "order_no usdt"))
def reverse(ports: OperatorPorts, asked: ReverseParameters) -> Json:
    """Propose to reverse a completed order: what every account covers then, of at most `usdt`."""
    with moving(ports.orders, asked.order_no, ports.operator.now()) as order:
        done = reverse_order(ports, order.order_no, asked.usdt, asked.reason)
    part = format_usdt(done.order.undone.reversals[-1].usdt_micro)
    return _corrected(ports, done, {"money": "reversed"}, usdt=part)


@command("order.claim", Role.FINANCE, powers(Power.MONEY, "order_no trader_id verdict"))
def claim(ports: OperatorPorts, asked: ClaimParameters) -> Json:
    """Propose to decide a late proof of an ended sell: its trader gets the USDT, or nothing."""
    with moving(ports.orders, asked.order_no, ports.operator.now()) as order:
        done = decide_claim(
            *(ports, order.order_no, asked.trader_id), verdict=asked.verdict, reason=asked.reason
        )
    return _corrected(ports, done, {"money": "claimed"} if done.transfer.postings else {})


def _corrected(ports: OperatorPorts, done: Reversed, effect: Json, **more: object) -> Json:
    """Return a reversed or claimed order with the postings of what was done."""
    now, lines = ports.operator.now(), transfer_lines(done.transfer)
    data = {
        **order_data(done.order, now),
        **reversals_data(done.order, now),
        **more,
        "effect": {"money": "stays", **effect, "lines": lines},
    }
    with_names(ports.reads, [data, *lines])
    return data


@command("order.ask", Role.SUPPORT, powers(Power.CONTACT, "order_no text to"))
def ask(ports: OperatorPorts, asked: AskParameters) -> Json:
    """Ask about a disputed order; both sides read it, and the audit trail has it."""
    with moving(ports.orders, asked.order_no, ports.operator.now()) as order:
        after = moves.ask(order.order_no, asked.to, asked.text, ports)
    notes = ports.orders.notes(after.order_no)
    return {"order_no": after.order_no, "notes": [note_data(note) for note in notes]}


def _make(ports: OperatorPorts, asked: MoveParameters, what: Move) -> Row:
    with moving(ports.orders, asked.order_no, ports.operator.now()) as order:
        cause = moves.cause_of(what, asked.reason)
        return _moved(ports, moves.make(order.order_no, cause, ports))


def _make_listed(ports: OperatorPorts, asked: ListedParameters, cause: moves.Cause) -> Json:
    """Move one order, or each of a list; the answer of a list has the result of each."""
    numbers = asked.order_nos
    if (asked.order_no is None) is (numbers is None):
        raise UnacceptableTerms([FieldProblem("order_no", "either order_no or order_nos")])
    if numbers is None:
        assert asked.order_no is not None
        with moving(ports.orders, asked.order_no, ports.operator.now()) as order:
            return _moved(ports, moves.make(order.order_no, cause, ports))
    if len(set(numbers)) < len(numbers):
        raise UnacceptableTerms([FieldProblem("order_nos", "an order is named twice")])

    def one(number: str, of: CommandPorts) -> Order:
        with moving(ports.orders, number, of.operator.now()):
            return moves.make(number, cause, of)

    results = move_list(OrderList(numbers, cause, one), ports)
    return {"results": results_data(results)}


def _moved(ports: OperatorPorts, order: Order) -> Row:
    data, effect = order_data(order, ports.operator.now()), last_effect(order)
    with_names(ports.reads, [data, *lines_of(effect)])
    return {**data, "effect": effect}
