"""Moving an order: every actor goes through here (contract section 6)."""

from dataclasses import dataclass, replace
from typing import Protocol

from orderdesk.domain.errors import OrderNotFound, StateConflict, TooManyReceipts
from orderdesk.domain.orders import MAX_RECEIPTS, Order, OrderStatus, Receipt
from orderdesk.domain.transitions import Actor, MoneyEffect, Move, move
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs, until_committed


class OrderMoves(Protocol):
    """Reads an order and writes its next state, each change one conditional transaction."""

    def order(self, order_no: str) -> Order | None:
        """Give an order, or None."""

    def commit(self, before: Order, after: Order, money: MoneyEffect, token: str) -> None:
        """Write what differs, and move the money.

        Raises: ChangedMeanwhile, Contended, Throttled, TryAgain.
        """


@dataclass(frozen=True, slots=True)
class MoveDesk:
    """What a move works with."""

    moves: OrderMoves
    chance: Chance
    pause_ms: PauseMs


def move_order(order_no: str, what: Move, actor: Actor, desk: MoveDesk, now: int) -> Order:
    """Make a move; one that was made before is a success without being made twice.

    `now` in Unix seconds. Raises: OrderNotFound, StateConflict, TryAgain.
    """

    def attempt() -> Order:
        order = _read(order_no, desk)
        moved = move(order, what, actor, now)
        if moved is None:
            return order
        desk.moves.commit(order, moved.order, moved.money, desk.chance.token())
        return moved.order

    return until_committed(attempt, desk.chance, desk.pause_ms)


def add_receipt(order_no: str, receipt: Receipt, desk: MoveDesk, now: int) -> Order:
    """Keep a payer's receipt; a pending order is paid by it, in the same transaction.

    A receipt that is kept already is a success. `now` in Unix seconds.
    Raises: OrderNotFound, StateConflict, TooManyReceipts, TryAgain.
    """

    def attempt() -> Order:
        order = _read(order_no, desk)
        if any(kept.key == receipt.key for kept in order.receipts):
            return order
        if len(order.receipts) >= MAX_RECEIPTS:
            raise TooManyReceipts
        after = replace(_paid(order, now), receipts=(*order.receipts, receipt), updatetime=now)
        desk.moves.commit(order, after, MoneyEffect.STAYS_HELD, desk.chance.token())
        return after

    return until_committed(attempt, desk.chance, desk.pause_ms)


def _paid(order: Order, now: int) -> Order:
    if order.status is OrderStatus.PAID:
        return replace(order, version=order.version + 1)
    moved = move(order, Move.PAY, Actor.PAYER, now)
    if moved is None:
        raise StateConflict(order.status.value)
    return moved.order


def _read(order_no: str, desk: MoveDesk) -> Order:
    order = desk.moves.order(order_no)
    if order is None:
        raise OrderNotFound
    return order
