"""Keys of receipts: a key contains its order, uploader and slot, and no other key is accepted.

Which files are accepted as a receipt: by size and first bytes.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import MAX_RECEIPTS, Order, OrderStatus, Receipt
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.files import (
    MAX_BYTES,
    ReceiptProblem,
    ReceiptType,
    UnfitReceipt,
    receipt_type,
)
from orderdesk.domain.receipts.places import (
    drawings_of,
    is_kept,
    is_upload_of,
    kept_key,
    original_key,
    page_key,
    picture_upload_key,
    preview_key,
    upload_key,
)
from tests.support import receipt_samples as samples
from tests.support.orders import order_in

NOW = 1_767_225_600

BUY = order_in(OrderType.BUY, OrderStatus.PAID, since=NOW)
SELL = replace(order_in(OrderType.SELL, OrderStatus.ASSIGNED, since=NOW), receipts=())
TRADER = str(SELL.trader_id)


def with_receipts(order: Order, count: int, trader_id: str | None) -> Order:
    for _ in range(count):
        key = kept_key(upload_key(order, trader_id), "d1")
        order = replace(order, receipts=(*order.receipts, Receipt(key, "image/png", 1, NOW)))
    return order


def test_an_order_has_five_keys_for_each_uploader() -> None:
    for order, uploader in ((BUY, None), (SELL, TRADER)):
        keys = {
            upload_key(with_receipts(order, count, uploader), uploader)
            for count in range(MAX_RECEIPTS)
        }
        assert len(keys) == MAX_RECEIPTS
        assert all(is_upload_of(key, order, uploader) for key in keys)
        assert not is_upload_of(f"{min(keys)[:-1]}6", order, uploader)


def test_a_key_belongs_to_one_order_trader_and_assignment() -> None:
    key = upload_key(SELL, TRADER)
    assert is_upload_of(key, SELL, TRADER)
    again = replace(SELL, sequence=SELL.sequence + 2)
    for other, uploader in (
        (again, TRADER),
        (SELL, "T-other"),
        (SELL, None),
        (replace(SELL, order_no="S1"), TRADER),
    ):
        assert not is_upload_of(key, other, uploader)


@given(st.text(alphabet="/.uploads0123456789payer", max_size=60))
def test_no_other_text_is_a_key(text: str) -> None:
    slots = {f"uploads/{BUY.order_no}/payer/{slot}" for slot in "12345"}
    assert is_upload_of(text, BUY, None) == (text in slots)
    below = f"uploads/{BUY.order_no}/payer/{text}"
    assert is_upload_of(below, BUY, None) == (below in slots)


def test_a_slot_is_kept_once_whatever_bytes_follow() -> None:
    key = upload_key(BUY, None)
    kept = with_receipts(BUY, 1, None)
    assert (is_kept(key, BUY), is_kept(key, kept)) == (False, True)
    assert not is_kept(upload_key(kept, None), kept)


def test_each_step_writes_where_no_form_can() -> None:
    upload = upload_key(BUY, None)
    kept = kept_key(upload, "d1")
    below = f"{BUY.order_no}/payer/1/d1"
    assert upload == f"uploads/{BUY.order_no}/payer/1"
    assert original_key(kept) == f"originals/{below}"
    assert page_key(kept, 2) == f"rendered/{below}/2.jpg"
    assert preview_key(kept) == f"rendered/{below}/preview.jpg"


def test_each_side_of_an_order_has_one_count_of_drawings() -> None:
    payers = {upload_key(BUY, None), picture_upload_key(BUY, By(Actor.PAYER), 2)}
    traders = {upload_key(SELL, TRADER), picture_upload_key(SELL, By(Actor.TRADER, TRADER), 0)}
    assert {drawings_of(key) for key in payers} == {f"{BUY.order_no}#payer"}
    assert {drawings_of(key) for key in traders} == {f"{SELL.order_no}#{TRADER}"}


@pytest.mark.parametrize("kind", ReceiptType)
def test_each_type_is_known_by_its_first_bytes(kind: ReceiptType) -> None:
    assert receipt_type(samples.RECEIPTS[kind]) is kind


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", ReceiptProblem.EMPTY),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * MAX_BYTES, ReceiptProblem.TOO_LARGE),
        (b"GIF89a", ReceiptProblem.WRONG_TYPE),
        (samples.HTML, ReceiptProblem.WRONG_TYPE),
        (b"PK\x03\x04", ReceiptProblem.WRONG_TYPE),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", ReceiptProblem.WRONG_TYPE),
        (b"\n" * 1020 + samples.pdf(), ReceiptProblem.WRONG_TYPE),
    ],
)
def test_other_first_bytes_and_sizes_are_refused(content: bytes, problem: ReceiptProblem) -> None:
    with pytest.raises(UnfitReceipt) as refused:
        receipt_type(content)
    assert refused.value.problem is problem
