"""A late payment: the receipt of a buy that has expired (contract section 6).

If trader and merchant have room, the order is disputed and the trader's USDT is held again.
Otherwise the receipt is stored as a note, and the status stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from orderdesk.domain.orders.errors import (
    OrderNotFound,
    ShareFull,
    StateConflict,
    TooManyReceipts,
)
from orderdesk.domain.orders.moves import By, is_late_payment, move
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.open_orders import OpenLimit, share_of
from orderdesk.domain.orders.order import Order, Receipt
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.places import (
    is_kept,
    is_sent,
    is_upload_of,
    late_upload_key,
    takes_late_receipt,
)
from orderdesk.domain.traders.errors import CoverLost
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.move import OrderChange, change_of, move_order, step_order
from orderdesk.services.orders.notes import noted
from orderdesk.services.orders.receipts import ReceiptPorts, UploadForm, UploadForms
from orderdesk.services.ports import FindsMerchants, LateClaim

_PAYER = By(Actor.PAYER)


class LateTraders(Protocol):
    """Reads traders."""

    def trader(self, trader_id: str) -> Trader | None:
        """Return a trader's present state, or None. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class LatePorts:
    """The ports of a late payment."""

    receipts: ReceiptPorts
    merchants: FindsMerchants
    traders: LateTraders


def offer_late_upload(
    order: Order, notes: Sequence[Note], forms: UploadForms, return_url: str, now: int
) -> UploadForm | None:
    """Return the form for a late receipt at a time (Unix seconds), or None if none is accepted."""
    if not takes_late_receipt(order, notes, now):
        return None
    return forms.upload_form(late_upload_key(order, notes), MAX_BYTES, return_url)


def take_late_receipt(order: Order, upload: str, ports: LatePorts, now: int) -> None:
    """Draw an uploaded file and dispute the expired order with it, or keep it as a note.

    The same upload again is a success. A file that the order does not accept is not drawn.
    Raises: UnfitReceipt, OrderNotFound, StateConflict, TooManyReceipts, TryAgain.
    """
    moves = ports.receipts.moves
    notes = moves.moves.notes(order.order_no) if order.notes else ()
    if not is_upload_of(upload, order, None):
        raise UnfitReceipt(ReceiptProblem.MISSING)
    if is_kept(upload, order) or is_sent(upload, notes):
        return
    if not is_late_payment(order, now):
        raise StateConflict(order.status_at(now).value)
    if not takes_late_receipt(order, notes, now):
        raise TooManyReceipts
    drawn = ports.receipts.renderer.render(upload, order.merchant_id)
    receipt = Receipt(drawn.key, drawn.content_type, drawn.size_bytes, now, drawn.pages)
    if order.status_at(now) is not order.status:
        # The sweep has not expired the order yet: release its hold first, as the sweep would do.
        move_order(order.order_no, Move.EXPIRE, By(Actor.CLOCK), moves, now)
    try:
        step_order(order.order_no, lambda seen: _reopened(seen, receipt, ports, now), moves)
    except (CoverLost, ShareFull):
        step_order(order.order_no, lambda seen: _kept(seen, receipt, ports, now), moves)


def _reopened(order: Order, receipt: Receipt, ports: LatePorts, now: int) -> OrderChange | None:
    """Return the dispute of an expired order with its receipt. Raises: ShareFull, StateConflict."""
    if receipt.key in {kept.key for kept in order.receipts}:
        return None
    proven = replace(order, receipts=(*order.receipts, receipt))
    change = change_of(move(proven, Move.PAY_LATE, _PAYER, now))
    if change is None:
        raise StateConflict(order.status.value)  # another receipt has disputed it
    assert order.trader_id is not None, "a buy has a trader"
    trader, merchant = (
        ports.traders.trader(order.trader_id),
        ports.merchants.find(order.merchant_id),
    )
    if trader is None or merchant is None:
        raise OrderNotFound
    terms = merchant.terms
    share = share_of(
        order,
        max_orders=terms.max_open_buys,
        max_fen=terms.max_open_cny_fen,
        largest_fen=terms.max_cny_fen,
    )
    if share is not None and share.max_fen < order.quote.cny_fen:
        raise ShareFull(OpenLimit.CNY)
    return replace(change, before=order, late=LateClaim(trader, share))


def _kept(order: Order, receipt: Receipt, ports: LatePorts, now: int) -> OrderChange | None:
    """Return the change that keeps a late receipt as a note. Raises: StateConflict."""
    notes = ports.receipts.moves.moves.notes(order.order_no) if order.notes else ()
    if any(note.picture is not None and note.picture.key == receipt.key for note in notes):
        return None
    if not is_late_payment(order, now):
        raise StateConflict(order.status_at(now).value)
    if not takes_late_receipt(order, notes, now):
        raise TooManyReceipts
    return noted(order, Note(Actor.PAYER, now, picture=receipt), _PAYER)
