"""The files of payers and traders for an order, for operators who settle a dispute (section 9)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.order import Order, Receipt
from orderdesk.domain.pricing import ByType, OrderType
from orderdesk.domain.receipts.files import ReceiptType
from orderdesk.domain.receipts.places import PICTURE_TYPE, original_key, page_key

_KINDS = ByType(buy="receipt", sell="proof")


class EvidenceFiles(Protocol):
    """Signs short-lived links to stored files."""

    def link(self, key: str, name: str) -> str:
        """Return a link that downloads a file under this name; a browser never displays it."""


@dataclass(frozen=True, slots=True)
class EvidenceFile:
    """A file and the name for downloading or saving it."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A receipt, a proof, or a picture of a dispute: the upload, and the pictures drawn from it.

    `trader_id` is whose proof of a sell it is.
    """

    kind: str
    receipt: Receipt
    original: EvidenceFile
    pictures: tuple[EvidenceFile, ...]
    trader_id: str | None = None


def evidence_of(order: Order, notes: Sequence[Note]) -> Iterator[Evidence]:
    """List an order's receipts or proofs, late proofs, and the pictures of its dispute.

    The names of the files are ours, not the uploader's.
    """
    kind = _KINDS[order.order_type]
    prover = order.trader_id if order.order_type is OrderType.SELL else None
    kept = [(kind, receipt, prover) for receipt in order.receipts]
    kept += [("late-proof", late.receipt, late.trader_id) for late in order.late.late_proofs]
    kept += [(f"{note.by.value}-picture", note.picture, None) for note in notes if note.picture]
    for number, (kind, receipt, trader_id) in enumerate(kept, 1):
        stem = f"{order.order_no}-{kind}-{number}"
        original = f"{stem}{_suffix(receipt.content_type)}"
        yield Evidence(
            kind,
            receipt,
            EvidenceFile(original_key(receipt.key), original),
            tuple(
                EvidenceFile(
                    page_key(receipt.key, page), f"{stem}-page-{page}{_suffix(PICTURE_TYPE)}"
                )
                for page in range(1, receipt.pages + 1)
            ),
            trader_id,
        )


def _suffix(content_type: str) -> str:
    match ReceiptType(content_type):
        case ReceiptType.PNG:
            return ".png"
        case ReceiptType.JPEG:
            return ".jpg"
        case ReceiptType.WEBP:
            return ".webp"
        case ReceiptType.PDF:
            return ".pdf"
