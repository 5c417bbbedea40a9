"""A payer on the deployed stack: signed form to the bucket, back to the page, paid."""

import json
from collections.abc import Mapping

import pytest

from orderdesk.domain.receipts.files import MAX_BYTES
from tests.support import receipt_samples as samples
from tests.support.payer import Payer
from tests.support.stack_seed import StackSeed
from tests.support.visitors import UploadForm


@pytest.fixture
def payer(stack_seed: StackSeed) -> Payer:
    stack_seed.clear_rotation()
    return Payer.of_new_order(stack_seed)


def status(payer: Payer) -> str:
    return str(json.loads(payer.get("/status")["body"])["status"])


def files(stack_seed: StackSeed, bucket: str, prefix: str) -> dict[str, bytes]:
    """Give the files of a bucket below a prefix."""
    s3, name = stack_seed.stack.client("s3"), stack_seed.stack.outputs[f"{bucket}BucketName"]
    listed = s3.list_objects_v2(Bucket=name, Prefix=prefix).get("Contents", [])
    return {
        entry["Key"]: s3.get_object(Bucket=name, Key=entry["Key"])["Body"].read()
        for entry in listed
    }


SENT: dict[str, bytes] = {
    **{kind.value: content for kind, content in samples.RECEIPTS.items()},
    "photograph": samples.photograph(),
    "hidden script": samples.pdf_with_hidden_script(),
    "15 KB that inflate": samples.pdf_that_inflates(),
    "57 KB that inflate": samples.pdf_that_inflates(50),
    "polyglot": samples.png() + samples.HTML,
}


@pytest.mark.parametrize("name", SENT)
def test_a_receipt_reports_the_payment_and_is_seen_as_a_picture(
    stack_seed: StackSeed, payer: Payer, name: str
) -> None:
    answer = payer.upload(SENT[name])
    assert answer["statusCode"] == 303
    assert answer["headers"]["location"] == f"../{payer.token}"
    page = payer.get()["body"]
    assert "Payment reported" in page
    assert "1 of 5 received" in page
    assert status(payer) == "paid"
    pictures = files(stack_seed, "Receipts", f"rendered/{payer.order_no}/").values()
    assert len(pictures) == 2
    hidden = (b"Exif", samples.MAKER.encode(), b"JavaScript", b"<script")
    assert all(picture.startswith(b"\xff\xd8\xff") for picture in pictures)
    assert not any(mark in picture for picture in pictures for mark in hidden)
    [original] = files(stack_seed, "Receipts", f"originals/{payer.order_no}/").values()
    assert original == SENT[name]


def test_a_file_larger_than_the_form_allows_stays_outside(
    stack_seed: StackSeed, payer: Payer
) -> None:
    answer = payer.upload(b"\x89PNG\r\n\x1a\n" + b"\0" * (MAX_BYTES + 1024 * 1024))
    assert answer["statusCode"] == 400
    assert "EntityTooLarge" in answer["body"]
    assert files(stack_seed, "Uploads", f"uploads/{payer.order_no}/") == {}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (samples.HTML, "no PNG, JPEG or WebP picture"),
        (samples.png(30_000, 30_000, pixels=b""), "cannot be shown as a picture"),
        (samples.pdf_that_never_ends(), "cannot be shown as a picture"),
    ],
    ids=["html named .png", "bomb", "endless"],
)
def test_what_is_no_receipt_is_refused(
    stack_seed: StackSeed, payer: Payer, content: bytes, said: str
) -> None:
    for _ in range(2):
        answer = payer.upload(content)
        assert answer["statusCode"] == 422
        assert said in answer["body"]
    assert status(payer) == "pending"
    assert files(stack_seed, "Receipts", f"rendered/{payer.order_no}/") == {}


def test_twelve_page_views_fill_no_bucket(stack_seed: StackSeed, payer: Payer) -> None:
    for number in range(12):
        form = UploadForm.on(payer.get()["body"])
        picture = samples.drawn("PNG", width=40 + number)
        sent = stack_seed.transport().upload(form.action, form.fields, picture)
        assert sent["statusCode"] == 303
    name = stack_seed.stack.outputs["UploadsBucketName"]
    versions = stack_seed.stack.client("s3").list_object_versions(
        Bucket=name, Prefix=f"uploads/{payer.order_no}/"
    )
    assert len(versions["Versions"]) == 1


def test_another_site_reports_no_receipt(stack_seed: StackSeed, payer: Payer) -> None:
    form = UploadForm.on(payer.get()["body"])
    stack_seed.transport().upload(form.action, form.fields, samples.png())
    elsewhere = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    answer = payer.come_back(form.fields["key"], elsewhere)
    assert answer["statusCode"] == 403
    assert status(payer) == "pending"


@pytest.mark.parametrize("changed", [{"key": "rendered/B1/ab"}, {"Content-Type": "text/html"}])
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
