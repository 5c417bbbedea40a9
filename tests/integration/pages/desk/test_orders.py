"""A trader's moves at the desk: confirm, report, decline (contract section 6)."""

import re
import time
from dataclasses import replace

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.ids import payment_reference
from orderdesk.domain.orders.order import OrderStatus, TimelineEntry
from tests.support import receipt_samples as samples
from tests.support.seed import with_changes
from tests.support.trader import ORDER, TraderVisit
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
