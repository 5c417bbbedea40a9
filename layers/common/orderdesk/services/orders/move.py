"""Move an order: the one path for every actor (contract section 6)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.orders.moves import By, OrderChange, move
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.order import MAX_RECEIPTS, Order, OrderStatus, Receipt
from orderdesk.domain.orders.order_errors import OrderNotFound, StateConflict, TooManyReceipts
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.services.ports import Chance, LimitsRoom
from orderdesk.services.retrying import PauseMs, until_committed


class OrderMoves(LimitsRoom, Protocol):
    """Reads an order and writes its next state; each change is one conditional transaction."""

    def order(self, order_no: str) -> Order | None:
        """Return an order, or None. Raises: TryAgain."""

    def notes(self, order_no: str) -> Sequence[Note]:
        """Return the notes of the order's dispute, oldest first. Raises: TryAgain."""

    def commit(self, change: OrderChange, token: str) -> None:
        """Write the changed attributes, move the money, change the trader's count.

        Raises: ChangedMeanwhile, TraderSuspended, ClaimLost, CoverLost, ShareFull, SharesChanged,
        Contended, Throttled, TryAgain.
        """


@dataclass(frozen=True, slots=True)
class MovePorts:
    """The ports of a move; `team_entry` creates the entry of a member's change."""

    moves: OrderMoves
    chance: Chance
    pause_ms: PauseMs
    team_entry: Callable[[OrderChange], AuditEntry] | None = None


def move_order(order_no: str, what: Move, by: By, ports: MovePorts, now: int) -> Order:
    """Make a move. A repeated move succeeds and is not made twice.

    `now` in Unix seconds.
    Raises: OrderNotFound, StateConflict, ProofMissing, TraderSuspended, TryAgain.
    """
    return step_order(order_no, lambda order: move(order, what, by, now), ports)


def step_order(
    order_no: str, step: Callable[[Order], OrderChange | None], ports: MovePorts
) -> Order:
    """Read an order, decide and commit; start again if the order changed meanwhile.

    `step` returns the change, or None if there is nothing to do.
    Raises: OrderNotFound, TryAgain, and whatever `step` and the commit raise and is not retried.
    """

    def attempt() -> Order:
        order = ports.moves.order(order_no)
        if order is None:
            raise OrderNotFound
        change = step(order)
        if change is None:
            return order
        if ports.team_entry is not None:
            change = replace(change, team_entry=ports.team_entry(change))
        ports.moves.commit(change, ports.chance.token())
        return change.after

    return until_committed(attempt, ports)


def add_receipt(seen: Order, receipt: Receipt, by: By, ports: MovePorts, now: int) -> Order:
    """Add a proof of transfer: the payer's to a buy, the assigned trader's to a sell.

    The same transaction also moves a pending buy to paid. A receipt that was already added is a
    success. `seen` is the order that the receipt was uploaded for: a trader's proof belongs to that
    assignment only. `now` in Unix seconds.
    Raises: OrderNotFound, StateConflict, TooManyReceipts, TraderSuspended, TryAgain.
    """

    def step(order: Order) -> OrderChange | None:
        if any(kept.key == receipt.key for kept in order.receipts):
            return None
        if len(order.receipts) >= MAX_RECEIPTS:
            raise TooManyReceipts
        change = _proving(replace(order, receipts=(*order.receipts, receipt)), by, now)
        if by.actor is Actor.TRADER and order.sequence != seen.sequence:
            raise StateConflict(order.status.value)
        return replace(change, before=order, after=replace(change.after, updatetime=now))

    return step_order(seen.order_no, step, ports)


def _proving(order: Order, by: By, now: int) -> OrderChange:
    """Return the change of an order that just got a proof. Raises: OrderNotFound, StateConflict."""
    same = OrderChange(
        order, replace(order, version=order.version + 1), acting_trader_id=by.trader_id
    )
    if by.actor is Actor.TRADER:
        if order.trader_id != by.trader_id:
            raise OrderNotFound
        if order.status is not OrderStatus.ASSIGNED:
            raise StateConflict(order.status.value)
        return same
    if order.status is OrderStatus.PAID:
        return same
    paid = move(order, Move.PAY, by, now)
    if paid is None:
        raise StateConflict(order.status_at(now).value)
    return paid
