"""Which files are accepted as a receipt: by size and first bytes."""

import pytest

from orderdesk.domain.receipts.files import (
    MAX_BYTES,
    ReceiptProblem,
    ReceiptType,
    UnfitReceipt,
    receipt_type,
)
from tests.support import receipt_samples as samples


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
