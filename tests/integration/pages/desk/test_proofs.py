"""Proofs at the desk: uploaded to the bucket, checked on return, shown by short-lived links."""

import re
from dataclasses import replace
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.orders.order import Order, Receipt
from orderdesk.services.orders.receipts import Rendering
from tests.support import receipt_samples as samples
from tests.support.seed import with_changes
from tests.support.trader import ORDER, RECEIPTS, UPLOADS, TraderVisit
from tests.support.world import World

FORMS, PICTURES = (f"{bucket}.s3.us-east-1.amazonaws.com" for bucket in (UPLOADS, RECEIPTS))


def keep(world: World, order: Order, *types: str) -> Order:
    """Store an order's receipts."""
    receipts = tuple(
        Receipt(f"rendered/{order.order_no}/{n}", kind, 1, order.createtime, pages=n + 1)
        for n, kind in enumerate(types)
    )
    kept = replace(order, receipts=receipts)
    world.put("Orders", order_item(kept))
    return kept


def test_a_proof_is_kept_and_the_order_stays_assigned(trader: TraderVisit) -> None:
    order = trader.sell()
    answer = trader.upload(order.order_no, samples.png(), lang="en")
    assert answer["statusCode"] == 303
    assert answer["headers"]["Location"] == f"../../orders/{order.order_no}?lang=en"
    kept = trader.order(order.order_no)
    assert (kept.status, [r.content_type for r in kept.receipts]) == ("assigned", ["image/png"])
    page = trader.get(ORDER, order.order_no)
    assert f"orders/{order.order_no}/receipts/1" in page["body"]
    pictures = re.findall(r'<img src="([^"]+)"', page["body"])
    [preview] = [urlsplit(unescape(picture)).path for picture in pictures]
    assert preview == f"/{kept.receipts[0].key}/preview.jpg"


def test_a_buy_takes_no_proof_of_its_trader(world: World, trader: TraderVisit) -> None:
    order = trader.buy()
    assert trader.upload_fields(order.order_no) == {}
    for uploader in ("payer", f"{trader.trader.trader_id}/{order.sequence}"):
        key = f"uploads/{order.order_no}/{uploader}/1"
        world.upload(key, samples.png())
        assert trader.come_back(order.order_no, key)["statusCode"] in {409, 422}
    assert trader.order(order.order_no) == order
    assert world.renderings == []


def test_what_the_trader_before_planted_is_not_the_next_ones_proof(world: World) -> None:
    first = TraderVisit.of_new_trader(world)
    order = first.sell()
    planted = first.upload_fields(order.order_no)["key"]
    world.upload(planted, samples.png())
    assert first.post(f"{ORDER}/decline", order.order_no)["statusCode"] == 303
    second = TraderVisit.of_new_trader(world)
    waited = with_changes(first.order(order.order_no), next_offer_time=None)
    world.put("Orders", order_item(waited))
    world.assign_sells()
    assert second.order(order.order_no).trader_id == second.trader.trader_id
    answer = second.come_back(order.order_no, planted)
    assert answer["statusCode"] == 422
    assert "The file did not arrive" in answer["body"]
    assert second.order(order.order_no).receipts == ()
    assert world.renderings == []


def test_an_assignment_that_ends_while_its_proof_is_drawn_takes_it_not(
    world: World, trader: TraderVisit, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = trader.sell()
    key = trader.upload_fields(order.order_no)["key"]
    world.upload(key, samples.png())
    renderer = world.modules["trader_desk"].receipts.renderer
    render = renderer.render
    again = replace(order, sequence=order.sequence + 2, version=order.version + 2)

    def render_slowly(upload: str, merchant_id: str) -> Rendering:
        rendering: Rendering = render(upload, merchant_id)
        world.put("Orders", order_item(again))
        return rendering

    monkeypatch.setattr(renderer, "render", render_slowly)
    assert trader.come_back(order.order_no, key)["statusCode"] == 409
    assert trader.order(order.order_no).receipts == ()


def test_the_step_between_is_the_same_for_every_number(trader: TraderVisit) -> None:
    order = trader.sell()
    stranger = replace(trader, cookie="")
    for number in (order.order_no, "S" + "0" * 24, "-"):
        answer = stranger.get(f"{ORDER}/proof", number, key="uploads/of/nobody/1")
        assert answer["statusCode"] == 200
        assert order.order_no not in answer["body"]
        for query in ({}, {"key": "<script>"}):
            elsewhere = stranger.get(f"{ORDER}/proof", number, **query)
            location = elsewhere["headers"].get("Location")
            assert (elsewhere["statusCode"], location) == (
                303,
                f"../../login?back=orders%2F{number}",
            )


def test_pictures_come_from_the_bucket_for_a_few_minutes(world: World, trader: TraderVisit) -> None:
    order = keep(world, trader.buy(), "image/png", "application/pdf", "image/jpeg")
    answer = trader.get(ORDER, order.order_no)
    assert f"img-src https://{PICTURES};" in answer["headers"]["Content-Security-Policy"]
    found = [unescape(url) for url in re.findall(r'<img src="([^"]+)"', answer["body"])]
    assert [urlsplit(url).path for url in found] == [
        f"/rendered/{order.order_no}/{n}/preview.jpg" for n in range(3)
    ]
    linked = re.findall(r'receipts/(\d[^"]*)"', answer["body"])
    assert linked == ["1", "2", "2?page=2", "3", "3?page=2", "3?page=3"]
    for url in found:
        assert parse_qs(urlsplit(url).query)["X-Amz-Expires"] == ["300"]


def test_a_page_of_a_receipt_is_seen_at_a_fresh_address(world: World, trader: TraderVisit) -> None:
    order = keep(world, trader.buy(), "image/png", "application/pdf")

    def see(number: str, query: dict[str, str]) -> Any:
        route = f"{ORDER}/receipts/{{number}}"
        return trader.send("GET", route, order_no=order.order_no, number=number, query=query)

    for number, query, page in (("1", {}, "1"), ("2", {}, "1"), ("2", {"page": "2"}, "2")):
        answer = see(number, query)
        assert answer["statusCode"] == 303
        url = urlsplit(answer["headers"]["Location"])
        path = f"/rendered/{order.order_no}/{int(number) - 1}/{page}.jpg"
        assert (url.netloc, url.path) == (PICTURES, path)
        assert answer["headers"]["Referrer-Policy"] == "no-referrer"
    for number in ("0", "3", "01", "-1", "x", "１"):
        assert see(number, {})["statusCode"] == 404
    for page in ("0", "3", "02", "", "../1", "２"):
        assert see("2", {"page": page})["statusCode"] == 404
