"""Every page of the console: content, languages, rights, names, pictures, hostile texts."""

import re

import pytest

from orderdesk.web.operator.declare import Role
from orderdesk_cli.console.pages import Page
from orderdesk_cli.console.routes import PAGES, VIEWS
from tests.integration.console.conftest import GuestAs
from tests.support import receipt_samples as samples
from tests.support.console_guest import Guest
from tests.support.market import Market
from tests.support.merchant_client import buy
from tests.support.offices import api_on
from tests.support.payer import Payer
from tests.support.world import World

_NUMBER = re.compile(r"[BS][0-9]{24}")


def numbers(page: str) -> list[str]:
    """Return the order numbers of a page, in their order."""
    return list(dict.fromkeys(_NUMBER.findall(page.partition("<main")[2])))


@pytest.fixture
def places(market: Market) -> dict[str, str]:
    """Create data of each kind; return the values of the pages' paths."""
    proposer = api_on(market.world, "finance-2")
    merchant_id = market.merchant.merchant_id
    asked = proposer.write("withdraw.merchant", merchant_id=merchant_id, amount="1", memo="m")
    proposal = asked["proposal"]
    assert isinstance(proposal, dict)
    _, client = market.world.add_merchant(identity_required=True)
    return {
        "order_no": market.sell(),
        "pending_no": str(client.create(buy()).data["pending_no"]),
        "proposal_no": str(proposal["proposal_no"]),
        "merchant_id": market.merchant.merchant_id,
        "trader_id": market.trader_id,
    }


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_page_and_every_form_answers(
    guest: Guest, places: dict[str, str], language: str
) -> None:
    guest.get("language", to=language)
    opened = 0
    paths = [p.path.format_map(places) for p in PAGES if "{webhook_id}" not in p.path]
    for path in paths:
        text = guest.text(path)
        assert f'lang="{"zh-CN" if language == "zh" else "en"}"' in text
        for link in re.findall(rf'href="[^"]*/({path}/[a-z-]+)"', text):
            assert link in paths or 'name="key"' in guest.get(link).text, link
            opened += 1
    assert opened > 20
    missing = guest.get("orders/B202611230000000000000000")
    title = {"en": "There is no such thing", "zh": "不存在"}[language]
    assert (missing.status_code, title in missing.text) == (404, True)
    for path in VIEWS:
        if "{" not in path and path != "language":
            assert guest.get(path).status_code == 200, path


def test_the_language_is_the_browser_s_until_one_is_chosen(guest: Guest, market: Market) -> None:
    market.buy()
    guest.client.headers["Accept-Language"] = "zh-CN,zh;q=0.9,en;q=0.8"
    chinese = guest.text("orders")
    assert "待付款" in chinese
    assert "时间均为北京时间" in chinese
    assert "pending<" in guest.text("language", to="en", back="orders")
    assert "Times are Beijing time (+08:00)" in guest.text("orders")
    assert guest.get("language", to="en", back="//evil.example").url.host == "127.0.0.1"


def test_a_viewer_sees_no_action_and_can_send_none(
    guest_as: GuestAs, market: Market, places: dict[str, str]
) -> None:
    viewer = guest_as("viewer-1", Role.VIEWER)
    order = f"orders/{places['order_no']}"
    assert f"{order}/cancel" not in viewer.text(order)
    assert viewer.get(f"{order}/cancel").status_code == 403
    refused = viewer.post(f"{order}/cancel", key="a" * 32, reason="mine")
    assert (refused.status_code, "You may not do this" in refused.text) == (403, True)
    assert market.order(places["order_no"]).status.value == "matching"
    support = guest_as("support-1", Role.SUPPORT)
    assert f"{order}/cancel" in support.text(order)
    merchant = f"merchants/{places['merchant_id']}"
    assert f"{merchant}/fund" not in support.text(merchant)
    assert support.get(f"{merchant}/fund").status_code == 403


def test_sections_without_a_right_are_hidden(
    guest_as: GuestAs, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.console_guest.commands_of", lambda _: ["order.list"])
    page = guest_as("clerk-1", Role.VIEWER)
    text = page.text("orders")
    sections = ["waiting", "orders", "disputes", "claims", "sells"]
    assert re.findall(r'<li><a href="/[^/]+/([a-z]+)"', text) == sections
    assert 'role="search"' not in text
    for path in ("audit", "report", "ledger", "find?text=x"):
        assert page.client.get(f"{page.root}/{path}").status_code == 403, path


def test_names_stand_for_ids(guest: Guest, world: World) -> None:
    merchant, client = world.add_merchant(name="晨光商城")
    trader = world.add_trader(name="people-wang")
    number = client.create(buy()).data["order_no"]
    for path in ("orders", "merchants", f"orders/{number}"):
        text = guest.text(path)
        assert f'merchants/{merchant.merchant_id}" title="{merchant.merchant_id}">晨光商城<' in text
        assert f'data-copy="{merchant.merchant_id}"' in text
    guest.submit(f"traders/{trader.trader_id}/offline", reason="a break")
    trail = guest.text("audit", operator="finance-1")
    assert f'title="{trader.trader_id}">people-wang<' in trail
    assert 'title="arn:aws:iam::123456789012:user/finance-1">finance-1<' in trail
    assert "a break" in trail
    assert "a break" not in guest.text("audit", operator="nobody")


def test_the_search_finds_by_ending_number_and_name(guest: Guest, world: World) -> None:
    world.add_trader(name="people-wang")
    _, client = world.add_merchant(name="晨光商城")
    number = client.create(buy(merchant_order_no="Shop-1")).data["order_no"]
    for text in (number, number[-8:], "shop-1", "晨光商城", "1000.00"):
        assert guest.get("find", text=text).url.path.endswith(f"/orders/{number}"), text
    other = client.create(buy()).data["order_no"]
    assert numbers(guest.text("find", text="people-wang")) == [other, number]
    assert "Nothing was found." in guest.text("find", text="nobody-knows")


def test_lists_are_filtered_and_have_pages(
    guest: Guest, market: Market, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orderdesk_cli.console.pages.PAGE_SIZE", 2)
    sold, *bought = [market.sell(), *(market.buy() for _ in range(3))]
    first = guest.text("orders", order_type="buy")
    assert numbers(first) == [bought[2], bought[1]]
    [older] = re.findall(r'href="[^"]*/orders\?([^"]*after=[0-9]+)"', first)
    assert "order_type=buy" in older
    second = guest.client.get(f"{guest.root}/orders?{older}").text
    assert (numbers(second), "Newest" in second) == ([bought[0]], True)
    assert numbers(guest.text("sells")) == [sold]
    refused = guest.get("orders", max_cny="much")
    assert (refused.status_code, "&#39;much&#39; is no amount" in refused.text) == (422, True)
    assert guest.get("orders", since="yesterday").status_code == 422


def test_pictures_are_shown_and_hostile_texts_do_no_harm(world: World, guest: Guest) -> None:
    harm = "<b>\N{RIGHT-TO-LEFT OVERRIDE}x"
    payer = Payer.of_new_order(world, remark=harm)
    assert payer.upload(samples.png())["statusCode"] == 303
    answer = guest.get(f"orders/{payer.order_no}")
    assert "&lt;b&gt;\N{REPLACEMENT CHARACTER}x" in answer.text
    assert harm not in answer.text
    assert "6200000000000001234" not in answer.text
    place = f"orders/{payer.order_no}/evidence/0"
    assert f"{place}/pages/0" in answer.text
    picture = guest.get(f"{place}/pages/0")
    assert (picture.headers["content-type"], picture.content[:2]) == ("image/webp", b"RI")
    saved = guest.get(f"{place}/original")
    assert saved.content == samples.png()
    assert saved.headers["content-disposition"].startswith("attachment; ")
    assert saved.headers["content-type"] == "application/octet-stream"
    for wrong in (f"{place}/pages/1", f"orders/{payer.order_no}/evidence/1/original"):
        assert guest.get(wrong).status_code == 404


def test_a_dispute_has_age_owner_and_new_answer(world: World, guest: Guest) -> None:
    payer = Payer.of_new_order(world)
    payer.upload(samples.png())
    assert "No order is disputed." in guest.text("disputes")
    guest.submit(f"orders/{payer.order_no}/dispute", reason="the trader calls")
    assert "chip-flag" not in guest.text("disputes").partition("<main")[2]
    guest.submit(f"orders/{payer.order_no}/ask", text="Which bank?", to="payer")
    payer.post("/say", form={"text": "The first bank", "seen": "2"})
    queue = guest.text("disputes")
    assert numbers(queue) == [payer.order_no]
    assert re.search(r'data-name="disputed for"[^>]*><span>[0-9]+ (s|min)', queue)
    assert "chip-flag" in queue.partition("<main")[2]
    assert re.search(r'data-name="owner"[^>]*><span>finance-1', queue)


def test_the_report_draws_the_day(guest: Guest, market: Market) -> None:
    market.buy()
    page = guest.text("report")
    assert "Orders created by hour" in page
    assert "closes" in page
    assert guest.get("report", date="2999-01-01").status_code == 409


def test_a_long_answer_goes_on_part_by_part(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Check now" in guest.text("ledger")
    monkeypatch.setattr(
        Page,
        "answer",
        lambda *_: {"progress": {"text": "Pass 1", "done": 1, "of": 3}, "next": "run-1"},
    )
    page = guest.text("ledger", run="1")
    assert '<progress max="3" value="1"' in page
    assert re.search(r'http-equiv="refresh" content="0; url=[^"]*/ledger\?run=1&after=run-1"', page)


def test_every_field_of_every_form_and_filter_has_a_label_in_chinese() -> None:
    for page in PAGES:
        asked = [each for action in page.actions for each in action.inputs(page.path)]
        labels = {each.label[1] for each in (*page.filters, *asked)}
        assert {label for label in labels if label.isascii()} <= {"USDT"}
