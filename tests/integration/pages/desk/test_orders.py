"""A trader's moves at the desk: confirm, report, decline (contract section 6)."""

import re
import time
from dataclasses import replace
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.ids import payment_reference
from orderdesk.domain.orders.order import Order, OrderStatus, Receipt, TimelineEntry
from orderdesk.domain.receipts.places import page_key
from orderdesk.services.orders.receipts import Rendering
from tests.support import receipt_samples as samples
from tests.support.seed import with_changes
from tests.support.trader import ORDER, RECEIPTS, UPLOADS, TraderVisit
from tests.support.world import World


def owned(world: World, trader: TraderVisit) -> tuple[int, int, int]:
    """Return the trader's available and held amounts, and its number of open orders."""
    now = world.trader(trader.trader.trader_id)
    return now.counts.available_micro, now.counts.held_micro, now.counts.open_orders


@pytest.mark.parametrize("paid", [False, True])
def test_confirming_receipt_completes_a_buy_once(
    world: World, trader: TraderVisit, *, paid: bool
) -> None:
    available, _, _ = owned(world, trader)
    order = trader.buy()
    if paid:
        world.report_paid(order.order_no)
    asked = trader.get(f"{ORDER}/confirm", order.order_no, lang="en")
    assert asked["statusCode"] == 200
    action = f'action="../../orders/{order.order_no}/confirm?lang=en" method="post"'
    assert action in asked["body"]
    for _ in range(3):
        answer = trader.post(f"{ORDER}/confirm", order.order_no, lang="en")
        assert answer["statusCode"] == 303
        place = f"../../orders?done=confirm-{order.order_no}&lang=en"
        assert answer["headers"]["Location"] == place
    done = trader.order(order.order_no)
    assert (done.status, done.timeline[-1].by) == (OrderStatus.COMPLETED, "trader")
    assert done.sequence == order.sequence + 1
    assert owned(world, trader) == (available - order.quote.trader_micro, 0, 0)
    assert "Receipt confirmed" in trader.get(ORDER, order.order_no)["body"]
    assert trader.get(f"{ORDER}/confirm", order.order_no)["statusCode"] == 303


def test_what_came_too_late_shows_the_order_as_it_is(world: World, trader: TraderVisit) -> None:
    order = with_changes(trader.buy(), expire_time=1)
    world.put("Orders", order_item(order))
    for part in ("confirm", "report"):
        answer = trader.post(f"{ORDER}/{part}", order.order_no, lang="en")
        assert answer["statusCode"] == 409
        assert "The order’s status had already changed" in answer["body"]
        assert "<h1>Time has run out</h1>" in answer["body"]
        assert f'href="../../orders/{order.order_no}?lang=zh"' in answer["body"]
    assert trader.order(order.order_no) == order


def test_confirming_a_payment_wants_a_proof_first(world: World, trader: TraderVisit) -> None:
    available, _, _ = owned(world, trader)
    order = trader.sell()
    asked = trader.get(f"{ORDER}/confirm", order.order_no)
    assert asked["statusCode"] == 303
    answer = trader.post(f"{ORDER}/confirm", order.order_no)
    assert answer["statusCode"] == 422
    assert "Send proof of payment first, then confirm." in answer["body"]
    assert trader.order(order.order_no).status is OrderStatus.ASSIGNED
    trader.upload(order.order_no, samples.png())
    assert trader.get(f"{ORDER}/confirm", order.order_no)["statusCode"] == 200
    for _ in range(2):
        assert trader.post(f"{ORDER}/confirm", order.order_no)["statusCode"] == 303
    done = trader.order(order.order_no)
    assert (done.status, len(done.receipts)) == (OrderStatus.COMPLETED, 1)
    assert owned(world, trader) == (available + order.quote.trader_micro, 0, 0)


def test_what_is_declined_goes_back_and_is_the_traders_no_more(
    world: World, trader: TraderVisit
) -> None:
    order = trader.sell()
    assert trader.get(f"{ORDER}/decline", order.order_no)["statusCode"] == 200
    for _ in range(2):
        answer = trader.post(f"{ORDER}/decline", order.order_no, lang="zh")
        assert answer["statusCode"] == 303
        done = f"../../orders?done=decline-{order.order_no}&lang=zh"
        assert answer["headers"]["Location"] == done
    back = trader.order(order.order_no)
    assert (back.status, back.trader_id) == (OrderStatus.MATCHING, None)
    assert owned(world, trader)[1:] == (0, 0)
    assert trader.get(ORDER, order.order_no)["statusCode"] == 404
    assert "No open orders" in trader.get("/trader/orders")["body"]
    done = f"decline-{order.order_no}"
    page = plain(trader.get("/trader/orders", done=done, lang="en")["body"])
    assert f"Order given back: ¥{order.quote.cny_fen / 100:,.2f} · {order.order_no}" in page
    assert "No other order waits for you" in page
    other = TraderVisit.of_new_trader(world)
    assert "given back" not in other.get("/trader/orders", done=done, lang="en")["body"]


TWINS = "Other orders of this amount on this account"


def test_the_trader_sees_equal_orders_before_it_confirms(world: World, trader: TraderVisit) -> None:
    open_one, late, old, other = (trader.buy() for _ in range(4))
    trader.buy(cny_amount="7.77")
    now = int(time.time())
    for twin, hours in ((late, 47), (old, 49)):
        entry = TimelineEntry(OrderStatus.EXPIRED, now - hours * 3600, "clock")
        timeline = (*twin.timeline, entry)
        ended = replace(twin, status=OrderStatus.EXPIRED, timeline=timeline)
        world.put("Orders", order_item(ended))
    page = trader.get(ORDER, open_one.order_no, lang="en")["body"]
    question = trader.get(f"{ORDER}/confirm", open_one.order_no, lang="en")["body"]
    dialog = page[page.index('<dialog id="ask-confirm"') :]
    for shown in (page, dialog, question):
        assert f"{TWINS}: 2" in shown
        assert late.order_no in shown
        for row in (open_one, late, other):
            plain = re.sub("</?mark>", "", shown)
            assert f'"digits">{payment_reference(row.order_no)}</td>' in plain
        assert other.order_no in shown
        assert old.order_no not in shown
    assert TWINS not in trader.get(ORDER, late.order_no, lang="en")["body"]


def test_a_confirmation_names_what_to_compare_with_the_statement(trader: TraderVisit) -> None:
    order = trader.buy()
    page = trader.get(ORDER, order.order_no, lang="zh")["body"]
    dialog = page[page.index('<dialog id="ask-confirm"') :]
    question = trader.get(f"{ORDER}/confirm", order.order_no, lang="zh")["body"]
    remark = payment_reference(order.order_no)
    for shown in (dialog, question):
        assert f"¥1,000.37 · 测试银行 ****1234 · 转账备注 {remark} · 付款人 姓名未核验" in shown


def test_a_decision_opens_the_next_order_that_waits(world: World, trader: TraderVisit) -> None:
    """Its page names the last decision; a repeated press changes nothing but that order."""
    first, second, later = (trader.buy(cny_amount=cny) for cny in ("1000.37", "7.77", "8.88"))
    for order in (first, second):
        world.report_paid(order.order_no)
    for _ in range(2):
        answer = trader.post(f"{ORDER}/confirm", first.order_no, lang="en", stay="1")
        assert answer["statusCode"] == 303
        done = f"confirm-{first.order_no}"
        there = f"../../orders/{second.order_no}?done={done}&lang=en"
        assert answer["headers"]["Location"] == there
    assert trader.order(second.order_no).status is OrderStatus.PAID
    page = trader.get(ORDER, second.order_no, done=done, lang="en")["body"]
    shown = plain(page)
    assert f"Receipt confirmed: ¥1,000.37 · {first.order_no}" in shown
    assert "The next order is below: ¥7.77" in shown
    assert f'href="../orders/{first.order_no}?lang=en"' in page
    assert '<a class="button soft" href="../orders?lang=en">' in page
    assert 'class="answers reach fresh"' in page
    plainly = trader.get(ORDER, second.order_no, lang="en")["body"]
    assert not re.search("Receipt confirmed|reach fresh", plainly)
    trader.post(f"{ORDER}/confirm", second.order_no)
    done = f"confirm-{second.order_no}"
    listed = plain(trader.get("/trader/orders", done=done, lang="en")["body"])
    assert f"Receipt confirmed: ¥7.77 · {second.order_no} No other order waits for you" in listed
    assert later.order_no in listed


@pytest.mark.parametrize("done", ["confirm-{}", "dispute-{}", "decline-{}", "x-{}", "confirm-B1"])
def test_a_decision_that_was_not_made_is_not_named(trader: TraderVisit, done: str) -> None:
    order = trader.buy()
    page = trader.get("/trader/orders", done=done.format(order.order_no), lang="en")["body"]
    assert "waits for you" not in page
    assert "1,000.37 ·" not in plain(page)


def test_a_confirmation_from_the_statement_stays(world: World, trader: TraderVisit) -> None:
    order, other = trader.buy(), trader.buy(cny_amount="7.77")
    for each in (order, other):
        world.report_paid(each.order_no)
    answer = trader.post(f"{ORDER}/confirm", order.order_no, only="1")
    assert answer["headers"]["Location"] == f"../../orders/{order.order_no}"


def plain(page: str) -> str:
    """Return a page's text, with single spaces."""
    return " ".join(re.sub("<[^>]*>", "", page).split())


def test_an_ended_order_leads_to_the_next_one_that_waits(world: World, trader: TraderVisit) -> None:
    first, second = trader.buy(), trader.buy(cny_amount="7.77")
    for order in (first, second):
        world.report_paid(order.order_no)
    assert "next=" not in trader.get(ORDER, first.order_no, lang="en")["body"]
    assert trader.post(f"{ORDER}/confirm", first.order_no)["statusCode"] == 303
    page = trader.get(ORDER, first.order_no, lang="en")["body"]
    assert f'href="../orders?next={first.order_no}&amp;lang=en"' in page
    following = [trader.get("/trader/orders", next=o.order_no) for o in (first, second)]
    places = [answer["headers"]["Location"] for answer in following]
    assert places == [f"orders/{second.order_no}", "orders"]


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
    opened = [urlsplit(unescape(url)) for url in re.findall(r'data-direct="(.*?)"', answer["body"])]
    keys = [page_key(receipt.key, 1) for receipt in order.receipts]
    assert [url.path.removeprefix("/") for url in opened] == keys
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
