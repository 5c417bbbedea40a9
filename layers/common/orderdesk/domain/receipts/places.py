"""Where a receipt's files are: each step writes below a prefix that no earlier step can write to.

    uploads/{order_no}/payer/{slot}                       by the browser, with a signed form
    uploads/{order_no}/{trader_id}/{sequence}/{slot}      the same, for one assignment of a sell
    uploads/{order_no}/dispute/{payer or trader_id}/{slot}  the same, a picture of a dispute
    refusals/…/{slot}/{digest}                            what is wrong with an upload's bytes
    originals/…/{slot}/{digest}                           the upload itself, for operators only
    rendered/…/{slot}/{digest}/1.jpg, preview.jpg         the pictures that others see

`…` is the upload's key without its first part. `digest` is made of the upload's bytes.
"""

from collections.abc import Sequence

from orderdesk.domain.orders.notes import PICTURES_MAX, Note
from orderdesk.domain.orders.order import MAX_RECEIPTS, Order

UPLOADS, REFUSALS, ORIGINALS, RENDERED = "uploads", "refusals", "originals", "rendered"
PICTURE_TYPE = "image/jpeg"
_SLOTS = frozenset(str(slot) for slot in range(1, MAX_RECEIPTS + 1))
_PICTURE_SLOTS = frozenset(str(slot) for slot in range(1, PICTURES_MAX + 1))


def upload_key(order: Order, trader_id: str | None) -> str:
    """Give the key of an order's next receipt, from its payer (None) or from a trader.

    An order has at most MAX_RECEIPTS such keys for a payer, and as many for each assignment.
    """
    return f"{_place(order, trader_id)}/{len(order.receipts) + 1}"


def is_upload_of(key: str, order: Order, trader_id: str | None) -> bool:
    """Tell whether a key is one of this order's, as it is now, and of this uploader's."""
    place, _, slot = key.rpartition("/")
    return place == _place(order, trader_id) and slot in _SLOTS


def is_kept(key: str, order: Order) -> bool:
    """Tell whether an upload's slot already holds one of the order's receipts."""
    return any(kept.key.startswith(f"{_below(RENDERED, key)}/") for kept in order.receipts)


def picture_upload_key(order: Order, trader_id: str | None, sent: int) -> str:
    """Give the key of a dispute's next picture, of the payer (None) or trader who sent so many."""
    return f"{_dispute_place(order, trader_id)}/{sent + 1}"


def is_picture_upload_of(key: str, order: Order, trader_id: str | None) -> bool:
    """Tell whether a key is one of this uploader's for pictures of the order's dispute."""
    place, _, slot = key.rpartition("/")
    return place == _dispute_place(order, trader_id) and slot in _PICTURE_SLOTS


def is_sent(key: str, notes: Sequence[Note]) -> bool:
    """Tell whether an upload's slot already holds a picture of the dispute."""
    kept = f"{_below(RENDERED, key)}/"
    return any(note.picture is not None and note.picture.key.startswith(kept) for note in notes)


def refusal_key(upload: str, digest: str) -> str:
    """Give where the refusal of an upload's bytes is remembered."""
    return f"{_below(REFUSALS, upload)}/{digest}"


def kept_key(upload: str, digest: str) -> str:
    """Give the receipt's key, which begins the keys of all its pictures."""
    return f"{_below(RENDERED, upload)}/{digest}"


def original_key(kept: str) -> str:
    """Give where the file is as it was uploaded."""
    return _below(ORIGINALS, kept)


def page_key(kept: str, page: int) -> str:
    """Give a page's picture; the first is 1."""
    return f"{kept}/{page}.jpg"


def preview_key(kept: str) -> str:
    """Give the small picture of the first page."""
    return f"{kept}/preview.jpg"


def _place(order: Order, trader_id: str | None) -> str:
    """Name an order's uploader; a sell that is assigned anew has another sequence."""
    if trader_id is None:
        return f"{UPLOADS}/{order.order_no}/payer"
    return f"{UPLOADS}/{order.order_no}/{trader_id}/{order.sequence}"


def _dispute_place(order: Order, trader_id: str | None) -> str:
    return f"{UPLOADS}/{order.order_no}/dispute/{trader_id or 'payer'}"


def _below(first: str, key: str) -> str:
    return f"{first}/{key.partition('/')[2]}"
