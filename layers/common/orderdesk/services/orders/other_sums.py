"""A different sum arrived: the trader's report, and the payer's answer (contract section 6)."""

from typing import NamedTuple

from orderdesk.domain.money import (
    NotAnAmount,
    TooLarge,
    TooManyDecimals,
    format_cny,
    parse_typed_cny,
)
from orderdesk.domain.orders.moves import By, OrderChange, answered_sum, is_late_payment, move
from orderdesk.domain.orders.notes import Note, TooManyNotes, is_kept, takes_text
from orderdesk.domain.orders.order import Order, OrderStatus, SumAnswer
from orderdesk.domain.orders.order_errors import (
    ShareFull,
    SharesChanged,
    StateConflict,
    SumUncovered,
    UnfitSum,
)
from orderdesk.domain.orders.other_sums import (
    OtherSums,
    SumRule,
    missing_micro,
    other_sums_of,
    priced_for,
)
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.traders.trader import CoverLost
from orderdesk.services.orders.late_receipts import ReopenPorts, reopen, with_limits
from orderdesk.services.orders.move import move_order, step_order
from orderdesk.services.orders.notes import noted
from orderdesk.services.ports import FindsMerchants

_PAYER = By(Actor.PAYER)


def allowed_sums(order: Order, merchants: FindsMerchants) -> OtherSums:
    """Return what the merchant's term `other_sums` is now. Raises: TryAgain."""
    merchant = merchants.find(order.merchant_id)
    terms = None if merchant is None else other_sums_of(merchant.terms.other_sums)
    return terms or OtherSums(SumRule.NO)


class Report(NamedTuple):
    """The sum that arrived, in fen, and the same as text."""

    fen: int
    text: str


def typed_report(typed: str, note: str) -> Report:
    """Return the report of a sum that a trader typed; `note` is its text. Raises: UnfitSum."""
    try:
        fen = parse_typed_cny(typed)
    except (NotAnAmount, TooManyDecimals, TooLarge):
        raise UnfitSum from None
    return Report(fen, note.format(amount=format_cny(fen)))


def report_sum(seen: Order, report: Report, by: By, ports: ReopenPorts, now: int) -> Order:
    """Dispute a buy, because its trader got a different sum.

    If the buy has expired, trader and merchant need room as for a late payment. Without it, the
    report's text is stored as a note, and the status stays. The same report again changes nothing.
    Raises: OrderNotFound, StateConflict, UnfitSum, AmountOutOfRange, TooManyNotes, TraderSuspended,
    TryAgain.
    """
    if not allowed_sums(seen, ports.merchants).is_allowed:
        raise StateConflict(seen.status_at(now).value)
    priced_for(seen, report.fen)

    def step(order: Order) -> OrderChange | None:
        change = move(order, Move.REPORT_SUM, by, now, sum_fen=report.fen)
        if change is None or order.status is not OrderStatus.EXPIRED:
            return change
        return with_limits(change, ports)

    def kept(order: Order) -> OrderChange | None:
        if order.status is not OrderStatus.EXPIRED:
            raise StateConflict(order.status_at(now).value)
        note = Note(Actor.TRADER, now, report.text)
        notes = ports.moves.moves.notes(order.order_no) if order.dispute.notes else ()
        if is_kept(note, notes):
            return None
        if not takes_text(notes, Actor.TRADER):
            raise TooManyNotes
        return noted(order, note, by)

    if is_late_payment(seen, now) and seen.status is not OrderStatus.EXPIRED:
        # The sweep has not expired the order yet: release its hold first, as the sweep would do.
        move_order(seen.order_no, Move.EXPIRE, By(Actor.CLOCK), ports.moves, now)
    try:
        return reopen(seen, step, ports)
    except (CoverLost, ShareFull, SharesChanged):
        return step_order(seen.order_no, kept, ports.moves)


def answer_sum(seen: Order, answer: SumAnswer, ports: ReopenPorts, now: int) -> Order:
    """Record the payer's answer to the reported sum; an agreement completes a buy if it may.

    The merchant's term says whether it may. Otherwise operators decide.
    Raises: StateConflict, TryAgain; SumUncovered after an agreement that cannot complete the buy,
    because its trader lacks USDT: the answer is recorded.
    """
    allowed = allowed_sums(seen, ports.merchants)
    priced = seen

    def step(order: Order) -> OrderChange | None:
        nonlocal priced
        completes = answer is SumAnswer.AGREED and allowed.completes_agreed(order)
        if not completes:
            return recorded(order)
        moved = move(order, Move.AGREE, _PAYER, now)
        priced = order if moved is None else moved.after
        return moved

    def recorded(order: Order) -> OrderChange | None:
        after = answered_sum(order, answer, now)
        return None if after is None else OrderChange(order, after)

    try:
        return step_order(seen.order_no, step, ports.moves)
    except CoverLost:
        after = step_order(seen.order_no, recorded, ports.moves)
        raise SumUncovered(after.status.value, missing_micro(priced)) from None
