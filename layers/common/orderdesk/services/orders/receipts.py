"""Receipts: a browser uploads a file; what others see of it is drawn from it, then it is kept.

An upload form can be used again until it expires. So an upload is never the receipt itself. A
function of its own draws it and stores the pictures under keys that no form can write to.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from orderdesk.domain.orders.errors import OrderNotFound, StateConflict, TooManyReceipts
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import MAX_RECEIPTS, Order, Receipt
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.places import is_kept, is_upload_of, page_key, upload_key
from orderdesk.services.orders.move import MovePorts, add_receipt


@dataclass(frozen=True, slots=True)
class UploadForm:
    """A form with which a browser can upload one file: its address and its hidden fields."""

    url: str
    fields: Mapping[str, str] = field(repr=False)


class UploadForms(Protocol):
    """Signs forms for the bucket of uploads."""

    def upload_form(self, key: str, max_bytes: int, return_url: str) -> UploadForm:
        """Make a form that uploads exactly this key and then returns to our page."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """What an upload became: its pictures' key, the file's type and size, how many pages."""

    key: str
    content_type: str
    size_bytes: int
    pages: int


class Renderer(Protocol):
    """Draws an upload and stores the pictures."""

    def render(self, upload: str) -> Rendering:
        """Draw the file of a key; the same file again costs no drawing.

        Raises: UnfitReceipt, TryAgain.
        """


@dataclass(frozen=True, slots=True)
class ReceiptPorts:
    """The ports of keeping a receipt."""

    renderer: Renderer
    moves: MovePorts


def offer_upload(
    order: Order, forms: UploadForms, by: By, return_url: str, now: int
) -> UploadForm | None:
    """Give the form for one more receipt, or None if the order takes no more of this uploader."""
    if not _takes(order, by, now) or len(order.receipts) >= MAX_RECEIPTS:
        return None
    return forms.upload_form(upload_key(order, by.trader_id), MAX_BYTES, return_url)


def take_receipt(order: Order, upload: str, by: By, ports: ReceiptPorts, now: int) -> None:
    """Draw an uploaded file and keep it as the order's proof; a payer's also moves it to paid.

    The same upload again is a success. What cannot be kept is not drawn.
    Raises: UnfitReceipt, OrderNotFound, StateConflict, TooManyReceipts, TraderSuspended, TryAgain.
    """
    if not is_upload_of(upload, order, by.trader_id):
        raise UnfitReceipt(ReceiptProblem.MISSING)
    if is_kept(upload, order):
        return
    if not _takes(order, by, now):
        raise StateConflict(order.status_at(now).value)
    if len(order.receipts) >= MAX_RECEIPTS:
        raise TooManyReceipts
    drawn = ports.renderer.render(upload)
    receipt = Receipt(drawn.key, drawn.content_type, drawn.size_bytes, now, drawn.pages)
    add_receipt(order, receipt, by, ports.moves, now)


def picture_key(kept: Iterable[Receipt | None], number: str, page: str) -> str:
    """Give the key of one page's picture of what was kept; both are counted from 1.

    None keeps a place that has no picture.
    Raises: OrderNotFound.
    """
    for place, receipt in enumerate(kept, start=1):
        if receipt is None or number != str(place):
            continue
        if page in map(str, range(1, receipt.pages + 1)):
            return page_key(receipt.key, int(page))
    raise OrderNotFound


def _takes(order: Order, by: By, now: int) -> bool:
    """Tell whether a proof is expected: of a buy's payer, of the trader that has a sell."""
    side = OrderType.BUY if by.trader_id is None else OrderType.SELL
    return order.order_type is side and order.status_at(now).takes_receipts
