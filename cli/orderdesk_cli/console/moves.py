"""Operators' moves of an order: each is asked about first, with a reason as the commands need."""

from collections.abc import Iterator
from dataclasses import dataclass

import typer
from starlette.responses import Response

from orderdesk.domain.operators import OperatorRefusal, TraderDoesNotFit, UnknownId
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import TRANSITIONS, Actor, Move
from orderdesk.domain.traders.trader import misfits
from orderdesk.services.operator import moves as operator_moves
from orderdesk.services.operator.traders import known_trader
from orderdesk.services.orders.offer_sell import demand_of
from orderdesk_cli.console.asking import ask_action
from orderdesk_cli.console.evidence import order_of_visit
from orderdesk_cli.console.questions import WHY, WHY_IF_ANY, Choice, Question, ask
from orderdesk_cli.console.sheets import Action
from orderdesk_cli.console.summary import order_facts
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.orders.move_views import money_lines
from orderdesk_cli.orders.refusals import misfit_text

TRADER = "trader_id"


@dataclass(frozen=True, slots=True)
class MoveWords:
    """A move's part of the address, its link, its question and its button."""

    part: str
    link: str
    title: str
    text: str
    button: str
    look: str = ""


def words_of(move: Move) -> MoveWords | None:  # noqa: PLR0911 - one for each
    """Give an operator's move its words; None for a move of others."""
    match move:
        case Move.ASSIGN:
            return MoveWords(
                *("assign", "Assign", "Whom do you give this sell?"),
                "The trader pays the customer and confirms with a proof.",
                "Assign it",
            )
        case Move.UNASSIGN:
            return MoveWords(
                *("unassign", "Take it back", "Take this sell back from its trader?"),
                "It goes back to matching, and this trader is passed over from now on. Make sure "
                "that the trader has not paid.",
                *("Take it back", "wrong"),
            )
        case Move.CANCEL:
            return MoveWords(
                *("cancel", "Cancel", "Cancel this sell?"),
                "The merchant gets back the USDT that is held for it.",
                *("Cancel it", "wrong"),
            )
        case Move.DISPUTE:
            return MoveWords(
                *("dispute", "Dispute", "Dispute this order?"),
                "Nobody but an operator can move it then. For a payment that came late, the "
                "trader's USDT is held again.",
                *("Dispute it", "wrong"),
            )
        case Move.RESOLVE_COMPLETED:
            return MoveWords(
                *("complete", "Resolve: completed", "The money was paid: complete this order?"),
                "What the order holds is paid out. This cannot be undone.",
                "Complete it",
            )
        case Move.RESOLVE_CANCELLED:
            return MoveWords(
                *("resolve-cancelled", "Resolve: cancelled", "No money was paid: cancel it?"),
                "What the order holds goes back. This cannot be undone.",
                *("Cancel it", "wrong"),
            )
        case Move.PAY | Move.CONFIRM | Move.EXPIRE | Move.DECLINE | Move.LAPSE:
            return None  # the payer's, the trader's, or the clock's


PARTS = {words.part: move for move in Move if (words := words_of(move))}
"""The operators' moves by their part of the address."""


def offered(order: Order, now: int) -> Iterator[Move]:
    """Give the moves that an operator can make of an order now (Unix seconds)."""
    for row in TRANSITIONS:
        is_its = row.order_type is order.order_type and order.status_at(now) in row.sources
        if is_its and Actor.OPERATOR in row.actors:
            yield row.move


def actions_of(visit: Visit, order: Order, now: int) -> list[Action]:
    """Give the links to the questions of an order's moves."""
    found = [words for move in offered(order, now) if (words := words_of(move))]
    ask = [ask_action(visit, order)] if order.status is OrderStatus.DISPUTED else []
    return ask + [
        Action(words.link, visit.to(f"orders/{order.order_no}/{words.part}"), words.look or "soft")
        for words in found
    ]


def asked(visit: Visit) -> Response:
    """Ask about a move; it shows what the move will do with the order's USDT."""
    order, move = order_of_visit(visit), _move(visit)
    words, now = words_of(move), visit.now
    assert words is not None
    if move not in offered(order, now):
        status = order.status_at(now).value
        raise OperatorRefusal(f"{order.order_no} is {status}: nobody can do this with it now")
    is_assignment = move is Move.ASSIGN
    foreseen = None if is_assignment else operator_moves.foreseen(order, move, now)
    return ask(
        visit,
        "orders",
        Question(
            title=words.title,
            text=words.text,
            button=words.button,
            look=words.look,
            back=visit.to(f"orders/{order.order_no}"),
            facts=order_facts(visit, order, now),
            lines=[] if foreseen is None else money_lines(foreseen.order),
            fields=[WHY_IF_ANY if is_assignment else WHY],
            choices=list(_choices(visit, order, now)) if is_assignment else [],
            choices_label="Traders that this sell fits, the least busy first",
            choice_name=TRADER,
        ),
    )


def made(visit: Visit) -> Response:
    """Make a move by the same use case as the command."""
    order, ports, reason = order_of_visit(visit), visit.office.order_ports, visit.reason
    number = order.order_no
    match _move(visit):
        case Move.ASSIGN:
            _assign(visit, order)
        case Move.UNASSIGN:
            operator_moves.unassign(number, ports, reason=reason)
        case Move.CANCEL:
            operator_moves.cancel(number, ports, reason=reason)
        case Move.DISPUTE:
            operator_moves.dispute(number, ports, reason=reason)
        case Move.RESOLVE_COMPLETED:
            operator_moves.resolve(number, OrderStatus.COMPLETED, ports, reason=reason)
        case Move.RESOLVE_CANCELLED:
            operator_moves.resolve(number, OrderStatus.CANCELLED, ports, reason=reason)
        case Move.PAY | Move.CONFIRM | Move.EXPIRE | Move.DECLINE | Move.LAPSE:
            raise AssertionError("no operator's move")
    return visit.go(f"orders/{number}")


def _assign(visit: Visit, order: Order) -> None:
    trader_id = visit.form.get(TRADER)
    if trader_id is None:
        raise typer.BadParameter("choose a trader")
    office = visit.office
    window = office.stack.assignment_seconds
    try:
        operator_moves.assign(
            *(order.order_no, trader_id, office.order_ports),
            window_seconds=window,
            reason=visit.reason,
        )
    except TraderDoesNotFit as error:
        trader = known_trader(office.traders, trader_id)
        raise OperatorRefusal(misfit_text(error.misfits, trader, order, visit.now)) from None


def _choices(visit: Visit, order: Order, now: int) -> Iterator[Choice]:
    demand = demand_of(order, now)
    fitting = [each for each in visit.office.traders.traders() if not misfits(each, demand)]
    for trader in sorted(fitting, key=lambda t: (not t.online, t.open_orders, t.trader_id)):
        duty = "online" if trader.online else "offline: tell them of the order"
        passed = ", gave this sell back before" if trader.trader_id in order.passed_over else ""
        note = f"{trader.open_orders} open orders, {duty}{passed}"
        yield Choice(trader.trader_id, f"{trader.name} ({trader.trader_id})", note)


def _move(visit: Visit) -> Move:
    part = visit.parts["move"]
    if part not in PARTS:
        raise UnknownId("move", part)
    return PARTS[part]
