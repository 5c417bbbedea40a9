"""Receipts on the deployed stack: the signed form, S3's form policy, and the drawing function."""

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import Key
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


def files(stack_seed: StackSeed, bucket: str, prefix: str) -> dict[str, bytes]:
    """Return the files of a bucket below a prefix."""
    s3, name = stack_seed.stack.client("s3"), stack_seed.stack.outputs[f"{bucket}BucketName"]
    listed = s3.list_objects_v2(Bucket=name, Prefix=prefix).get("Contents", [])
    return {
        entry["Key"]: s3.get_object(Bucket=name, Key=entry["Key"])["Body"].read()
        for entry in listed
    }


def test_a_receipt_reports_the_payment_and_is_shown_as_a_picture(
    stack_seed: StackSeed, payer: Payer
) -> None:
    sent = samples.pdf_with_hidden_script()
    answer = payer.upload(sent)
    assert answer["statusCode"] == 303
    assert answer["headers"]["location"] == f"../{payer.token}"
    page = payer.get()["body"]
    assert "Payment reported" in page
    assert "1 of 5 received" in page
    assert status(payer) == "paid"
    pictures = files(stack_seed, "Receipts", f"rendered/{payer.order_no}/").values()
    assert len(pictures) == 2
    hidden = (b"JavaScript", b"<script")
    assert all(picture[8:12] == b"WEBP" for picture in pictures)
    assert not any(mark in picture for picture in pictures for mark in hidden)
    [original] = files(stack_seed, "Receipts", f"originals/{payer.order_no}/").values()
    assert original == sent


def test_s3_refuses_a_file_larger_than_the_form_allows(stack_seed: StackSeed, payer: Payer) -> None:
    answer = payer.upload(b"\x89PNG\r\n\x1a\n" + b"\0" * (MAX_BYTES + 1024 * 1024))
    assert answer["statusCode"] == 400
    assert "EntityTooLarge" in answer["body"]
    assert files(stack_seed, "Uploads", f"uploads/{payer.order_no}/") == {}


@pytest.mark.parametrize("changed", [{"key": "rendered/B1/ab"}, {"Content-Type": "text/html"}])
def test_s3_refuses_a_changed_form(payer: Payer, changed: Mapping[str, str]) -> None:
    assert payer.upload(samples.png(), changed)["statusCode"] == 403
    assert status(payer) == "pending"


def test_a_late_receipt_disputes_the_expired_order(stack_seed: StackSeed, payer: Payer) -> None:
    stack_seed.age_order(payer.order_no, seconds=901)
    assert "Have you paid anyway?" in payer.get(lang="en")["body"]
    assert payer.upload(samples.pdf_with_hidden_script())["statusCode"] == 303
    assert status(payer) == "disputed"
    assert "Payment disputed" in payer.get(lang="en")["body"]


def drawings(stack_seed: StackSeed, payer: Payer) -> int:
    """Return how many files of a payer were decoded."""
    key: dict[str, Any] = {"pk": Key.drawings(f"{payer.order_no}#payer")}
    item: Any = stack_seed.get(stack_seed.tables.guards, key)
    return int(item["drawings"])


def test_a_costly_file_that_four_send_at_once_is_decoded_once(
    stack_seed: StackSeed, payer: Payer
) -> None:
    key = payer.upload_fields()["key"]
    payer.upload(samples.pdf_that_never_ends())

    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(payer.come_back, key) for _ in range(4)]
    statuses = {answer.result()["statusCode"] for answer in answers}
    assert statuses <= {422, 503}, "refused, or to be tried again soon"
    assert drawings(stack_seed, payer) == 1
    assert payer.come_back(key)["statusCode"] == 422
