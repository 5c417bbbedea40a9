"""Which uploads are accepted as a receipt, by size and first bytes.

The sender chooses a file's name and declared type, so they prove nothing. The first bytes only
select the decoder that draws the file (`functions/render_receipt`). Only operators can read the
file itself.
"""

from enum import StrEnum

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


class ByProblem[T]:
    """One value for each problem; a missing one is a type error."""

    def __init__(  # noqa: C901 - one for each
        self,
        *,
        missing: T,
        empty: T,
        too_large: T,
        wrong_type: T,
        damaged: T,
        too_complex: T,
        too_many: T,
        tried_often: T,
        no_code: T,
        several_codes: T,
        blank: T,
    ) -> None:
        def of(problem: ReceiptProblem) -> T:  # noqa: C901, PLR0911 - one for each
            match problem:
                case ReceiptProblem.MISSING:
                    return missing
                case ReceiptProblem.EMPTY:
                    return empty
                case ReceiptProblem.TOO_LARGE:
                    return too_large
                case ReceiptProblem.WRONG_TYPE:
                    return wrong_type
                case ReceiptProblem.DAMAGED:
                    return damaged
                case ReceiptProblem.TOO_COMPLEX:
                    return too_complex
                case ReceiptProblem.TOO_MANY:
                    return too_many
                case ReceiptProblem.TRIED_OFTEN:
                    return tried_often
                case ReceiptProblem.NO_CODE:
                    return no_code
                case ReceiptProblem.SEVERAL_CODES:
                    return several_codes
                case ReceiptProblem.BLANK:
                    return blank

        self._values = {problem: of(problem) for problem in ReceiptProblem}

    def __getitem__(self, problem: ReceiptProblem) -> T:
        return self._values[problem]


class UnfitReceipt(ValueError):
    """The upload is not an acceptable receipt."""

    def __init__(self, problem: ReceiptProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


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
