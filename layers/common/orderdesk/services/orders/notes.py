"""A dispute's notes: its first reason, and what its parties add (contract section 6).

Each note is written in one transaction with its order, on the order's version. So notes are only
written while the order is disputed, and the order's count of notes is exact.
"""

from collections.abc import Sequence
from dataclasses import replace

from orderdesk.domain.orders.moves import By, OrderChange, move
from orderdesk.domain.orders.notes import (
    Note,
    Said,
    TooManyNotes,
    is_kept,
    pictures_by,
    takes_picture,
    takes_text,
    with_note_counted,
)
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.order_errors import OrderNotFound, StateConflict
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.places import is_picture_upload_of, is_sent, picture_upload_key
from orderdesk.services.orders.move import MovePorts, step_order
from orderdesk.services.orders.receipts import ReceiptPorts, UploadForm, UploadForms, drawn_receipt


def dispute_order(order_no: str, reason: str, by: By, ports: MovePorts, now: int) -> Order:
    """Dispute an order; `reason` ("" for none) is its first note. A repeated call changes nothing.

    If another side has just disputed the order, the reason is added as a further note.
    `now` in Unix seconds.
    Raises: OrderNotFound, StateConflict, TooManyNotes, TraderSuspended, TryAgain.
    """
    note = Note(by.actor, now, reason)

    def step(order: Order) -> OrderChange | None:
        change = move(order, Move.DISPUTE, by, now)
        if not reason:
            return change
        return _texted(order, note, by, ports) if change is None else with_note(change, note)

    return step_order(order_no, step, ports)


def add_text(order_no: str, said: Said, by: By, ports: MovePorts, now: int) -> Order:
    """Add a text of payer, trader or merchant; the same form again succeeds and adds nothing.

    `now` in Unix seconds.
    Raises: OrderNotFound, StateConflict, TooManyNotes, TraderSuspended, TryAgain.
    """
    note = Note(by.actor, now, said.text)

    def step(order: Order) -> OrderChange | None:
        _require_own(order, by)
        return _texted(order, note, by, ports, said.seen)

    return step_order(order_no, step, ports)


def _texted(
    order: Order, note: Note, by: By, ports: MovePorts, seen: int = 0
) -> OrderChange | None:
    """Add a text to a dispute; None if it was added before, after the first `seen` notes."""
    notes = ports.moves.notes(order.order_no)
    if is_kept(note, notes, seen):
        return None
    _require_disputed(order)
    if not takes_text(notes, by.actor):
        raise TooManyNotes
    return noted(order, note, by)


def offer_picture(
    order: Order, notes: Sequence[Note], forms: UploadForms, by: By, return_url: str
) -> UploadForm | None:
    """Return the form for one more picture of a dispute, or None if no more is accepted."""
    if order.status is not OrderStatus.DISPUTED or not takes_picture(notes, by.actor):
        return None
    key = picture_upload_key(order, by, pictures_by(notes, by.actor))
    return forms.upload_form(key, MAX_BYTES, return_url)


def take_picture(order: Order, upload: str, by: By, ports: ReceiptPorts, now: int) -> None:
    """Draw an uploaded file and add it to the dispute; the same upload again succeeds.

    A file that the dispute does not accept is not drawn.
    Raises: UnfitReceipt, OrderNotFound, StateConflict, TooManyNotes, TraderSuspended, TryAgain.
    """

    def require_room(order: Order) -> bool:
        notes = ports.moves.moves.notes(order.order_no)
        if is_sent(upload, notes):
            return False
        _require_disputed(order)
        if not takes_picture(notes, by.actor):
            raise TooManyNotes
        return True

    if not is_picture_upload_of(upload, order, by):
        raise UnfitReceipt(ReceiptProblem.MISSING)
    if not require_room(order):
        return
    picture = drawn_receipt(order, upload, ports.renderer, now)

    def step(order: Order) -> OrderChange | None:
        _require_own(order, by)
        if not require_room(order):
            return None
        return noted(order, Note(by.actor, now, picture=picture), by)

    step_order(order.order_no, step, ports.moves)


def noted(order: Order, note: Note, by: By) -> OrderChange:
    """Return the change of an order that only gets a note."""
    after = replace(order, version=order.version + 1)
    return with_note(OrderChange(order, after, acting_trader_id=by.trader_id), note)


def with_note(change: OrderChange, note: Note) -> OrderChange:
    """Return a change that also adds a note."""
    return replace(change, after=with_note_counted(change.after, note), note=note)


def _require_own(order: Order, by: By) -> None:
    """Check that the order is this payer's or trader's. Raises: OrderNotFound.

    Callers find only a merchant's own orders.
    """
    is_merchants = by.actor is Actor.MERCHANT
    is_payers = by.actor is Actor.PAYER and order.order_type is OrderType.BUY
    is_traders = by.trader_id is not None and by.trader_id == order.trader_id
    if not (is_merchants or is_payers or is_traders):
        raise OrderNotFound


def _require_disputed(order: Order) -> None:
    if order.status is not OrderStatus.DISPUTED:
        raise StateConflict(order.status.value)
