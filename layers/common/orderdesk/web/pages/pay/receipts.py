"""The receipts on the pay page: those that the payer sent, and the form for one more."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from orderdesk.domain.orders.order import MAX_RECEIPTS, Order, OrderStatus
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptType
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages.pay.links import Links
from orderdesk.web.pages.pay.texts import PayTexts


@dataclass(frozen=True, slots=True)
class PageLink:
    """A further page of a receipt."""

    text: str
    link: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SentReceipt:
    """A receipt that the payer sent; `preview` is the address of its small picture.

    `link` leads to its first page.
    """

    label: str
    link: str = field(repr=False)
    preview: str = field(repr=False)
    more: tuple[PageLink, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """The order's receipts, and the form for one more if it takes one.

    `is_open` tells whether the order's status takes receipts.
    """

    sent: tuple[SentReceipt, ...]
    received: str
    is_open: bool
    upload: UploadForm | None = field(repr=False)
    max_bytes: int = MAX_BYTES


def proof_of(
    order: Order,
    status: OrderStatus,
    sent: tuple[SentReceipt, ...],
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
) -> tuple[SentReceipt, ...]:
    """Give an order's receipts; `previews` are the addresses of their small pictures, in order."""
    kept = zip(order.receipts, previews, strict=True)
    return tuple(
        SentReceipt(
            label=_label(receipt.content_type, texts).format(number=number),
            link=links.receipt(number),
            preview=preview,
            more=tuple(
                PageLink(texts.sent_page.format(page=page), links.receipt(number, page))
                for page in range(2, receipt.pages + 1)
            ),
        )
        for number, (receipt, preview) in enumerate(kept, start=1)
    )


def _label(content_type: str, texts: PayTexts) -> str:
    return texts.sent_document if content_type == ReceiptType.PDF else texts.sent_picture
