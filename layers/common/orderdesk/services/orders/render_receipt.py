"""Convert an upload to the pictures that everybody but operators sees of a receipt."""

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol

from orderdesk.domain.receipts.files import (
    MAX_BYTES,
    ReceiptProblem,
    ReceiptType,
    UnfitReceipt,
    receipt_type,
)
from orderdesk.domain.receipts.places import (
    PICTURE_TYPE,
    kept_key,
    original_key,
    page_key,
    preview_key,
    refusal_key,
)
from orderdesk.services.orders.receipts import Rendering

_DIGEST_LENGTH = 32


@dataclass(frozen=True, slots=True)
class Pictures:
    """A receipt's first pages, and a small version of the first; each is a whole picture file."""

    pages: tuple[bytes, ...] = field(repr=False)
    preview: bytes = field(repr=False)


class Uploads(Protocol):
    """Uploaded files, and the stored refusals of some of them."""

    def read(self, key: str, max_bytes: int) -> bytes | None:
        """Return a file's first `max_bytes` + 1 bytes, or None without a file. Raises: TryAgain."""

    def keep(self, key: str, content: bytes, content_type: str) -> None:
        """Store a file; an existing one is not overwritten. Raises: TryAgain."""


class Receipts(Protocol):
    """The files that are kept."""

    def keep(self, key: str, content: bytes, content_type: str) -> None:
        """Store a file; an existing one is not overwritten. Raises: TryAgain."""


class Drawing(Protocol):
    """Draws a file within limits of time and memory."""

    def draw(self, content: bytes, kind: ReceiptType) -> Pictures:
        """Return the pages' pictures. Raises: UnfitReceipt."""


@dataclass(frozen=True, slots=True)
class RenderPorts:
    """The ports of rendering."""

    uploads: Uploads
    receipts: Receipts
    drawing: Drawing


def render_receipt(upload: str, ports: RenderPorts) -> Rendering:
    """Draw an upload, store the pictures and the file itself.

    A refusal is stored: the same bytes under the same key are not drawn again.
    Raises: UnfitReceipt, TryAgain.
    """
    content = ports.uploads.read(upload, MAX_BYTES)
    if content is None:
        raise UnfitReceipt(ReceiptProblem.MISSING)
    kind = receipt_type(content)
    digest = sha256(content).hexdigest()[:_DIGEST_LENGTH]
    refused = ports.uploads.read(refusal_key(upload, digest), _DIGEST_LENGTH)
    if refused is not None:
        raise UnfitReceipt(ReceiptProblem(refused.decode("ascii")))
    try:
        pictures = ports.drawing.draw(content, kind)
    except UnfitReceipt as unfit:
        said = unfit.problem.value.encode("ascii")
        ports.uploads.keep(refusal_key(upload, digest), said, "text/plain")
        raise
    key = kept_key(upload, digest)
    _keep(key, content, kind, pictures, ports.receipts)
    return Rendering(key, kind.value, len(content), len(pictures.pages))


def _keep(
    key: str, content: bytes, kind: ReceiptType, pictures: Pictures, receipts: Receipts
) -> None:
    receipts.keep(original_key(key), content, kind.value)
    for number, page in enumerate(pictures.pages, start=1):
        receipts.keep(page_key(key, number), page, PICTURE_TYPE)
    receipts.keep(preview_key(key), pictures.preview, PICTURE_TYPE)
