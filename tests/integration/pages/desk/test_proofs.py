"""Proofs at the desk: sent straight to the bucket, checked on the way back, seen for minutes."""

import base64
import json
import re
from dataclasses import replace
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.orders.order import Order, OrderStatus, Receipt
from orderdesk.domain.receipts.files import ReceiptType
from tests.support import receipt_samples as samples
from tests.support.trader import BUCKET, ORDER, TraderVisit
from tests.support.world import World

HOST = f"{BUCKET}.s3.us-east-1.amazonaws.com"


def keep(world: World, order: Order, *types: str) -> Order:
    """Store receipts of an order as they are kept."""
    receipts = tuple(
        Receipt(f"receipts/{order.order_no}/{n}", kind, 1, order.createtime)
        for n, kind in enumerate(types)
    )
    kept = replace(order, receipts=receipts)
    world.put("Orders", order_item(kept))
    return kept


def test_the_form_comes_back_to_the_order(world: World) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.sell()
    fields = trader.upload_fields(order.order_no, lang="zh")
    back = f"https://pay.example.com/trader/orders/{order.order_no}/proof?lang=zh"
    assert fields["success_action_redirect"] == back
    policy = json.loads(base64.b64decode(fields["policy"]))["conditions"]
    assert {"success_action_redirect": back} in policy
    assert re.fullmatch(rf"receipts/uploads/{order.order_no}/[0-9a-f]{{32}}", fields["key"])
    answer = trader.get(ORDER, order.order_no)
    assert f"form-action 'self' https://{HOST};" in answer["headers"]["Content-Security-Policy"]


@pytest.mark.parametrize("kind", ReceiptType)
def test_a_proof_is_kept_and_the_order_stays_assigned(world: World, kind: ReceiptType) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.sell()
    answer = trader.upload(order.order_no, samples.RECEIPTS[kind], lang="en")
    assert answer["statusCode"] == 303
    assert answer["headers"]["Location"] == f"../../orders/{order.order_no}?lang=en"
    kept = trader.order(order.order_no)
    assert (kept.status, [r.content_type for r in kept.receipts]) == ("assigned", [kind.value])
    page = trader.get(ORDER, order.order_no)
    assert f"orders/{order.order_no}/receipts/1" in page["body"]
    pictures = re.findall(r'<img src="([^"]+)"', page["body"])
    assert len(pictures) == (kind is not ReceiptType.PDF)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (samples.HTML, "no PNG, JPEG or WebP picture"),
        (samples.png()[:-1], "damaged or incomplete"),
        (b"", "file is empty"),
    ],
)
def test_what_is_no_proof_is_deleted_and_the_page_says_why(
    world: World, content: bytes, said: str
) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.sell()
    answer = trader.upload(order.order_no, content)
    assert answer["statusCode"] == 422
    assert said in answer["body"]
    assert 'id="upload"' in answer["body"]
    assert trader.order(order.order_no) == order
    assert "Contents" not in world.s3.list_objects_v2(Bucket=BUCKET)


def test_five_proofs_and_no_more(world: World) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = keep(world, trader.sell(), *["image/png"] * 4)
    spare = trader.upload_fields(order.order_no)["key"]
    world.s3.put_object(Bucket=BUCKET, Key=spare, Body=samples.png())
    assert trader.upload(order.order_no, samples.png())["statusCode"] == 303
    assert trader.upload_fields(order.order_no) == {}
    answer = trader.come_back(order.order_no, spare)
    assert answer["statusCode"] == 422
    assert "5 receipts already" in answer["body"]


def test_an_order_that_has_moved_takes_no_proof(world: World) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.sell()
    key = trader.upload_fields(order.order_no)["key"]
    world.s3.put_object(Bucket=BUCKET, Key=key, Body=samples.png())
    world.put("Orders", order_item(replace(order, status=OrderStatus.DISPUTED)))
    answer = trader.come_back(order.order_no, key)
    assert answer["statusCode"] == 409
    assert "Contents" not in world.s3.list_objects_v2(Bucket=BUCKET)


def test_a_buy_takes_no_proof_of_its_trader(world: World) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.buy()
    assert trader.upload_fields(order.order_no) == {}
    key = f"receipts/uploads/{order.order_no}/ab"
    world.s3.put_object(Bucket=BUCKET, Key=key, Body=samples.png())
    assert trader.come_back(order.order_no, key)["statusCode"] == 409
    assert trader.order(order.order_no) == order


def test_a_browser_that_left_its_cookie_behind_comes_again_by_itself(world: World) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.sell()
    key = trader.upload_fields(order.order_no)["key"]
    world.s3.put_object(Bucket=BUCKET, Key=key, Body=samples.png())
    without = replace(trader, cookie=None)
    answer = without.come_back(order.order_no, key, lang="en")
    assert answer["statusCode"] == 200
    assert order.order_no not in answer["body"].replace(f"uploads%2F{order.order_no}", "")
    [address] = re.findall(r'http-equiv="refresh" content="0; url=([^"]+)"', answer["body"])
    assert f'href="{address}"' in answer["body"]
    target = urlsplit(unescape(address))
    assert target.path == "", "the same address, asked for from here"
    query = {name: value for name, [value] in parse_qs(target.query).items()}
    assert query == {"key": key, "again": "1", "lang": "en"}
    again = trader.get(f"{ORDER}/proof", order.order_no, **query)
    assert again["statusCode"] == 303
    assert len(trader.order(order.order_no).receipts) == 1


@pytest.mark.parametrize("query", [{}, {"again": "1"}, {"key": "a", "again": "1"}])
def test_without_a_session_it_comes_again_only_once(world: World, query: dict[str, str]) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.sell()
    answer = replace(trader, cookie=None).get(f"{ORDER}/proof", order.order_no, **query)
    assert (answer["statusCode"], answer["headers"]["Location"]) == (303, "../../login")


def test_the_step_between_is_the_same_for_every_number(world: World) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.sell()
    stranger = replace(trader, cookie=None)
    for number in (order.order_no, "S" + "0" * 24, "-"):
        answer = stranger.get(f"{ORDER}/proof", number, key="<script>")
        assert answer["statusCode"] == 200
        assert "<script>" not in answer["body"].partition("<main")[2]


def test_pictures_come_from_the_bucket_for_a_few_minutes(world: World) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = keep(world, trader.buy(), "image/png", "application/pdf", "image/jpeg")
    answer = trader.get(ORDER, order.order_no)
    assert f"img-src https://{HOST};" in answer["headers"]["Content-Security-Policy"]
    found = [unescape(url) for url in re.findall(r'<img src="([^"]+)"', answer["body"])]
    assert [urlsplit(url).path for url in found] == [
        f"/receipts/{order.order_no}/0",
        f"/receipts/{order.order_no}/2",
    ]
    for url in found:
        assert parse_qs(urlsplit(url).query)["X-Amz-Expires"] == ["300"]


def test_a_receipt_is_seen_at_a_fresh_address(world: World) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = keep(world, trader.buy(), "image/png", "application/pdf")
    for number in ("1", "2"):
        answer = trader.send(
            "GET", f"{ORDER}/receipts/{{number}}", order_no=order.order_no, number=number
        )
        assert answer["statusCode"] == 303
        url = urlsplit(answer["headers"]["Location"])
        assert (url.netloc, url.path) == (HOST, f"/receipts/{order.order_no}/{int(number) - 1}")
        assert answer["headers"]["Referrer-Policy"] == "no-referrer"
    for number in ("0", "3", "01", "-1", "x", "１"):
        answer = trader.send(
            "GET", f"{ORDER}/receipts/{{number}}", order_no=order.order_no, number=number
        )
        assert answer["statusCode"] == 404
