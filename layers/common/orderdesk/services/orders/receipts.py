"""Receipts: a browser uploads a file, and pictures of it are drawn and stored.

An upload form can be used again until it expires, so an upload is never the receipt itself. A
separate function draws it and stores the pictures under keys that no form can write to.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import MAX_RECEIPTS, Order, Receipt
from orderdesk.domain.orders.order_errors import OrderNotFound, StateConflict, TooManyReceipts
from orderdesk.domain.payment_methods import is_code_text
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.places import is_kept, is_upload_of, page_key, upload_key
from orderdesk.services.orders.move import MovePorts, add_receipt

_WEB = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class UploadForm:
    """A form with which a browser can upload one file: its address and its hidden fields."""

    url: str
    fields: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file's version, size, and first bytes."""

    version: str
    size_bytes: int
    content: bytes = field(repr=False)


class UploadForms(Protocol):
    """Signs forms for the bucket of uploads."""

    def upload_form(self, key: str, max_bytes: int, return_url: str) -> UploadForm:
        """Return a form that uploads exactly this key and then returns to our page."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """The result of drawing an upload: its pictures' key, the file's type and size, its pages."""

    key: str
    content_type: str
    size_bytes: int
    pages: int


class Renderer(Protocol):
    """Draws uploads and stores the pictures, and reads payment codes of pictures."""

    def render(self, upload: str, merchant_id: str) -> Rendering:
        """Draw the file of a key for an order of a merchant; a file is drawn once.

        Raises: UnfitReceipt, TryAgain.
        """

    def read_code(self, upload: str, trader_id: str) -> str:
        """Return the text of an uploaded picture's code. Raises: UnfitReceipt, TryAgain."""

    def fetch_code(self, order_no: str, owner: str, url: str) -> str:
        """Return the text of the code at an address, which is fetched once for an order.

        `owner` is whose place for decoding it takes.
        Raises: UnfitReceipt, TryAgain.
        """


@dataclass(frozen=True, slots=True)
class ReceiptPorts:
    renderer: Renderer
    moves: MovePorts


def code_text(order: Order, renderer: Renderer) -> str | None:
    """Return the text of an order's payment code; None if there is none that we can draw.

    It is a wallet's own text. A trader's is never fetched. A customer's can have the address of a
    picture, as the merchant sent it: only we fetch it, and show what a wallet's code it has, so
    its owner cannot send the trader elsewhere, and does not learn who looks. Raises: TryAgain.
    """
    method = order.payment_method
    if not method.qr_code:
        return None
    if is_code_text(method.qr_code):
        return method.qr_code
    if order.order_type is OrderType.BUY or not method.qr_code.strip().lower().startswith(_WEB):
        return None
    try:
        text = renderer.fetch_code(order.order_no, order.merchant_id, method.qr_code)
    except UnfitReceipt:
        return None
    return text if is_code_text(text) else None


def offer_upload(
    order: Order, forms: UploadForms, by: By, return_url: str, now: int
) -> UploadForm | None:
    """Return the form for one more receipt, or None if no more is accepted from this uploader."""
    if not _takes(order, by, now) or len(order.receipts) >= MAX_RECEIPTS:
        return None
    return forms.upload_form(upload_key(order, by.trader_id), MAX_BYTES, return_url)


def take_receipt(order: Order, upload: str, by: By, ports: ReceiptPorts, now: int) -> None:
    """Draw an uploaded file and store it as the order's proof; a payer's also moves it to paid.

    The same upload again is a success. A file that the order does not accept is not drawn.
    Raises: UnfitReceipt, OrderNotFound, StateConflict, TooManyReceipts, TraderSuspended, TryAgain.
    """
    if is_kept(upload, order):
        return
    if not is_upload_of(upload, order, by.trader_id):
        raise UnfitReceipt(ReceiptProblem.MISSING)
    if not _takes(order, by, now):
        raise StateConflict(order.status_at(now).value)
    if len(order.receipts) >= MAX_RECEIPTS:
        raise TooManyReceipts
    add_receipt(order, drawn_receipt(order, upload, ports.renderer, now), by, ports.moves, now)


def drawn_receipt(order: Order, upload: str, renderer: Renderer, now: int) -> Receipt:
    """Draw an uploaded file of an order. Raises: UnfitReceipt, TryAgain."""
    drawn = renderer.render(upload, order.merchant_id)
    return Receipt(drawn.key, drawn.content_type, drawn.size_bytes, now, drawn.pages)


def picture_key(kept: Iterable[Receipt | None], number: str, page: str) -> str:
    """Return the key of one page's picture of a stored receipt; both numbers count from 1.

    None in `kept` reserves a number without a picture.
    Raises: OrderNotFound.
    """
    for place, receipt in enumerate(kept, start=1):
        if receipt is None or number != str(place):
            continue
        if page in map(str, range(1, receipt.pages + 1)):
            return page_key(receipt.key, int(page))
    raise OrderNotFound


def _takes(order: Order, by: By, now: int) -> bool:
    """Return whether a proof is accepted: from a buy's payer, or from a sell's trader."""
    side = OrderType.BUY if by.trader_id is None else OrderType.SELL
    return order.order_type is side and order.status_at(now).takes_receipts
