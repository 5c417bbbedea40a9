"""The receipts on the pay page: those that the payer sent, and the form for one more."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from orderdesk.domain.orders.order import MAX_RECEIPTS, Order, OrderStatus
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptType
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages.pay.links import Links
from orderdesk.web.pages.pay.texts import PayTexts
from orderdesk.web.pages.pictures import Picture, picture_of


@dataclass(frozen=True, slots=True)
class Proof:
    """The order's receipts, and the form for one more if it takes one.

    `is_open` tells whether the order's status takes receipts.
    """

    sent: tuple[Picture, ...]
    received: str
    is_open: bool
    upload: UploadForm | None = field(repr=False)
    max_bytes: int = MAX_BYTES


def proof_of(
    order: Order,
    status: OrderStatus,
    sent: tuple[Picture, ...],
    upload: UploadForm | None,
    texts: PayTexts,
) -> Proof | None:
    """Give what the page of an order in a status shows of receipts, or None."""
    count = len(order.receipts)
    if not (status.takes_receipts or count):
        return None
    received = texts.received.format(count=count, most=MAX_RECEIPTS) if count else ""
    return Proof(sent, received, status.takes_receipts, upload)


def sent_receipts(
    order: Order, previews: Sequence[str], texts: PayTexts, links: Links
) -> tuple[Picture, ...]:
    """Give an order's receipts; `previews` are the addresses of their small pictures, in order."""
    kept = zip(order.receipts, previews, strict=True)
    return tuple(
        picture_of(
            receipt,
            _label(receipt.content_type, texts).format(number=number),
            preview,
            texts.sent_page,
            partial(links.receipt, number),
        )
        for number, (receipt, preview) in enumerate(kept, start=1)
    )


def _label(content_type: str, texts: PayTexts) -> str:
    return texts.sent_document if content_type == ReceiptType.PDF else texts.sent_picture
