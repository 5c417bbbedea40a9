"""Receipts: the browser uploads a file under a temporary key; it is kept once it is checked.

An upload form can be used again until it expires. So an upload is never the receipt itself. Its
bytes are checked and stored under another key. No form can write to that key, and it is never
overwritten.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from orderdesk.domain.orders.errors import OrderNotFound, StateConflict, TooManyReceipts
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import MAX_RECEIPTS, Order, Receipt
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptProblem, UnfitReceipt, receipt_type
from orderdesk.domain.traders.errors import TraderSuspended
from orderdesk.services.orders.move import MovePorts, add_receipt
from orderdesk.services.ports import Chance

_UPLOADS = "receipts/uploads"
_KEPT = "receipts"
_REFUSED = (OrderNotFound, StateConflict, TooManyReceipts, TraderSuspended)


@dataclass(frozen=True, slots=True)
class UploadForm:
    """A form with which a browser can upload one file: its address and its hidden fields."""

    url: str
    fields: Mapping[str, str] = field(repr=False)


class ReceiptFiles(Protocol):
    """The files of the private bucket."""

    def upload_form(self, key: str, max_bytes: int, return_url: str) -> UploadForm:
        """Make a form that uploads exactly this key and then returns to our page."""

    def read(self, key: str, max_bytes: int) -> bytes | None:
        """Give a file's first `max_bytes` + 1 bytes, or None without a file. Raises: TryAgain."""

    def keep(self, key: str, content: bytes, content_type: str) -> None:
        """Store a file; an existing one is not overwritten. Raises: TryAgain."""

    def picture_url(self, key: str) -> str:
        """Give an address that shows a kept file for a few minutes."""

    def delete(self, key: str) -> None:
        """Delete a file; a missing one is no error. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class ReceiptPorts:
    """The ports of keeping a receipt."""

    files: ReceiptFiles
    moves: MovePorts


def offer_upload(
    order: Order, files: ReceiptFiles, chance: Chance, return_url: str, now: int
) -> UploadForm | None:
    """Give the form for one more receipt, or None if the order takes no more."""
    if not order.status_at(now).takes_receipts or len(order.receipts) >= MAX_RECEIPTS:
        return None
    key = f"{_UPLOADS}/{order.order_no}/{chance.token()}"
    return files.upload_form(key, MAX_BYTES, return_url)


def take_receipt(order: Order, upload_key: str, by: By, ports: ReceiptPorts, now: int) -> None:
    """Check an uploaded file and keep it as the order's proof; a payer's also moves it to paid.

    The same upload again is a success. A refused upload is deleted.
    Raises: UnfitReceipt, OrderNotFound, StateConflict, TooManyReceipts, TraderSuspended, TryAgain.
    """
    prefix = f"{_UPLOADS}/{order.order_no}/"
    name = upload_key.removeprefix(prefix)
    if name == upload_key or not name.isalnum():
        raise UnfitReceipt(ReceiptProblem.MISSING)
    key = f"{_KEPT}/{order.order_no}/{name}"
    if any(kept.key == key for kept in order.receipts):
        return
    content = ports.files.read(upload_key, MAX_BYTES)
    if content is None:
        raise UnfitReceipt(ReceiptProblem.MISSING)
    try:
        content_type = receipt_type(content)
        ports.files.keep(key, content, content_type.value)
        _add(order, Receipt(key, content_type.value, len(content), now), by, ports, now)
    except (UnfitReceipt, *_REFUSED):
        ports.files.delete(upload_key)
        raise
    ports.files.delete(upload_key)


def _add(order: Order, receipt: Receipt, by: By, ports: ReceiptPorts, now: int) -> None:
    try:
        add_receipt(order.order_no, receipt, by, ports.moves, now)
    except _REFUSED:
        ports.files.delete(receipt.key)
        raise
