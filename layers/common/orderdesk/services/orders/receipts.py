"""Receipts: uploaded by the payer's browser to a place of their own, kept once they are checked.

A form that lets a browser upload can be sent again until it runs out. So an upload is never the
receipt itself: its bytes are checked and put under another key, which no form can write to, and
which is never written over.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from orderdesk.domain.orders.errors import OrderNotFound, StateConflict, TooManyReceipts
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import MAX_RECEIPTS, Order, Receipt
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptProblem, UnfitReceipt, receipt_type
from orderdesk.services.orders.move import MovePorts, add_receipt
from orderdesk.services.ports import Chance

_UPLOADS = "receipts/uploads"
_KEPT = "receipts"
_REFUSED = (OrderNotFound, StateConflict, TooManyReceipts)


@dataclass(frozen=True, slots=True)
class UploadForm:
    """A form that a browser can post one file with: where to, and its hidden fields."""

    url: str
    fields: Mapping[str, str] = field(repr=False)


class ReceiptFiles(Protocol):
    """The private bucket."""

    def upload_form(self, key: str, max_bytes: int, return_url: str) -> UploadForm:
        """Make the form that uploads exactly this key and then returns to a page of ours."""

    def read(self, key: str, max_bytes: int) -> bytes | None:
        """Give a file's bytes, one more than allowed where it is longer, or None for no file.

        Raises: TryAgain.
        """

    def keep(self, key: str, content: bytes, content_type: str) -> None:
        """Put a file that is never written over; one that is there stays. Raises: TryAgain."""

    def picture_url(self, key: str) -> str:
        """Give an address at which a kept file can be seen for a few minutes."""

    def delete(self, key: str) -> None:
        """Delete a file. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class ReceiptPorts:
    """What keeping a receipt works with."""

    files: ReceiptFiles
    moves: MovePorts


def offer_upload(
    order: Order, files: ReceiptFiles, chance: Chance, return_url: str, now: int
) -> UploadForm | None:
    """Give the form for one more receipt, or None where the order takes none any more."""
    if not order.status_at(now).takes_receipts or len(order.receipts) >= MAX_RECEIPTS:
        return None
    key = f"{_UPLOADS}/{order.order_no}/{chance.token()}"
    return files.upload_form(key, MAX_BYTES, return_url)


def take_receipt(order: Order, upload_key: str, by: By, ports: ReceiptPorts, now: int) -> None:
    """Check what was uploaded for an order and keep it as its proof; a payer's reports it paid.

    The same upload again is a success. Whatever is refused is deleted.
    Raises: UnfitReceipt, OrderNotFound, StateConflict, TooManyReceipts, TryAgain.
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
