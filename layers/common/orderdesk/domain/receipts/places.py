"""Keys of a receipt's files: each step writes below a prefix that no earlier step can write to.

    uploads/{order_no}/payer/{slot}                       by the browser, with a signed form
    uploads/{order_no}/{trader_id}/{sequence}/{slot}      likewise, for one assignment of a sell
    uploads/{order_no}/dispute/{sender}/{slot}            likewise, a picture of a dispute
    uploads/code-{day}/{trader_id}/1                      likewise, a picture of a payment code
    uploads/logo-{day}/{merchant_id}/merchant/1           likewise, a merchant's logo
    codes/{order_no}.png                                  a payment code that we drew
    originals/…/{slot}/{digest}                           the upload itself, for operators only
    rendered/…/{slot}/{digest}/1.jpg, preview.jpg         the pictures that others see

`…` is the upload's key without its first part. `digest` is a hash of the upload's bytes.
`sender` is payer, merchant or a trader_id.
Pictures are WebP, as their objects' type states. The keys end in .jpg as before, because receipts
are stored without the names of their pictures, and older ones have JPEGs.
"""

from collections.abc import Sequence

from orderdesk.domain.orders.moves import By, is_late_payment
from orderdesk.domain.orders.notes import PICTURES_MAX, Note, pictures_by
from orderdesk.domain.orders.order import MAX_RECEIPTS, Order, Return
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.times import SECONDS_PER_DAY

UPLOADS, ORIGINALS, RENDERED = "uploads", "originals", "rendered"
PICTURE_TYPE = "image/webp"
_DISPUTE, _LOGO = "dispute", "logo-"
_SLOTS = frozenset(str(slot) for slot in range(1, MAX_RECEIPTS + 1))
_PICTURE_SLOTS = frozenset(str(slot) for slot in range(1, PICTURES_MAX + 1))


def upload_key(order: Order, trader_id: str | None) -> str:
    """Return the key of an order's next receipt, from its payer (None) or from a trader.

    An order has at most MAX_RECEIPTS such keys for a payer, and as many for each assignment.
    """
    return f"{_place(order, trader_id)}/{len(order.receipts) + 1}"


def takes_late_receipt(order: Order, notes: Sequence[Note], now: int) -> bool:
    """Return whether an expired buy takes one more receipt at a time (Unix seconds)."""
    return is_late_payment(order, now) and _sent_late(order, notes) < MAX_RECEIPTS


def late_upload_key(order: Order, notes: Sequence[Note]) -> str:
    """Return the key of an expired buy's next receipt; earlier ones are receipts or notes."""
    return f"{_place(order, None)}/{_sent_late(order, notes) + 1}"


def _sent_late(order: Order, notes: Sequence[Note]) -> int:
    return len(order.receipts) + pictures_by(notes, Actor.PAYER)


def is_upload_of(key: str, order: Order, trader_id: str | None) -> bool:
    """Return whether the key is one of this uploader's for this order in its present state."""
    place, _, slot = key.rpartition("/")
    return place == _place(order, trader_id) and slot in _SLOTS


def is_kept(key: str, order: Order) -> bool:
    """Return whether the order already has a receipt, or late proof, from this upload slot."""
    kept = (*order.receipts, *(late.receipt for late in order.late.late_proofs))
    return any(each.key.startswith(f"{_below(RENDERED, key)}/") for each in kept)


def late_proof_key(order: Order, returned: Return) -> str:
    """Return the key of a late proof: a slot of the assignment that ended."""
    return f"{_late_place(order, returned)}/{MAX_RECEIPTS}"


def is_late_proof_of(key: str, order: Order, returned: Return) -> bool:
    """Return whether a key is of a late proof of this return, or of an upload before it."""
    place, _, slot = key.rpartition("/")
    return place == _late_place(order, returned) and slot in _SLOTS


def picture_upload_key(order: Order, by: By, sent: int) -> str:
    """Return the key of a dispute's next picture; `sent` is how many it has of this uploader."""
    return f"{_dispute_place(order, by)}/{sent + 1}"


def is_picture_upload_of(key: str, order: Order, by: By) -> bool:
    """Return whether a key is one of this uploader's for pictures of the order's dispute."""
    place, _, slot = key.rpartition("/")
    return place == _dispute_place(order, by) and slot in _PICTURE_SLOTS


def is_sent(key: str, notes: Sequence[Note]) -> bool:
    """Return whether the dispute already has a picture from this upload slot."""
    kept = f"{_below(RENDERED, key)}/"
    return any(note.picture is not None and note.picture.key.startswith(kept) for note in notes)


def code_upload_key(trader_id: str, now: int) -> str:
    """Return the key of a trader's uploads of a payment code on a UTC day; `now` in Unix seconds.

    Each day is a count of its own (`drawings_of`).
    """
    return f"{UPLOADS}/code-{now // SECONDS_PER_DAY}/{trader_id}/1"


def logo_upload_key(merchant_id: str, now: int) -> str:
    """Return the key of a merchant's uploads of a logo on a UTC day; `now` in Unix seconds.

    Each day is a count of its own (`drawings_of`). Orders' keys begin with other letters, so the
    bucket's rules keep logos longer.
    """
    return f"{UPLOADS}/{_LOGO}{now // SECONDS_PER_DAY}/{merchant_id}/{Actor.MERCHANT.value}/1"


def is_logo_upload_of(key: str, merchant_id: str, now: int) -> bool:
    """Return whether a key is the merchant's, of today or of the day before."""
    days = (now, now - SECONDS_PER_DAY)
    return key in {logo_upload_key(merchant_id, day) for day in days}


def code_picture_key(order_no: str) -> str:
    """Return the key of the picture of an order's payment code, which never changes."""
    return f"codes/{order_no}.png"


def is_code_upload_of(key: str, trader_id: str, now: int) -> bool:
    """Return whether a key is the trader's, of today or of the day before."""
    days = (now, now - SECONDS_PER_DAY)
    return key in {code_upload_key(trader_id, day) for day in days}


def drawings_of(upload: str) -> str:
    """Return whose files an upload counts among: `{order_no}#{sender}`.

    Each side of an order has its own count, so that none can use up another's.
    """
    _, order_no, *rest = upload.split("/")
    return f"{order_no}#{rest[1] if rest[0] == _DISPUTE else rest[0]}"


def kept_key(upload: str, digest: str) -> str:
    """Return the receipt's key, which is the prefix of its pictures' keys."""
    return f"{_below(RENDERED, upload)}/{digest}"


def original_key(kept: str) -> str:
    """Return the key of the file as uploaded."""
    return _below(ORIGINALS, kept)


def page_key(kept: str, page: int) -> str:
    """Return the key of a page's picture; the first page is 1."""
    return f"{kept}/{page}.jpg"


def preview_key(kept: str) -> str:
    """Return the key of the small picture of the first page."""
    return f"{kept}/preview.jpg"


def _place(order: Order, trader_id: str | None) -> str:
    """Return the prefix of an uploader's slots. Each assignment of a sell has another sequence."""
    if trader_id is None:
        return f"{UPLOADS}/{order.order_no}/payer"
    return f"{UPLOADS}/{order.order_no}/{trader_id}/{order.sequence}"


def _late_place(order: Order, returned: Return) -> str:
    return f"{UPLOADS}/{order.order_no}/{returned.trader_id}/{returned.sequence}"


def _dispute_place(order: Order, by: By) -> str:
    return f"{UPLOADS}/{order.order_no}/{_DISPUTE}/{by.trader_id or by.actor.value}"


def _below(first: str, key: str) -> str:
    return f"{first}/{key.partition('/')[2]}"
