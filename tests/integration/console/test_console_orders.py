"""Orders in the console: list, search, an order's history and moves (contract section 9)."""

import re

import pytest
from orderdesk_cli.wiring import Office

from orderdesk.domain.audit import month_of
from orderdesk.domain.orders.order import OrderStatus
from tests.support import receipt_samples as samples
from tests.support.console_guest import Guest
from tests.support.merchant_client import buy, sell
from tests.support.payer import Payer
from tests.support.world import World

_NUMBER = re.compile(r"[BS][0-9]{24}")


def numbers(page: str) -> list[str]:
    """Return the order numbers of a page's table, in their order."""
    return list(dict.fromkeys(_NUMBER.findall(page.partition("<main>")[2])))


def status_of(office: Office, number: str) -> OrderStatus:
    order = office.orders.order(number)
    assert order is not None
    return order.status


def test_the_list_is_filtered_and_found(world: World, guest: Guest) -> None:
    world.add_trader()
    merchant, client = world.add_merchant()
    world.fund(merchant, 10**12)
    bought = client.create(buy(cny_amount="1000.37", merchant_order_no="shop-1")).data["order_no"]
    sold = client.create(sell(cny_amount="500")).data["order_no"]
    assert numbers(guest.text("orders")) == [sold, bought]
    assert numbers(guest.text("orders", type="sell", status="matching")) == [sold]
    assert numbers(guest.text("orders", min_cny="1000", merchant=merchant.merchant_id)) == [bought]
    assert "No orders." in guest.text("orders", mode="test")
    assert bought in guest.text("find", text="shop-1")
    assert guest.get("find", text="shop-1").url.path.endswith(f"/orders/{bought}")
    assert guest.get("find", text="nothing").status_code == 404
    assert guest.get("orders", status="lost").status_code == 422
    assert "no plain decimal number" in guest.get("orders", max_cny="much").text


def test_the_list_goes_on_page_by_page(
    world: World, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orderdesk_cli.console.orders.PAGE_SIZE", 2)
    world.add_trader()
    _, client = world.add_merchant()
    created = [client.create(buy()).data["order_no"] for _ in range(3)]
    first = guest.text("orders", type="buy")
    assert numbers(first) == [created[2], created[1]]
    [older] = re.findall(r'href="[^"]*/orders\?([^"]*before=[0-9]+)"', first)
    assert "type=buy" in older
    second = guest.client.get(f"{guest.root}/orders?{older}").text
    assert numbers(second) == [created[0]]


def test_a_page_looks_at_so_many_orders_and_no_more(
    world: World, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add_trader()
    _, client = world.add_merchant()
    for _ in range(40):
        client.create(buy())
    monkeypatch.setattr("moto.dynamodb.models.table.RESULT_SIZE_LIMIT", 1_500)
    page = guest.text("orders", status="paid")
    assert "Older ones may match" in page
    assert "Older" in page


def test_the_story_has_the_pictures_and_texts_of_others_do_no_harm(
    world: World, guest: Guest
) -> None:
    harm = "<b>\N{RIGHT-TO-LEFT OVERRIDE}x"
    payer = Payer.of_new_order(world, remark=harm)
    assert payer.upload(samples.png())["statusCode"] == 303
    answer = guest.get(f"orders/{payer.order_no}")
    assert "&lt;b&gt;\N{REPLACEMENT CHARACTER}x" in answer.text
    assert harm not in answer.text
    place = f"orders/{payer.order_no}/evidence/1"
    picture = guest.get(f"{place}/pages/1")
    assert (picture.headers["content-type"], picture.content[:2]) == ("image/jpeg", b"\xff\xd8")
    assert f"{place}/pages/1" in answer.text
    saved = guest.get(f"{place}/original")
    assert saved.content == samples.png()
    assert saved.headers["content-disposition"].startswith("attachment; ")
    assert saved.headers["content-type"] == "application/octet-stream"
    for wrong in (f"{place}/pages/2", f"orders/{payer.order_no}/evidence/2/original"):
        assert guest.get(wrong).status_code == 404
    assert "6200000000000001234" not in answer.text


def test_a_draft_is_shown(world: World, guest: Guest) -> None:
    world.add_trader()
    _, client = world.add_merchant(identity_required=True)
    draft = client.create(buy()).data["pending_no"]
    assert "held" in guest.text(f"orders/{draft}")
    assert guest.get(f"orders/{draft}/dispute").status_code == 409


def test_a_dispute_is_queued_asked_about_and_resolved_with_a_reason(
    world: World, guest: Guest, office: Office
) -> None:
    payer = Payer.of_new_order(world)
    payer.upload(samples.png())
    number = payer.order_no
    assert "No order is disputed." in guest.text("disputes")
    assert guest.post(f"orders/{number}/dispute", reason="the trader calls").status_code == 200
    assert status_of(office, number) is OrderStatus.DISPUTED
    queue = guest.text("disputes")
    assert f"orders/{number}/evidence/1/pages/1" in queue
    assert "Disputed by operator" in queue
    question = guest.text(f"orders/{number}/complete")
    assert "-138." in question
    refused = guest.post(f"orders/{number}/complete")
    assert (refused.status_code, "a reason is required" in refused.text) == (409, True)
    assert status_of(office, number) is OrderStatus.DISPUTED
    done = guest.post(f"orders/{number}/complete", reason="the bank confirms")
    assert (done.status_code, "completed" in done.text) == (200, True)
    assert "Postings" in done.text
    trail = list(office.audit.entries([month_of(office.now_us())], 0))
    assert [(e.action, e.reason, e.who) for e in trail] == [
        ("order.dispute", "the trader calls", office.operator.who),
        ("order.resolve", "the bank confirms", office.operator.who),
    ]
    page = guest.text("audit", subject=number, since="1h")
    assert page.index("the bank confirms") < page.index("the trader calls")
    assert "the bank confirms" not in guest.text("audit", operator="nobody")
    conflict = guest.post(f"orders/{number}/resolve-cancelled", reason="no")
    assert (conflict.status_code, "It is completed now" in conflict.text) == (409, True)
    assert guest.get(f"orders/{number}/resolve-cancelled").status_code == 409


def test_a_sell_is_assigned_taken_back_and_cancelled(
    world: World, guest: Guest, office: Office
) -> None:
    trader = world.add_trader(online=False)
    small = world.add_trader(max_cny_fen=1_00)
    merchant, client = world.add_merchant()
    world.fund(merchant, 10**12)
    number = client.create(sell()).data["order_no"]
    question = guest.text(f"orders/{number}/assign")
    assert trader.trader_id in question
    assert "offline: " in question
    assert small.trader_id not in question
    assert guest.post(f"orders/{number}/assign").status_code == 422
    misfit = guest.post(f"orders/{number}/assign", trader_id=small.trader_id)
    assert (misfit.status_code, "it takes 1.00 to 1.00 CNY" in misfit.text) == (409, True)
    guest.post(f"orders/{number}/assign", trader_id=trader.trader_id)
    assert status_of(office, number) is OrderStatus.ASSIGNED
    guest.post(f"orders/{number}/unassign", reason="on holiday")
    assert status_of(office, number) is OrderStatus.MATCHING
    guest.post(f"orders/{number}/cancel", reason="the merchant calls")
    assert status_of(office, number) is OrderStatus.CANCELLED
    assert guest.post(f"orders/{number}/nonsense", reason="r").status_code == 404
