"""A late proof: of a trader that a sell was taken back from, and that had paid (section 6).

A waiting sell is disputed with that trader. While another trader has it, the proof is stored, and
the sell is disputed once the other trader loses it without a proof of its own. After its end the
proof is a claim that two people decide.
"""

from dataclasses import replace

from orderdesk.domain.orders.moves import By, move
from orderdesk.domain.orders.notes import Note, TooManyNotes, takes_picture
from orderdesk.domain.orders.order import RETURNS_MAX, LateProof, Order, OrderStatus, Receipt
from orderdesk.domain.orders.order_errors import OrderNotFound, TooManyReceipts
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.places import is_kept, is_late_proof_of, is_sent, late_proof_key
from orderdesk.domain.traders.trader_errors import TraderSuspended
from orderdesk.services.orders.move import OrderChange, change_of, step_order
from orderdesk.services.orders.notes import noted
from orderdesk.services.orders.receipts import ReceiptPorts, UploadForm, UploadForms


def offer_late_proof(
    order: Order, trader_id: str, forms: UploadForms, return_url: str, now: int
) -> UploadForm | None:
    """Return the form for a late proof at a time (Unix seconds), or None if none is accepted."""
    returned = order.returned_from(trader_id, now)
    if returned is None or order.has_late_proof_of(trader_id):
        return None
    return forms.upload_form(late_proof_key(order, returned), MAX_BYTES, return_url)


def take_late_proof(seen: Order, upload: str, by: By, ports: ReceiptPorts, now: int) -> Order:
    """Draw an uploaded proof and dispute the sell with it, or store it; again it is a success.

    A suspended trader's proof is stored as a note.
    Raises: UnfitReceipt, OrderNotFound, StateConflict, TooManyReceipts, TooManyNotes, TryAgain.
    """
    returned, moves = seen.returned_from(by.trader_id, now), ports.moves
    if is_kept(upload, seen):
        return seen
    if returned is None:
        raise OrderNotFound
    if not is_late_proof_of(upload, seen, returned):
        raise UnfitReceipt(ReceiptProblem.MISSING)
    drawn = ports.renderer.render(upload, seen.merchant_id)
    receipt = Receipt(drawn.key, drawn.content_type, drawn.size_bytes, now, drawn.pages)

    def step(order: Order) -> OrderChange | None:
        return None if is_kept(upload, order) else _proven(order, receipt, by, now)

    def as_note(order: Order) -> OrderChange | None:
        notes = moves.moves.notes(order.order_no) if order.dispute.notes else ()
        if is_sent(upload, notes):
            return None
        if not takes_picture(notes, Actor.TRADER):
            raise TooManyNotes
        return noted(order, Note(Actor.TRADER, now, picture=receipt), By(Actor.TRADER))

    try:
        return step_order(seen.order_no, step, moves)
    except TraderSuspended:
        return step_order(seen.order_no, as_note, moves)


def _proven(order: Order, receipt: Receipt, by: By, now: int) -> OrderChange | None:
    """Return the change of a sell that got a late proof. Raises: OrderNotFound, TooManyReceipts."""
    if order.status is OrderStatus.MATCHING:
        proven = replace(order, receipts=(*order.receipts, receipt))
        change = change_of(move(proven, Move.PROVE_LATE, by, now))
        return None if change is None else replace(change, before=order)
    if order.returned_from(by.trader_id, now) is None:
        raise OrderNotFound
    if len(order.late.late_proofs) >= RETURNS_MAX:
        raise TooManyReceipts
    assert by.trader_id is not None, "a trader has an id"
    late = (*order.late.late_proofs, LateProof(by.trader_id, receipt))
    after = replace(
        order, version=order.version + 1, updatetime=now, late=replace(order.late, late_proofs=late)
    )
    return OrderChange(order, after, acting_trader_id=by.trader_id)
