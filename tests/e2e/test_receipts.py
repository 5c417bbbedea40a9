"""A payer on the deployed stack: signed form to the bucket, back to the page, paid."""

import html
import re
import time
from collections.abc import Mapping
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from orderdesk.domain.receipts.files import MAX_BYTES
from tests.support import receipt_samples as samples
from tests.support.merchant_client import buy
from tests.support.page_client import report_receipt
from tests.support.stack_seed import StackSeed

OWN_PAGE = {"sec-fetch-site": "same-origin"}
FORM = re.compile(r'<form id="upload" action="([^"]+)"')
FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


@pytest.fixture
def pay_url(stack_seed: StackSeed) -> str:
    stack_seed.only_trader()
    _, client = stack_seed.add_merchant()
    return str(client.create(buy(cny_amount="1000.37")).data["pay_url"])


def status(stack_seed: StackSeed, pay_url: str) -> str:
    return str(stack_seed.http.get(f"{pay_url}/status").json()["status"])


def upload(
    stack_seed: StackSeed, pay_url: str, content: bytes, changed: Mapping[str, str] | None = None
) -> httpx.Response:
    """Post the page's form as a browser would."""
    page = stack_seed.http.get(pay_url).text
    fields = {name: html.unescape(value) for name, value in FIELD.findall(page)}
    [action] = FORM.findall(page)
    return stack_seed.http.post(
        html.unescape(action),
        data={**fields, **(changed or {})},
        files={"file": ("receipt.png", content, "image/png")},
    )


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
    "13 KB that inflate": samples.pdf_that_inflates(),
    "57 KB that inflate": samples.pdf_that_inflates(50),
    "polyglot": samples.png() + samples.HTML,
}


@pytest.mark.parametrize("name", SENT)
def test_a_receipt_reports_the_payment_and_is_seen_as_a_picture(
    stack_seed: StackSeed, pay_url: str, name: str
) -> None:
    uploaded = upload(stack_seed, pay_url, SENT[name])
    assert uploaded.status_code == 303
    began = time.monotonic()
    answer = report_receipt(uploaded)
    print(f"{name}: told after {time.monotonic() - began:.2f} s")
    assert (answer.status_code, answer.headers["location"]) == (303, f"../{pay_url[-43:]}")
    page = stack_seed.http.get(pay_url).text
    assert "Payment reported" in page
    assert "1 of 5 received" in page
    assert status(stack_seed, pay_url) == "paid"
    order_no = pay_url.split("/")[-2]
    pictures = files(stack_seed, "Receipts", f"rendered/{order_no}/").values()
    assert len(pictures) == 2
    hidden = (b"Exif", samples.MAKER.encode(), b"JavaScript", b"<script")
    assert all(picture.startswith(b"\xff\xd8\xff") for picture in pictures)
    assert not any(mark in picture for picture in pictures for mark in hidden)
    [original] = files(stack_seed, "Receipts", f"originals/{order_no}/").values()
    assert original == SENT[name]


def test_a_file_larger_than_the_form_allows_stays_outside(
    stack_seed: StackSeed, pay_url: str
) -> None:
    large = b"\x89PNG\r\n\x1a\n" + b"\0" * (MAX_BYTES + 1024 * 1024)
    answer = upload(stack_seed, pay_url, large)
    assert answer.status_code == 400
    assert "EntityTooLarge" in answer.text
    assert files(stack_seed, "Uploads", f"uploads/{pay_url.split('/')[-2]}/") == {}


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
    stack_seed: StackSeed, pay_url: str, content: bytes, said: str
) -> None:
    for _ in range(2):
        answer = report_receipt(upload(stack_seed, pay_url, content))
        assert answer.status_code == 422
        assert said in answer.text
    assert status(stack_seed, pay_url) == "pending"
    assert files(stack_seed, "Receipts", f"rendered/{pay_url.split('/')[-2]}/") == {}


def test_twelve_page_views_fill_no_bucket(stack_seed: StackSeed, pay_url: str) -> None:
    for number in range(12):
        picture = samples.drawn("PNG", width=40 + number)
        assert upload(stack_seed, pay_url, picture).status_code == 303
    order_no = pay_url.split("/")[-2]
    assert len(files(stack_seed, "Uploads", f"uploads/{order_no}/")) == 1
    name = stack_seed.stack.outputs["UploadsBucketName"]
    versions = stack_seed.stack.client("s3").list_object_versions(Bucket=name, Prefix="uploads/")
    mine = [each for each in versions["Versions"] if order_no in each["Key"]]
    assert len(mine) == 1


def test_another_site_reports_no_receipt(stack_seed: StackSeed, pay_url: str) -> None:
    back = upload(stack_seed, pay_url, samples.png()).headers["location"]
    assert stack_seed.http.get(back).status_code == 200
    assert status(stack_seed, pay_url) == "pending"
    key = parse_qs(urlsplit(back).query)["key"][0]
    headers = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
    answer = stack_seed.http.post(f"{pay_url}/receipt", data={"key": key}, headers=headers)
    assert answer.status_code == 403
    assert status(stack_seed, pay_url) == "pending"


@pytest.mark.parametrize("changed", [{"key": "rendered/B1/ab"}, {"Content-Type": "text/html"}])
def test_a_form_that_was_changed_is_refused(
    stack_seed: StackSeed, pay_url: str, changed: Mapping[str, str]
) -> None:
    assert upload(stack_seed, pay_url, samples.png(), changed).status_code == 403
    assert status(stack_seed, pay_url) == "pending"


@pytest.mark.parametrize(("part", "told"), [("paid", "paid"), ("cancel", "cancelled")])
def test_a_payers_move(stack_seed: StackSeed, pay_url: str, part: str, told: str) -> None:
    refused = stack_seed.http.post(f"{pay_url}/{part}", headers={"origin": "https://evil.example"})
    assert refused.status_code == 403
    for _ in range(2):
        answer = stack_seed.http.post(f"{pay_url}/{part}?lang=zh", headers=OWN_PAGE)
        assert answer.status_code == 303
        assert str(answer.next_request and answer.next_request.url) == f"{pay_url}?lang=zh"
    assert status(stack_seed, pay_url) == told
