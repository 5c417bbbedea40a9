"""Receipts: the signed form, what comes of an upload, and what is refused."""

import base64
import json
import re
import time
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item, order_of
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptType
from tests.support import receipt_samples as samples
from tests.support.payer import BUCKET, Payer
from tests.support.world import World


def test_the_form_allows_one_key_one_type_one_return_and_ten_megabytes(world: World) -> None:
    payer = Payer.of_new_order(world)
    fields = payer.upload_fields(lang="zh")
    policy = json.loads(base64.b64decode(fields["policy"]))
    conditions: list[Any] = policy["conditions"]
    back = f"https://pay.example.com/pay/{payer.order_no}/{payer.token}/receipt?lang=zh"
    assert re.fullmatch(rf"receipts/uploads/{payer.order_no}/[0-9a-f]{{32}}", fields["key"])
    for condition in (
        {"bucket": BUCKET},
        {"key": fields["key"]},
        {"Content-Type": "application/octet-stream"},
        {"success_action_redirect": back},
        ["content-length-range", 1, MAX_BYTES],
    ):
        assert condition in conditions
    assert not [c for c in conditions if isinstance(c, list) and c[0] == "starts-with"]
    assert fields["success_action_redirect"] == back
    ends = time.strptime(policy["expiration"], "%Y-%m-%dT%H:%M:%SZ")
    assert 0 < time.mktime(ends) - time.mktime(time.gmtime()) <= 3600
    assert payer.upload_fields()["key"] != fields["key"]


def test_the_page_posts_to_the_bucket_and_nowhere_else(world: World) -> None:
    payer = Payer.of_new_order(world)
    answer = payer.get()
    [action] = re.findall(r'<form id="upload" action="([^"]+)"', answer["body"])
    assert action == f"https://{BUCKET}.s3.us-east-1.amazonaws.com/"
    policy = answer["headers"]["Content-Security-Policy"].split("; ")
    assert f"form-action 'self' {action.rstrip('/')}" in policy
    assert "connect-src 'self'" in policy


@pytest.mark.parametrize("kind", ReceiptType)
def test_a_receipt_reports_the_payment_and_is_kept_with_its_type(
    world: World, kind: ReceiptType
) -> None:
    payer = Payer.of_new_order(world)
    content = samples.RECEIPTS[kind]
    answer = payer.upload(content, lang="en")
    assert answer["statusCode"] == 303
    assert answer["headers"]["Location"] == f"../{payer.token}?lang=en"
    order = order_of(payer.order())
    [receipt] = order.receipts
    assert (order.status, receipt.content_type) == (OrderStatus.PAID, kind.value)
    assert receipt.size_bytes == len(content)
    assert receipt.key.startswith(f"receipts/{payer.order_no}/")
    assert world.files() == {receipt.key: content}
    stored = world.s3.head_object(Bucket=BUCKET, Key=receipt.key)
    assert stored["ContentType"] == kind.value
    assert "1 of 5 received" in payer.get()["body"]


def test_a_kept_receipt_is_never_written_over(world: World) -> None:
    payer = Payer.of_new_order(world)
    key = payer.upload_fields()["key"]
    for content in (samples.png(), samples.pdf(), samples.HTML):
        world.s3.put_object(Bucket=BUCKET, Key=key, Body=content)
        assert payer.come_back(key)["statusCode"] == 303
    [receipt] = order_of(payer.order()).receipts
    assert world.files()[receipt.key] == samples.png()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\x1a\n" + b"\0" * MAX_BYTES, "larger than 10 MB"),
        (samples.HTML, "no PNG, JPEG or WebP picture"),
        (samples.png()[:-1], "damaged or incomplete"),
        (samples.png() + samples.HTML, "damaged or incomplete"),
        (samples.png(samples.chunk(b"tEXt", b"a\0" + samples.HTML)), "more than a picture"),
        (samples.pdf(b"/OpenAction << /S /JavaScript /JS (app.alert(1)) >>"), "more than a pict"),
    ],
    ids=["11 MB", "html", "cut off", "appended", "polyglot", "script"],
)
def test_what_is_no_receipt_is_deleted_and_the_page_says_why(
    world: World, content: bytes, said: str
) -> None:
    payer = Payer.of_new_order(world)
    answer = payer.upload(content)
    assert answer["statusCode"] == 422
    assert "The receipt was not accepted" in answer["body"]
    assert said in answer["body"]
    assert world.files() == {}
    assert payer.order()["status"] == "pending"
    assert payer.upload(samples.png())["statusCode"] == 303


@pytest.mark.parametrize(
    "key", ["", "receipts/uploads/{}/0", "receipts/{}/ab", "receipts/uploads/{}/../x/y", "a"]
)
def test_a_return_without_an_upload_of_this_order_changes_nothing(world: World, key: str) -> None:
    payer = Payer.of_new_order(world)
    other = "receipts/uploads/B202511210000000000000000/ab"
    world.s3.put_object(Bucket=BUCKET, Key=other, Body=samples.png())
    for named in (key.format(payer.order_no), other):
        answer = payer.come_back(named)
        assert answer["statusCode"] == 422
        assert "The file did not arrive" in answer["body"]
    assert payer.order()["status"] == "pending"
    assert world.files().keys() == {other}


def test_five_receipts_and_no_more(world: World) -> None:
    payer = Payer.of_new_order(world)
    spare = payer.upload_fields()["key"]
    world.s3.put_object(Bucket=BUCKET, Key=spare, Body=samples.png())
    for number in range(1, 6):
        assert payer.upload(samples.png())["statusCode"] == 303
        assert f"{number} of 5 received" in payer.get()["body"]
    assert payer.upload_fields() == {}
    answer = payer.come_back(spare)
    assert answer["statusCode"] == 422
    assert "5 receipts already" in answer["body"]
    kept = {receipt.key for receipt in order_of(payer.order()).receipts}
    assert len(kept) == 5
    assert world.files().keys() == kept


@pytest.mark.parametrize("status", [OrderStatus.CANCELLED, OrderStatus.COMPLETED])
def test_an_order_that_is_over_takes_no_receipt(world: World, status: OrderStatus) -> None:
    payer = Payer.of_new_order(world)
    key = payer.upload_fields()["key"]
    world.s3.put_object(Bucket=BUCKET, Key=key, Body=samples.png())
    world.put("Orders", order_item(replace(order_of(payer.order()), status=status)))
    assert payer.upload_fields() == {}
    answer = payer.come_back(key)
    assert answer["statusCode"] == 409
    assert world.files() == {}


def test_time_runs_out_during_an_upload(world: World) -> None:
    payer = Payer.of_new_order(world)
    key = payer.upload_fields()["key"]
    world.s3.put_object(Bucket=BUCKET, Key=key, Body=samples.png())
    over = replace(order_of(payer.order()), expire_time=int(time.time()))
    world.put("Orders", order_item(over))
    answer = payer.come_back(key)
    assert answer["statusCode"] == 409
    assert "<h1>Time has run out</h1>" in answer["body"]
    assert world.files() == {}
