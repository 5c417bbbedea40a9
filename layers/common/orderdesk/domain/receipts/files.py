"""Which uploads are accepted as a receipt, by size and first bytes.

The sender chooses a file's name and declared type, so they prove nothing. The first bytes only
select the decoder that draws the file (`functions/render_receipt`). Only operators can read the
file itself.
"""

from enum import StrEnum

from orderdesk.domain.errors import Unfit

MAX_BYTES = 10 * 1024 * 1024
_BEFORE_DOCUMENT_MAX = 1024


class ReceiptType(StrEnum):
    """The types of a receipt, by media type."""

    PNG = "image/png"
    JPEG = "image/jpeg"
    WEBP = "image/webp"
    PDF = "application/pdf"


class ReceiptProblem(StrEnum):
    """What is wrong with an upload, for the page to show."""

    MISSING = "missing"
    EMPTY = "empty"
    TOO_LARGE = "too_large"
    WRONG_TYPE = "wrong_type"
    DAMAGED = "damaged"
    TOO_COMPLEX = "too_complex"
    TOO_MANY = "too_many"
    TRIED_OFTEN = "tried_often"
    NO_CODE = "no_code"
    SEVERAL_CODES = "several_codes"
    BLANK = "blank"


class UnfitReceipt(Unfit[ReceiptProblem]):
    """The upload is not an acceptable receipt."""


def _first_bytes(kind: ReceiptType) -> bytes:
    """Return the first bytes of a type's files."""
    match kind:
        case ReceiptType.PNG:
            return b"\x89PNG\r\n\x1a\n"
        case ReceiptType.JPEG:
            return b"\xff\xd8\xff"
        case ReceiptType.WEBP:
            return b"RIFF"
        case ReceiptType.PDF:
            return b"%PDF-"


def receipt_type(content: bytes) -> ReceiptType:
    """Detect a receipt's type from its first bytes. Raises: UnfitReceipt."""
    if not content:
        raise UnfitReceipt(ReceiptProblem.EMPTY)
    if len(content) > MAX_BYTES:
        raise UnfitReceipt(ReceiptProblem.TOO_LARGE)
    for kind in ReceiptType:
        if content.startswith(_first_bytes(kind)):
            return kind
    # Viewers accept other bytes before a document.
    if _first_bytes(ReceiptType.PDF) in content[:_BEFORE_DOCUMENT_MAX]:
        return ReceiptType.PDF
    raise UnfitReceipt(ReceiptProblem.WRONG_TYPE)
