"""Late receipts: a payer's of a buy that has expired, a former trader's of a sell (section 6).

A late payment: if trader and merchant have room, the order is disputed and the trader's USDT is
held again. Otherwise the receipt is stored as a note, and the status stays.

A late proof is of a trader that a sell was taken back from, and that had paid. A waiting sell is
disputed with that trader. While another trader has it, the proof is stored, and the sell is
disputed once the other trader loses it without a proof of its own. After its end the proof is a
claim that two people decide.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from orderdesk.domain.orders.moves import By, LateClaim, OrderChange, is_late_payment, move
from orderdesk.domain.orders.notes import Note, TooManyNotes, takes_picture
from orderdesk.domain.orders.open_orders import NeedsRoom, share_at
from orderdesk.domain.orders.order import RETURNS_MAX, LateProof, Order, OrderStatus, Receipt
from orderdesk.domain.orders.order_errors import (
    OrderNotFound,
    ShareFull,
    SharesChanged,
    StateConflict,
    TooManyReceipts,
)
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.places import (
    is_kept,
    is_late_proof_of,
    is_sent,
    is_upload_of,
    late_proof_key,
    late_upload_key,
    takes_late_receipt,
)
from orderdesk.domain.traders.trader import CoverLost, TraderSuspended
from orderdesk.services.orders.move import MovePorts, move_order, step_order
from orderdesk.services.orders.notes import noted
from orderdesk.services.orders.receipts import (
    ReceiptPorts,
    Renderer,
    UploadForm,
    UploadForms,
    drawn_receipt,
)
from orderdesk.services.ports import FindsMerchants, FindsTraders
from orderdesk.services.retrying import until_committed

_PAYER = By(Actor.PAYER)


@dataclass(frozen=True, slots=True)
class ReopenPorts:
    moves: MovePorts
    merchants: FindsMerchants
    traders: FindsTraders


def offer_late_upload(
    order: Order, notes: Sequence[Note], forms: UploadForms, return_url: str, now: int
) -> UploadForm | None:
    """Return the form for a late receipt at a time (Unix seconds), or None if none is accepted."""
    if not takes_late_receipt(order, notes, now):
        return None
    return forms.upload_form(late_upload_key(order, notes), MAX_BYTES, return_url)


def take_late_receipt(
    order: Order, upload: str, renderer: Renderer, ports: ReopenPorts, now: int
) -> None:
    """Draw an uploaded file and dispute the expired order with it, or keep it as a note.

    The same upload again is a success. A file that the order does not accept is not drawn.
    Raises: UnfitReceipt, OrderNotFound, StateConflict, TooManyReceipts, TryAgain.
    """
    moves = ports.moves
    notes = moves.moves.notes(order.order_no) if order.dispute.notes else ()
    if not is_upload_of(upload, order, None):
        raise UnfitReceipt(ReceiptProblem.MISSING)
    if is_kept(upload, order) or is_sent(upload, notes):
        return
    if not is_late_payment(order, now):
        raise StateConflict(order.status_at(now).value)
    if not takes_late_receipt(order, notes, now):
        raise TooManyReceipts
    receipt = drawn_receipt(order, upload, renderer, now)
    if order.status_at(now) is not order.status:
        # The sweep has not expired the order yet: release its hold first, as the sweep would do.
        move_order(order.order_no, Move.EXPIRE, By(Actor.CLOCK), moves, now)
    try:
        reopen(order, lambda seen: _reopened(seen, receipt, ports, now), ports)
    except (CoverLost, ShareFull, SharesChanged):
        step_order(order.order_no, lambda seen: _kept(seen, receipt, ports, now), moves)


def reopen(
    order: Order, reopened: Callable[[Order], OrderChange | None], ports: ReopenPorts
) -> Order:
    """Commit the dispute of an expired order if its counter gets room for it, and return the order.

    Raises: CoverLost, ShareFull, SharesChanged, TryAgain, and what `reopened` raises.
    """
    moves = ports.moves

    def attempt() -> Order:
        return step_order(order.order_no, reopened, moves)

    try:
        return attempt()
    except (ShareFull, SharesChanged):
        amount, first = order.quote.cny_fen, order.counted.open_shard
        wanted = NeedsRoom(order.merchant_id, order.mode, order.order_type, amount, first)
        until_committed(lambda: moves.moves.share_room_out(wanted, moves.chance.token()), moves)
        return attempt()


def _reopened(order: Order, receipt: Receipt, ports: ReopenPorts, now: int) -> OrderChange | None:
    """Return the dispute of an expired order with its receipt. Raises: ShareFull, StateConflict."""
    if receipt.key in {kept.key for kept in order.receipts}:
        return None
    proven = replace(order, receipts=(*order.receipts, receipt))
    change = move(proven, Move.PAY_LATE, _PAYER, now)
    if change is None:
        raise StateConflict(order.status.value)  # another receipt has disputed it
    return replace(with_limits(change, ports), before=order)


def with_limits(change: OrderChange, ports: ReopenPorts) -> OrderChange:
    """Return the dispute of an expired buy, bounded by the limits of trader and merchant.

    Raises: TryAgain.
    """
    order = change.before
    assert order.trader_id is not None, "a buy has a trader"
    trader = ports.traders.trader(order.trader_id)
    merchant = ports.merchants.find(order.merchant_id)
    if trader is None or merchant is None:
        raise OrderNotFound
    share = share_at(merchant.terms.open_shares(order.order_type), order.counted.open_shard)
    return replace(change, late=LateClaim(trader, share))


def _kept(order: Order, receipt: Receipt, ports: ReopenPorts, now: int) -> OrderChange | None:
    """Return the change that keeps a late receipt as a note. Raises: StateConflict."""
    notes = ports.moves.moves.notes(order.order_no) if order.dispute.notes else ()
    if any(note.picture is not None and note.picture.key == receipt.key for note in notes):
        return None
    if not is_late_payment(order, now):
        raise StateConflict(order.status_at(now).value)
    if not takes_late_receipt(order, notes, now):
        raise TooManyReceipts
    return noted(order, Note(Actor.PAYER, now, picture=receipt), _PAYER)


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
    receipt = drawn_receipt(seen, upload, ports.renderer, now)

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
        change = move(proven, Move.PROVE_LATE, by, now)
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
