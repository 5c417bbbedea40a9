"""Which bytes a receipt may have: one whole PNG, JPEG, WebP or PDF, and nothing else.

The sender chooses a file's name and declared type, so they prove nothing. All bytes of the file are
checked: a file that can also be read as a page, a script or an archive is refused, wherever that
part begins.
"""

import re
from collections.abc import Callable
from enum import StrEnum

from orderdesk.domain.receipts.documents import is_active_pdf, is_whole_pdf
from orderdesk.domain.receipts.pictures import is_whole_jpeg, is_whole_png, is_whole_webp

MAX_BYTES = 10 * 1024 * 1024


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
    UNSAFE = "unsafe"
    TOO_MANY = "too_many"


class ByProblem[T]:
    """One value for each problem; a missing one is a type error."""

    def __init__(
        self,
        *,
        missing: T,
        empty: T,
        too_large: T,
        wrong_type: T,
        damaged: T,
        unsafe: T,
        too_many: T,
    ) -> None:
        def of(problem: ReceiptProblem) -> T:  # noqa: PLR0911 - one for each
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
                case ReceiptProblem.UNSAFE:
                    return unsafe
                case ReceiptProblem.TOO_MANY:
                    return too_many

        self._values = {problem: of(problem) for problem in ReceiptProblem}

    def __getitem__(self, problem: ReceiptProblem) -> T:
        return self._values[problem]


class UnfitReceipt(ValueError):
    """The upload is not an acceptable receipt."""

    def __init__(self, problem: ReceiptProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


def _form_of(kind: ReceiptType) -> tuple[bytes, Callable[[bytes], bool]]:
    """Give a type's first bytes, and the check that bytes are one whole file of it."""
    match kind:
        case ReceiptType.PNG:
            return b"\x89PNG\r\n\x1a\n", is_whole_png
        case ReceiptType.JPEG:
            return b"\xff\xd8\xff", is_whole_jpeg
        case ReceiptType.WEBP:
            return b"RIFF", is_whole_webp
        case ReceiptType.PDF:
            return b"%PDF-", is_whole_pdf


# These patterns are long: by chance they occur in the compressed data of one in a million files of
# the largest size.
_PAGE = re.compile(
    rb"<(?:html|head|body|script|iframe|object|embed)[\s>/]|<!doctype\s+html|<\?php[\s]|javascript:",
    re.IGNORECASE,
)
# A ZIP reader starts at the end of the file, at this mark and at most 64 KiB of comment.
_ARCHIVE_END = b"PK\x05\x06"
_ARCHIVE_TAIL = 22 + 0xFFFF


def receipt_type(content: bytes) -> ReceiptType:
    """Detect a receipt's type from its bytes. Raises: UnfitReceipt."""
    if not content:
        raise UnfitReceipt(ReceiptProblem.EMPTY)
    if len(content) > MAX_BYTES:
        raise UnfitReceipt(ReceiptProblem.TOO_LARGE)
    for kind in ReceiptType:
        magic, is_whole = _form_of(kind)
        if content.startswith(magic):
            if not is_whole(content):
                raise UnfitReceipt(ReceiptProblem.DAMAGED)
            if _is_more_than_it_seems(content, kind):
                raise UnfitReceipt(ReceiptProblem.UNSAFE)
            return kind
    raise UnfitReceipt(ReceiptProblem.WRONG_TYPE)


def _is_more_than_it_seems(content: bytes, kind: ReceiptType) -> bool:
    if _PAGE.search(content) or _ARCHIVE_END in content[-_ARCHIVE_TAIL:]:
        return True
    return kind is ReceiptType.PDF and is_active_pdf(content)
