"""The files of payers and traders for an order, for operators who settle a dispute (section 9)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.order import Order, Receipt
from orderdesk.domain.pricing import ByType
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
    """A receipt, a proof, or a picture of a dispute: the upload, and the pictures drawn from it."""

    kind: str
    receipt: Receipt
    original: EvidenceFile
    pictures: tuple[EvidenceFile, ...]


def evidence_of(order: Order, notes: Sequence[Note]) -> Iterator[Evidence]:
    """List an order's receipts or proofs, then the pictures of its dispute, each oldest first.

    The names of the files are ours, not the uploader's.
    """
    kind = _KINDS[order.order_type]
    kept = [(kind, receipt) for receipt in order.receipts]
    kept += [(f"{note.by.value}-picture", note.picture) for note in notes if note.picture]
    for number, (kind, receipt) in enumerate(kept, 1):
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
