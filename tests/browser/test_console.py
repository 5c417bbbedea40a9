"""The console in a browser: what only a browser shows."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.orders.order import LateProof, Receipt
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk_cli.console.server import Console
from tests.browser.chromium import DESKTOP, PHONE
from tests.browser.console_states import SHOP, BusyStack, busy_stack, root_of
from tests.browser.tabs import OpenTab
from tests.browser.test_every_page import violations
from tests.support.console_guest import serving_console
from tests.support.market import Market
from tests.support.offices import office_on
from tests.support.seed import with_changes
from tests.support.world import open_world

ROW_PX_MAX = 60
_RIGHT_EDGE = "(all) => Math.max(...all.map((each) => each.getBoundingClientRect().right))"
_COPIED = "navigator.clipboard.writeText = text => (window.copied = text, Promise.resolve())"


@pytest.fixture
def busy() -> Iterator[BusyStack]:
    with open_world() as world:
        yield busy_stack(world)


@pytest.fixture
def console(busy: BusyStack) -> Iterator[Console]:
    with serving_console(busy.world) as console:
        yield console


def test_a_dispute_from_the_queue_to_its_end_without_scripts(
    busy: BusyStack, console: Console, open_tab: OpenTab
) -> None:
    tab = open_tab(DESKTOP, java_script_enabled=False)
    tab.goto(console.url)
    expect(tab.get_by_role("heading", level=1)).to_have_text("Waiting for you")
    waits = tab.locator(".counts div:not(.none)")
    expect(waits.filter(has_text="Payer or trader is next")).to_contain_text("1")
    expect(waits.filter(has_text="For you to decide")).to_contain_text("3")
    expect(waits.filter(has_text="Callbacks that were given up")).to_have_count(0)
    tab.get_by_role("link", name="Disputes").click()
    tab.get_by_role("link", name=busy.disputed).click()
    pictures = tab.get_by_role("img", name=re.compile("receipt"))
    expect(pictures).to_have_count(3)
    for number in range(3):
        pictures.nth(number).scroll_into_view_if_needed()
        expect(pictures.nth(number)).to_have_js_property("complete", value=True)
        assert pictures.nth(number).evaluate("picture => picture.naturalWidth") > 0
    tab.get_by_role("link", name="It arrived").click()
    expect(tab.locator("main")).to_contain_text("-138.")
    tab.get_by_label("Reason").fill("the bank confirms the transfer")
    tab.get_by_role("button", name="It arrived").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text(f"Order {busy.disputed}")
    expect(tab.locator(".facts .chip").first).to_have_text("completed")
    tab.get_by_role("link", name="Disputes").click()
    expect(tab.locator("main")).to_contain_text("No order is disputed.")


def test_a_name_is_found_its_id_copied_and_a_proposal_approved(
    busy: BusyStack, console: Console, open_tab: OpenTab
) -> None:
    tab = open_tab(DESKTOP)
    tab.goto(console.url)
    tab.get_by_role("searchbox").fill(busy.waiting[-8:])
    tab.get_by_role("button", name="Find").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text(f"Order {busy.waiting}")
    link = tab.get_by_role("link", name=SHOP).first
    expect(link).to_have_attribute("title", busy.merchant_id)
    tab.evaluate(_COPIED)
    tab.get_by_role("button", name=f"Copy {busy.merchant_id}").first.click()
    expect(tab.get_by_role("button", name="Copied")).to_be_visible()
    assert tab.evaluate("window.copied") == busy.merchant_id
    tab.get_by_role("link", name="Proposals").click()
    tab.get_by_role("link", name=busy.proposal).click()
    tab.get_by_role("link", name="Approve").click()
    tab.get_by_role("button", name="Approve").click()
    expect(tab.locator(".chip-approved")).to_be_visible()


def test_a_dispute_has_its_facts_beside_the_decision_and_its_effect(
    busy: BusyStack, console: Console, open_tab: OpenTab
) -> None:
    tab = open_tab(DESKTOP)
    tab.goto(console.url)
    tab.goto(f"{root_of(tab)}/orders/{busy.disputed}")
    facts, decision = tab.locator(".told").bounding_box(), tab.locator(".decide").bounding_box()
    assert facts is not None
    assert decision is not None
    assert facts["x"] + facts["width"] <= decision["x"]
    assert decision["y"] < DESKTOP["height"] / 3
    arrived = tab.locator(".decide > div").filter(has_text="It arrived: pay out the USDT")
    expect(arrived).to_contain_text("-138.")
    expect(tab.locator(".told .pictures img")).to_have_count(3)
    expect(tab.locator(".told")).to_contain_text("哪一家银行的转账？")


@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
def test_the_menu_is_one_row_and_charts_have_axes(
    console: Console, open_tab: OpenTab, language: str
) -> None:
    tab = open_tab(DESKTOP, locale=language)
    tab.goto(console.url)
    sections = tab.locator(".sections li")
    assert len(set(sections.evaluate_all("(all) => all.map((each) => each.offsetTop)"))) == 1
    assert sections.evaluate_all(_RIGHT_EDGE) <= DESKTOP["width"]
    tab.goto(f"{root_of(tab)}/report")
    charts = tab.locator(".chart")
    for chart in charts.all():
        values = chart.locator("td").evaluate_all("(all) => all.map((each) => each.textContent)")
        ticks = chart.locator(".value").all_text_contents()
        assert ticks[0] in values, "the largest value"
        assert ticks[1] == "0"
        expect(chart.locator("svg .axis")).to_have_count(2)
    assert charts.count() > 0


@pytest.mark.parametrize("number", ["0b9f4a52-8d3e-4c61-9a07-3f5d2e8b7c14", "x" * 255])
def test_a_long_merchants_number_takes_one_line_of_the_list(
    busy: BusyStack, console: Console, open_tab: OpenTab, number: str
) -> None:
    kept = office_on(busy.world).orders.order(busy.waiting)
    assert kept is not None
    busy.world.put("Orders", order_item(replace(kept, merchant_order_no=number)))
    tab = open_tab(DESKTOP)
    tab.goto(console.url)
    tab.goto(f"{root_of(tab)}/orders")
    row = tab.get_by_role("row").filter(has_text=busy.waiting)
    box = row.bounding_box()
    assert box is not None
    assert box["height"] <= ROW_PX_MAX
    assert row.locator("td").evaluate_all(_RIGHT_EDGE) <= DESKTOP["width"]
    expect(row.get_by_role("button", name=f"Copy {number}")).to_be_visible()


@pytest.fixture
def claimed() -> Iterator[tuple[str, str]]:
    """Yield the console's address, and the number of a sell with two late proofs to decide."""
    with open_world() as world:
        market = Market.on(world)
        number, other = market.sell(), world.add_trader()
        market.move(number, Move.CANCEL, Actor.MERCHANT)
        proof = Receipt("drawn/late", "image/png", 1, market.order(number).since, 1)
        late = (LateProof(market.trader_id, proof), LateProof(other.trader_id, proof))
        market.put(with_changes(market.order(number), late_proofs=late))
        with serving_console(world) as console:
            yield console.url, number


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en-GB", ("Claims", "The former trader has paid")),
        ("zh-CN", ("凭证裁定", "裁定原交易员已付款")),
    ],
)
def test_a_claim_in_the_console_on_a_phone(
    claimed: tuple[str, str], chromium: Browser, locale: str, words: tuple[str, str]
) -> None:
    url, number = claimed
    title, decision = words
    options = {"bypass_csp": True, "reduced_motion": "reduce", "locale": locale}
    with chromium.new_context(viewport=PHONE, **options) as context:  # type: ignore[arg-type]
        tab = context.new_page()
        tab.goto(url)
        root = root_of(tab)
        for path, text in (
            ("claims", title),
            (f"orders/{number}", decision),
            (f"orders/{number}/claim-paid", decision),
        ):
            tab.set_viewport_size(PHONE)
            tab.goto(f"{root}/{path}")
            expect(tab.locator("body")).to_contain_text(text)
            expect(tab.locator("body")).to_contain_text(number)
            assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
            assert violations(tab, [path]) == {}
