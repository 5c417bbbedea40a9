"""A payer on the deployed stack: signed form to the bucket, back to the page, paid."""

import json
from collections.abc import Mapping

import pytest

from orderdesk.domain.receipts.files import MAX_BYTES
from tests.support import receipt_samples as samples
from tests.support.payer import Payer
from tests.support.stack_seed import StackSeed


@pytest.fixture
def payer(stack_seed: StackSeed) -> Payer:
    stack_seed.clear_rotation()
    return Payer.of_new_order(stack_seed)


def status(payer: Payer) -> str:
    return str(json.loads(payer.get("/status")["body"])["status"])


@pytest.mark.parametrize("content", samples.RECEIPTS.values(), ids=list(samples.RECEIPTS))
def test_a_receipt_reports_the_payment(payer: Payer, content: bytes) -> None:
    answer = payer.upload(content)
    assert answer["statusCode"] == 303
    assert answer["headers"]["location"] == f"../{payer.token}"
    page = payer.get()["body"]
    assert "Payment reported" in page
    assert "1 of 5 received" in page
    assert status(payer) == "paid"


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"\x89PNG\r\n\x1a\n" + b"\0" * (MAX_BYTES + 1024 * 1024), 400, "EntityTooLarge"),
        (samples.HTML, 422, "no PNG, JPEG or WebP picture"),
        (samples.png(samples.chunk(b"tEXt", samples.HTML)), 422, "more than a picture"),
    ],
    ids=["11 MB", "html named .png", "polyglot"],
)
def test_what_is_no_receipt_is_refused(payer: Payer, content: bytes, code: int, said: str) -> None:
    answer = payer.upload(content)
    assert answer["statusCode"] == code
    assert said in answer["body"]
    assert status(payer) == "pending"


@pytest.mark.parametrize("changed", [{"key": "receipts/B1/ab"}, {"Content-Type": "text/html"}])
def test_a_form_that_was_changed_is_refused(payer: Payer, changed: Mapping[str, str]) -> None:
    assert payer.upload(samples.png(), changed)["statusCode"] == 403
    assert status(payer) == "pending"


@pytest.mark.parametrize(("part", "told"), [("paid", "paid"), ("cancel", "cancelled")])
def test_a_payers_move(payer: Payer, part: str, told: str) -> None:
    refused = payer.post(f"/{part}", {"Origin": "https://evil.example"})
    assert refused["statusCode"] == 403
    for _ in range(2):
        answer = payer.post(f"/{part}", lang="zh")
        assert answer["statusCode"] == 303
        assert answer["headers"]["location"] == f"../{payer.token}?lang=zh"
    assert status(payer) == told
