"""Receipts: the signed form, accepted and refused uploads."""

import base64
import calendar
import io
import json
import re
import time
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from orderdesk.adapters.drawing import DrawingProcess
from orderdesk.adapters.dynamodb.orders.items import order_of
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptProblem, ReceiptType, UnfitReceipt
from orderdesk.services.orders.render_receipt import DRAWINGS_MAX, Pictures, RenderPorts
from tests.support import receipt_samples as samples
from tests.support.payer import RECEIPTS, UPLOADS, Payer
from tests.support.world import World


def test_the_form_allows_one_key_one_type_one_return_and_ten_megabytes(payer: Payer) -> None:
    fields = payer.upload_fields(lang="zh")
    policy = json.loads(base64.b64decode(fields["policy"]))
    conditions: list[Any] = policy["conditions"]
    back = f"https://pay.example.com/pay/{payer.order_no}/{payer.token}/receipt?lang=zh"
    assert fields["key"] == f"uploads/{payer.order_no}/payer/1"
    for condition in (
        {"bucket": UPLOADS},
        {"key": fields["key"]},
        {"Content-Type": "application/octet-stream"},
        {"success_action_redirect": back},
        ["content-length-range", 1, MAX_BYTES],
    ):
        assert condition in conditions
    assert not [c for c in conditions if isinstance(c, list) and c[0] == "starts-with"]
    assert fields["success_action_redirect"] == back
    ends = time.strptime(policy["expiration"], "%Y-%m-%dT%H:%M:%SZ")
    assert 0 < calendar.timegm(ends) - time.time() <= 3600


def test_the_page_posts_to_the_bucket_and_nowhere_else(payer: Payer) -> None:
    answer = payer.get()
    [action] = re.findall(r'<form id="upload" action="([^"]+)"', answer["body"])
    assert action == f"https://{UPLOADS}.s3.us-east-1.amazonaws.com/"
    policy = answer["headers"]["Content-Security-Policy"].split("; ")
    assert f"form-action 'self' {action.rstrip('/')}" in policy
    assert "connect-src 'self'" in policy


@pytest.mark.parametrize("kind", ReceiptType)
def test_a_receipt_reports_the_payment_and_others_see_a_picture(
    world: World, payer: Payer, kind: ReceiptType
) -> None:
    content = samples.RECEIPTS[kind]
    answer = payer.upload(content, lang="en")
    assert answer["statusCode"] == 303
    assert answer["headers"]["Location"] == f"../{payer.token}?lang=en"
    order = order_of(payer.order())
    [receipt] = order.receipts
    assert (order.status, receipt.content_type) == (OrderStatus.PAID, kind.value)
    assert (receipt.size_bytes, receipt.pages) == (len(content), 1)
    assert re.fullmatch(rf"rendered/{payer.order_no}/payer/1/[0-9a-f]{{32}}", receipt.key)
    stored = world.files()
    original = receipt.key.replace("rendered/", "originals/")
    assert stored.keys() == {original, f"{receipt.key}/1.jpg", f"{receipt.key}/preview.jpg"}
    assert stored[original] == content
    for name in ("1", "preview"):
        picture = stored[f"{receipt.key}/{name}.jpg"]
        assert Image.open(io.BytesIO(picture), formats=["WEBP"]).format == "WEBP"
        told = world.s3.head_object(Bucket=RECEIPTS, Key=f"{receipt.key}/{name}.jpg")
        assert told["ContentType"] == "image/webp"
    assert "1 of 5 received" in payer.get()["body"]


def test_the_payer_sees_its_receipt_again_for_a_few_minutes(payer: Payer) -> None:
    assert payer.upload(samples.pdf(2))["statusCode"] == 303
    [receipt] = order_of(payer.order()).receipts
    bucket = f"https://{RECEIPTS}.s3.us-east-1.amazonaws.com"
    page = payer.get()
    assert f"img-src {bucket}" in page["headers"]["Content-Security-Policy"]
    [preview] = [unescape(url) for url in re.findall(r'<img src="([^"]+)"', page["body"])]
    shown = [payer.receipt("1")["headers"]["Location"]]
    shown.append(payer.receipt("1", page="2")["headers"]["Location"])
    for url, name in zip([preview, *shown], ("preview", "1", "2"), strict=True):
        assert url.startswith(f"{bucket}/{receipt.key}/{name}.jpg?")
        assert parse_qs(urlsplit(url).query)["X-Amz-Expires"] == ["300"]


@pytest.mark.parametrize(
    ("number", "page"), [("2", "1"), ("0", "1"), ("1", "3"), ("1", "0"), ("1", "x"), ("..", "1")]
)
def test_a_receipt_that_is_not_there_is_not_found(payer: Payer, number: str, page: str) -> None:
    assert payer.upload(samples.pdf(2))["statusCode"] == 303
    assert payer.receipt(number, page=page)["statusCode"] == 404
    assert replace(payer, token="t" * 43).receipt("1")["statusCode"] == 404


def test_the_page_itself_never_reads_the_file(world: World, payer: Payer) -> None:
    asked: list[str] = []
    page = world.cold_start("pay_page")
    page.session.register("before-call.s3", lambda model, **_: asked.append(model.name))
    assert payer.upload(samples.pdf_that_inflates(55))["statusCode"] == 303
    assert (asked, len(world.renderings)) == ([], 1)


def test_the_address_that_s3_leads_to_changes_nothing(world: World, payer: Payer) -> None:
    key = payer.upload_fields()["key"]
    world.upload(key, samples.png())
    page = payer.get("/receipt", key=key, lang="zh")
    assert page["statusCode"] == 200
    assert f'<input type="hidden" name="key" value="{key}">' in page["body"]
    assert '<form id="sent" action="?lang=zh" method="post">' in page["body"]
    assert "继续" in page["body"]
    assert payer.order()["status"] == "pending"
    assert world.renderings == []
    assert payer.get("/receipt")["statusCode"] == 303, "names no upload"
    assert "<b>" not in payer.get("/receipt", key="<b>")["body"]


def test_a_kept_receipt_is_never_written_over(world: World, payer: Payer) -> None:
    key = payer.upload_fields()["key"]
    for content in (samples.png(), samples.pdf(), samples.HTML):
        world.upload(key, content)
        assert payer.come_back(key)["statusCode"] == 303
    [receipt] = order_of(payer.order()).receipts
    assert receipt.content_type == "image/png"
    assert len(world.files()) == 3
    assert len(world.renderings) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\x1a\n" + b"\0" * MAX_BYTES, "larger than 10 MB"),
        (samples.HTML, "not a PNG, JPEG or WebP picture"),
        (samples.png(20, 20)[:-30], "damaged or incomplete"),
        (samples.png(30_000, 30_000, pixels=b""), "cannot be shown as a picture"),
        (samples.BLANK_PDF, "The picture is empty"),
    ],
    ids=["11 MB", "html", "cut off", "bomb", "blank"],
)
def test_what_is_no_receipt_is_not_kept_and_the_page_says_why(
    world: World, payer: Payer, content: bytes, said: str
) -> None:
    answer = payer.upload(content)
    assert answer["statusCode"] == 422
    assert "The receipt was not accepted" in answer["body"]
    assert said in answer["body"]
    assert world.files() == {}
    assert payer.order()["status"] == "pending"
    assert payer.upload(samples.png())["statusCode"] == 303


def test_ten_files_of_a_payer_are_decoded_and_no_more(
    world: World, payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, drawn = world.cold_start("render_receipt"), list[bytes]()
    ports: RenderPorts = module.ports

    class Refusing(DrawingProcess):
        def draw(self, content: bytes, _kind: ReceiptType) -> Pictures:
            drawn.append(content)
            raise UnfitReceipt(ReceiptProblem.TOO_COMPLEX)

    monkeypatch.setattr(module, "ports", replace(ports, drawing=Refusing(Path())))
    for number in range(DRAWINGS_MAX):
        answer = payer.upload(samples.pdf_that_never_ends() + b"%d" % number)
        assert "cannot be shown as a picture" in answer["body"]
    for content in (samples.pdf_that_never_ends(), samples.png()):
        answer = payer.upload(content)
        assert answer["statusCode"] == 422
        assert "10 files were tried" in answer["body"]
    assert len(drawn) == DRAWINGS_MAX
    assert payer.order()["status"] == "pending"
    monkeypatch.setattr(module, "ports", ports)
    another = Payer.of_new_order(world)
    assert another.upload(samples.png())["statusCode"] == 303


@pytest.mark.parametrize(
    "key", ["-", "uploads/{}/payer/6", "uploads/B202511210000000000000000/payer/1"]
)
def test_a_return_without_an_upload_of_this_order_changes_nothing(
    world: World, payer: Payer, key: str
) -> None:
    named = key.format(payer.order_no)
    world.upload(named, samples.png())
    answer = payer.come_back(named)
    assert answer["statusCode"] == 422
    assert "The file did not arrive" in answer["body"]
    assert payer.order()["status"] == "pending"
    assert world.renderings == []
    nothing_sent = payer.come_back(payer.upload_fields()["key"])
    assert nothing_sent["statusCode"] == 422
    assert "The file did not arrive" in nothing_sent["body"]


LATE = {"en": "Have you paid anyway?", "zh": "如您已经付款"}


def test_an_expired_page_takes_a_late_receipt_for_a_day(world: World, payer: Payer) -> None:
    world.age_order(payer.order_no, seconds=901)
    for language, title in LATE.items():
        assert title in payer.get(lang=language)["body"]
    answer = payer.upload(samples.RECEIPTS[ReceiptType.PNG], lang="en")
    assert answer["statusCode"] == 303
    page = payer.get(lang="en")["body"]
    assert "Payment disputed" in page
    assert "1 of 5 received" in page


def test_a_late_receipt_without_room_is_shown_to_payer_and_trader(
    world: World, payer: Payer
) -> None:
    world.age_order(payer.order_no, seconds=901)
    item: Any = world.get("Orders", {"pk": payer.order_no})
    trader: Any = world.get("Traders", {"trader_id": item["trader_id"]})
    world.put("Traders", {**trader, "max_open": 1, "open_orders": 2})
    assert payer.upload(samples.RECEIPTS[ReceiptType.PNG], lang="en")["statusCode"] == 303
    page = payer.get(lang="en")["body"]
    assert "Time has run out" in page
    assert "Receipts sent after the time" in page
    assert LATE["en"] in page
